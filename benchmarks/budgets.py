#!/usr/bin/env python3
# ===- benchmarks/budgets.py - instructions that weaving may execute --------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Counts the instructions that jopt executes and compares them with
benchmarks/budgets.json.

jopt runs under callgrind, with one thread, over archives that are known by
their SHA-256, with probes that were compiled before; so a count repeats within
0.1 % on one machine. It is divided into

  lift    code into IR
  passes  what passes do, matching included
  lower   IR into code
  verify  what verifying the changed class takes
  class   the rest of a class: reading, writing, the mark of its probes
  process the rest of the process: start, archives, inflating and deflating

So it is with coverage (COVERAGE), of the first archive, and by the default
strategy of the others too, and with traces of all events (TRACE) of these.

Then jopt-bench weaves the same archives in memory (BENCH): one whole round of
entry and exit of every method, in lifted bodies and in patched ones, these also
with what the agent's report keeps (report), the same with the arguments and a
kept value, of all fragments in patched ones, of no probe, of probes in 1 % of
the methods, of relower, and of the levels -O1 and -O2.

Exit status: 1 if a count exceeds its budget by more than 3 %, or an archive is
not the one that the budgets are of; 2 if something did not run. A change that
saves instructions writes the new figures (--write), in the same commit.

The budgets are of sources that are compiled one by one. Together, as quickstart
does it, they are inlined otherwise: that may take 8 % more, and writes nothing.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FILE = os.path.join(HERE, "budgets.json")
ALLOWED, ALLOWED_TOGETHER = 1.03, 1.08
PARTS = ["lift", "passes", "lower", "verify", "class", "process"]
# Functions of other libraries than their callers, so they are never inlined.
LIFT = ["jopt::liftMethod(", "jopt::liftPatched(", "jopt::liftRaw("]
LOWER = ["jopt::lowerMethod("]
PASSES = ["jopt::runPipeline("]
VERIFY = ["jopt::verifyClass("]
CLASS = ["jopt::workOnClass("]
COVERAGE = ["pos", "mask", "edges", "paths", "dup"]
TRACE = ["A"]
BENCH = {"probes": ["-work=probes", "-patch=false"],
         "patched": ["-work=probes"], "report": ["-work=probes", "-report"],
         "args": ["-work=args", "-patch=false"], "args patched": ["-work=args"],
         "all": ["-work=all"], "identity": ["-work=identity"],
         "probes1pct": ["-work=probes1pct"], "relower": ["-work=relower"],
         "O1": ["-work=O1"], "O2": ["-work=O2"]}


def fail(message):
    print("budgets.py: " + message, file=sys.stderr)
    sys.exit(2)


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode not in (0, 2):
        fail(" ".join(command[:3]) + " …: " + done.stderr.strip()[-500:])
    return done


def counts(jopt, option, jar, scratch):
    """Instructions of one run, by part."""
    out = os.path.join(scratch, "callgrind.out")
    # Nothing of the environment may make the stack, or a table, larger.
    run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, jopt,
         "-q", "-j1", option, jar, "-o",
         os.path.join(scratch, "out.jar")],
        env={"PATH": os.environ["PATH"], "HOME": scratch, "LC_ALL": "C"})
    listed = run(["callgrind_annotate", "--inclusive=yes", "--threshold=100",
                  out]).stdout

    def total(names):
        found = 0
        for line in listed.splitlines():
            m = re.match(r"\s*([\d,]+) \([^)]*\)\s+\S*?:(jopt::.*)", line)
            # Its own entry, not that of a recursion ('2).
            if m and any(m.group(2).startswith(n) for n in names) \
                    and "'" not in m.group(2).split("(")[0]:
                found += int(m.group(1).replace(",", ""))
        return found

    whole = int(re.search(r"([\d,]+) .*PROGRAM TOTALS", listed).group(1)
                .replace(",", ""))
    lift, lower, passes, verify, classes = map(
        total, (LIFT, LOWER, PASSES, VERIFY, CLASS))
    if not (0 < lift < passes and 0 < lower < passes < classes < whole
            and 0 < verify < classes - passes):
        fail("the functions that divide a run are not found any more; see LIFT")
    return {"lift": lift, "passes": passes - lift - lower, "lower": lower,
            "verify": verify, "class": classes - passes - verify,
            "process": whole - classes}


def bench_round(bench, options, jar, scratch):
    """Instructions of a round of jopt-bench, which has one to warm up too."""
    out = os.path.join(scratch, "bench.out")
    run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out,
         "--toggle-collect=round(*", bench, *options, "-repeat=1", jar],
        env={"PATH": os.environ["PATH"], "HOME": scratch, "LC_ALL": "C"})
    found = re.search(r"^totals: (\d+)", open(out).read(), re.M)
    if not found or found.group(1) == "0":
        fail("jopt-bench has no function `round` any more")
    return int(found.group(1)) // 2


def row_name(jar, what):
    return os.path.basename(jar["path"]) + " " + what


def check_jar(row):
    path = row["path"]
    if not os.path.exists(path):
        return f"{path} is not there (package {row['package']})"
    digest = hashlib.sha256(open(path, "rb").read()).hexdigest()
    if digest != row["sha256"]:
        return (f"{path} is not the file that the budgets are of, but "
                f"{digest}: measure the commit before with it, and --write")
    return None


def is_together(build):
    """Its sources were compiled together."""
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        return re.search(r"^CMAKE_UNITY_BUILD:\w+=ON", file.read(), re.M)


def main():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--write", action="store_true",
                   help="make what was counted the budgets")
    p.add_argument("--only", default="", help="rows whose name matches")
    args = p.parse_args()
    together = is_together(args.build)
    if together and args.write:
        fail("--write needs sources compiled one by one: cmake --preset release")
    allowed = ALLOWED_TOGETHER if together else ALLOWED
    budgets = json.load(open(FILE))
    jopt = os.path.join(args.build, "bin", "jopt")
    wrong = 0
    for jar in budgets["jars"]:
        problem = check_jar(jar)
        if problem and args.write and os.path.exists(jar["path"]):
            jar["sha256"] = hashlib.sha256(
                open(jar["path"], "rb").read()).hexdigest()
        elif problem:
            print("FAILED " + problem)
            wrong += 1
    if wrong:
        sys.exit(1)

    print(f"{'millions of instructions':34} {'now':>9} {'budget':>9}  ratio")
    with tempfile.TemporaryDirectory() as scratch:
        runs = []
        for probes in budgets["probes"]:
            bundle = os.path.join(scratch, "bundle-%d.jar" % len(runs))
            what = os.path.splitext(os.path.basename(probes))[0]
            if not any(re.search(args.only, row_name(jar, what))
                       for jar in budgets["jars"]):
                continue
            run([jopt, "-q", "-probes=" + os.path.join(ROOT, probes),
                 "-emit-bundle=" + bundle, "-probe-cache=off"])
            runs += [(jar, what, "-probes=" + bundle)
                     for jar in budgets["jars"]]
        runs += [(jar, "coverage " + s, "-coverage=" + s)
                 for n, jar in enumerate(budgets["jars"])
                 for s in (COVERAGE[:1] if n else COVERAGE)]
        # ASM, the first, is never traced.
        runs += [(jar, "trace " + s, "-trace=" + s)
                 for jar in budgets["jars"][1:] for s in TRACE]
        for jar, what, option in runs:
            name = row_name(jar, what)
            if not re.search(args.only, name):
                continue
            now = counts(jopt, option, jar["path"], scratch)
            known = budgets["instructions"].setdefault(name, {})
            for part in PARTS:
                ratio = now[part] / known.get(part, now[part])
                bad = ratio > allowed
                wrong += bad and not args.write
                print(f"{name + ' ' + part:34} {now[part] / 1e6:9.1f} "
                      f"{known.get(part, now[part]) / 1e6:9.1f}  "
                      f"{ratio:.3f}" + ("  FAILED" if bad else "  better"
                                        if ratio < 1 / ALLOWED else ""),
                      flush=True)
            if args.write:
                budgets["instructions"][name] = now
        bench = os.path.join(args.build, "bin", "jopt-bench")
        for jar in budgets["jars"]:
            for work, options in BENCH.items():
                name = os.path.basename(jar["path"]) + " bench " + work
                if not re.search(args.only, name):
                    continue
                now = bench_round(bench, options, jar["path"], scratch)
                known = budgets["rounds"].setdefault(name, now)
                ratio = now / known
                bad = ratio > allowed
                wrong += bad and not args.write
                print(f"{name:34} {now / 1e6:9.1f} {known / 1e6:9.1f}  "
                      f"{ratio:.3f}" + ("  FAILED" if bad else "  better"
                                        if ratio < 1 / ALLOWED else ""),
                      flush=True)
                if args.write:
                    budgets["rounds"][name] = now
    if args.write:
        with open(FILE, "w") as f:
            json.dump(budgets, f, indent=1)
            f.write("\n")
    sys.exit(1 if wrong else 0)


main()
