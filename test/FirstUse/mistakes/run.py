"""Runs each wrong command of cases.txt as a user types it, and compares its exit
status and all that it says with what stands there.

A case is `=== name`, the command (a line of a shell), `--- STATUS`, and what is
said, where FOLDER stands for the folder that all run in, which prepare.sh made,
and {{ }} for a regular expression. `jopt` and `java` are those on PATH, $A is the
agent.

    run.py FOLDER AGENT CASES [--update]
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

folder, agent, table = sys.argv[1:4]
folder = os.path.realpath(folder)
update = "--update" in sys.argv[4:]

cases = []
for block in open(table, encoding="utf-8").read().split("\n=== ")[1:]:
    name, command, rest = block.split("\n", 2)
    head, _, expected = rest.partition("\n")
    cases.append((name, command, head, expected.strip("\n")))
assert len({c[0] for c in cases}) == len(cases), "a name is used twice"


def run(case):
    """The status and what is said, without what differs between runs."""
    environment = dict(os.environ, A=agent, F=folder)
    done = subprocess.run(
        ["bash", "-c", case[1]], cwd=folder, env=environment, timeout=600,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    said = done.stdout.decode("utf-8", "replace").replace(folder, "FOLDER")
    said = said.replace(agent, "AGENT")
    said = re.sub(r"(?m)^\d{4}-\d\d-\d\dT[\d:.]+Z \[[^]]*\] ", "TIME ", said)
    said = re.sub(r"jopt\.probes\.p[0-9a-f]{16}", "jopt.probes.pHASH", said)
    return "--- %d" % done.returncode, said.strip("\n")


def matches(expected, said):
    parts = re.split(r"\{\{(.*?)\}\}", expected)
    pattern = "".join(p if i % 2 else re.escape(p) for i, p in enumerate(parts))
    return re.fullmatch(pattern, said) is not None


with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(run, cases))

if update:
    with open(table, "r", encoding="utf-8") as old:
        comment = old.read().split("\n=== ")[0].rstrip("\n")
    with open(table, "w", encoding="utf-8") as out:
        out.write(comment + "\n")
        for (name, command, head, expected), (status, said) in zip(cases, results):
            if head == status and matches(expected, said):
                said = expected
            out.write("\n=== %s\n%s\n%s\n%s\n" % (name, command, status, said))
    sys.exit(0)

failed = 0
for (name, command, head, expected), (status, said) in zip(cases, results):
    if head != status or not matches(expected, said):
        failed += 1
        print("%s: %s\nexpected\n%s\n%s\nbut\n%s\n%s\n" %
              (name, command, head, expected, status, said))
print("%d mistakes, %d with other messages than expected" % (len(cases), failed))
sys.exit(failed != 0)
