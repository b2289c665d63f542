"""usage: console.py PAGE

Runs the commands of the page's blocks ```console (lines that begin with `$ `),
and fails where one prints something else than stands below it. A line `...` stands
for any lines, and a command goes on behind `> `."""
import difflib
import re
import subprocess
import sys


def matches(expected, lines):
    if "..." not in expected:
        return expected == lines
    at = expected.index("...")
    return lines[:at] == expected[:at] and any(
        matches(expected[at + 1:], lines[n:]) for n in range(at, len(lines) + 1))


def steps(page):
    for block in re.findall(r"^```console\n(.*?)^```", page, re.M | re.S):
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            lines = step.splitlines()
            command = lines.pop(0)
            while lines and lines[0].startswith("> "):
                command += "\n" + lines.pop(0)[2:]
            yield command, lines


count = 0
for command, expected in steps(open(sys.argv[1]).read()):
    count += 1
    done = subprocess.run(["bash", "-c", command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = done.stdout.splitlines()
    if not matches(expected, lines):
        print(f"$ {command}")
        sys.exit("\n".join(difflib.unified_diff(expected, lines, "page", "run",
                                                lineterm="")))
if not count:
    sys.exit("the page has no commands")
