"""Checks each wrong probe file of cases.txt: what jopt -check-probes says of it.

A case is `=== name phase`, the file, `---`, and every line that jopt says, without
the name of the file. Files of one phase are checked in one run, since javac looks
for errors of types only where there are none of syntax, and so on; those of the
phase `xml` need no javac, and each has a run of its own.

    run.py JOPT CASES FOLDER [--update]
"""
import os
import subprocess
import sys

jopt, table, folder = sys.argv[1:4]
update = "--update" in sys.argv[4:]

cases = []
for block in open(table, encoding="utf-8").read().split("\n=== ")[1:]:
    head, rest = block.split("\n", 1)
    name, phase = head.split()
    text, expected = rest.split("\n---", 1)
    cases.append([name, phase, text, expected.strip("\n").split("\n")])
assert len({c[0] for c in cases}) == len(cases), "a name is used twice"

os.makedirs(folder, exist_ok=True)
for name, _, text, _ in cases:
    with open(os.path.join(folder, name + ".xml"), "w", encoding="utf-8") as out:
        out.write(text)


def run(names):
    """What jopt says of each of these files."""
    command = [jopt, "-check-probes", "-probe-cache=off"]
    command += ["-probes=" + n + ".xml" for n in names]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    # Warnings alone are no failure.
    wrong = int(": error: " in done.stderr)
    assert done.returncode == wrong, f"status {done.returncode} for {names}"
    said = {n: [] for n in names}
    for line in done.stderr.splitlines():
        file, _, rest = line.partition(".xml:")
        assert file in said, f"about no file of the case: {line}"
        said[file].append(rest.strip())
    return said


said = {}
phases = []
for name, phase, _, _ in cases:
    if phase == "xml":
        said.update(run([name]))
    elif phase not in phases:
        phases.append(phase)
for phase in phases:
    said.update(run([c[0] for c in cases if c[1] == phase]))

if update:
    with open(table, "w", encoding="utf-8") as out:
        for name, phase, text, _ in cases:
            lines = "\n".join(said[name])
            out.write(f"\n=== {name} {phase}\n{text}\n---\n{lines}\n")
    sys.exit(0)

failed = 0
for name, _, _, expected in cases:
    if said[name] != expected:
        failed += 1
        print(f"{name}: expected\n  " + "\n  ".join(expected))
        print("but jopt says\n  " + "\n  ".join(said[name]))
print(f"{len(cases)} wrong files, {failed} with other messages than expected")
sys.exit(failed != 0)
