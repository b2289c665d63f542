#!/usr/bin/env python3
# Writes the CHECK lines of lit tests that print IR.
"""usage: update_jir_checks.py [-m METHOD]... [--jopt BUILD/bin] TEST...

For each RUN line `... | FileCheck %s [--check-prefix=P]` of a test, runs what
stands before the pipe and puts what it prints, without constant pools, behind
the test as CHECK lines. Old CHECK lines of the same prefixes go. With -m only
these methods. The result is what happens, not what is right: read it."""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

NOTE = "NOTE: CHECK lines by utils/update_jir_checks.py"
LLVM = "/usr/lib/llvm-19/bin"


def run_lines(text, comment):
    """RUN lines, continued ones joined."""
    lines, current = [], ""
    for m in re.finditer(rf"^\s*{re.escape(comment)}\s*RUN:\s?(.*)$", text, re.M):
        current += m.group(1)
        if current.endswith("\\"):
            current = current[:-1]
            continue
        lines.append(current)
        current = ""
    return lines


def split_check(line):
    """The command before FileCheck and its prefix; None if it has none."""
    m = re.match(r"(.*)\|\s*FileCheck\b(.*)$", line)
    if not m:
        return None
    prefix = re.search(r"--?check-prefix(?:es)?[= ](\w[\w-]*)", m.group(2))
    return m.group(1).strip(), prefix.group(1) if prefix else "CHECK"


def execute(command, test, folder, env):
    replaced = re.sub(r"%(jopt_src|\{pathsep\}|[sSpt])", lambda m: {
        "s": shlex.quote(test), "S": shlex.quote(os.path.dirname(test)),
        "p": shlex.quote(os.path.dirname(test)),
        "t": os.path.join(folder, "t"), "{pathsep}": ":",
        "jopt_src": os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    }[m.group(1)], command)
    done = subprocess.run(["bash", "-o", "pipefail", "-c", replaced], env=env,
                          capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr)
        raise SystemExit(f"{test}: exit status {done.returncode}: {replaced}")
    return done.stdout


def without_pool(lines):
    """Drops pools; None marks the gap."""
    inside = False
    for line in lines:
        if line == "  pool {":
            inside = True
            yield None
        elif inside:
            inside = line != "  }"
        else:
            yield line


def only_methods(lines, methods):
    """The methods named, with None before each."""
    inside = False
    for line in lines:
        head = line and re.match(r'  method .*?(\S+?):\S+( \{)?$', line)
        if head:
            inside = head.group(1).split("#")[0].strip('"') in methods
            if inside:
                yield None
        if inside:
            yield line
            inside = line != "  }" and not (head and not head.group(2))


def escape(line):
    return re.sub(r"\[\[|\{\{", lambda m: "{{" + re.escape(m.group(0)) + "}}", line)


def checks(output, prefix, comment, methods):
    lines = without_pool(output.splitlines())
    if methods:
        lines = only_methods(lines, methods)
    gap, result = True, []
    for line in lines:
        if line is None:
            gap = True
            continue
        if not line.strip():
            continue
        suffix = "" if gap else "-NEXT"
        gap = False
        result.append(f"{comment} {prefix}{suffix}: {escape(line)}")
    return result


def update(test, methods, env):
    with open(test) as f:
        text = f.read()
    comment = "//" if test.endswith(".java") else ";"
    runs = [c for c in map(split_check, run_lines(text, comment)) if c]
    if not runs:
        raise SystemExit(f"{test}: no RUN line pipes into FileCheck")
    prefixes = {p for _, p in runs}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(LLVM, "split-file"), test,
                        os.path.join(folder, "t")], capture_output=True)
        outputs = [(p, execute(c, os.path.abspath(test), folder, env))
                   for c, p in runs]
    old = re.compile(rf"^\s*{re.escape(comment)}\s*"
                     rf"(?:(?:{'|'.join(map(re.escape, prefixes))})"
                     rf"(?:-[A-Z]+)?:|{re.escape(NOTE)}).*\n", re.M)
    kept = old.sub("", text).rstrip("\n") + "\n"
    new = [f"{comment} {NOTE}"]
    for prefix, output in dict(outputs).items():
        new += checks(output, prefix, comment, methods)
    with open(test, "w") as f:
        f.write(kept + "\n" + "\n".join(new) + "\n")


def main():
    args = argparse.ArgumentParser(usage=__doc__)
    args.add_argument("-m", action="append", default=[], dest="methods")
    args.add_argument("--jopt", default="build/bin")
    args.add_argument("tests", nargs="+")
    options = args.parse_args()
    env = dict(os.environ)
    env["PATH"] = os.pathsep.join([os.path.abspath(options.jopt), LLVM, env["PATH"]])
    for test in options.tests:
        update(test, options.methods, env)


if __name__ == "__main__":
    main()
