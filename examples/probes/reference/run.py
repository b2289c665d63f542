"""Runs the probes of this folder on the program that lies here, all in one run, and
compares what each prints with what docs/ProbekitReference.md says.

    run.py JOPT PAGE FOLDER [-OPTION...] [EXAMPLE...]

The options are jopt's; the examples named are left out.
"""
import os
import subprocess
import sys

jopt, page, folder, *rest = sys.argv[1:]
options = [r for r in rest if r.startswith("-")]
left_out = [r for r in rest if r not in options]
here = os.path.dirname(os.path.abspath(__file__))


def by_example(lines):
    """The lines that begin with `[example]`, in their order, by example."""
    found = {}
    for line in lines:
        if line.startswith("[") and "] " in line:
            name, text = line[1:].rstrip("\n").split("] ", 1)
            found.setdefault(name, []).append(text)
    return found


with open(page, encoding="utf-8") as lines:
    expected = by_example(lines)
names = sorted(f[:-4] for f in os.listdir(here) if f.endswith(".xml"))
assert sorted(expected) == names, sorted(set(expected) ^ set(names))

shop, probed = os.path.join(folder, "shop"), os.path.join(folder, "probed")
source = os.path.join(here, "Shop.java")
subprocess.run(["javac", "-g", "-d", shop, source], check=True)
names = [n for n in names if n not in left_out]
probes = [f"-probes={here}/{n}.xml" for n in names]
subprocess.run([jopt, *options, *probes, shop, "-o", probed], check=True)
java = ["java", "-Xverify:all", "-cp", probed, "Shop"]
said = subprocess.run(java, check=True, capture_output=True, text=True).stdout
printed = by_example(said.splitlines())
wrong = [n for n in names if printed.get(n) != expected[n]]
for n in wrong:
    print(f"{n}: expected {expected[n]}, printed {printed.get(n)}")
print(f"{len(names)} examples, {len(wrong)} wrong")
sys.exit(bool(wrong))
