"""Runs the probes of a folder on the program Shop.java that lies there, all in one
run, and compares what each prints with what a page of docs/ says. The probes are
EXAMPLE.xml, or EXAMPLEProbe.java; what they print begins with `[EXAMPLE]`.

    reference.py JOPT PAGE PROBES FOLDER [-OPTION...] [EXAMPLE...]

The options are jopt's; the examples named are left out. FOLDER is for what is made.
With -agent the agent puts the probes in, and dumps the classes to FOLDER/dump.
"""
import os
import re
import subprocess
import sys

jopt, page, probes, folder, *rest = sys.argv[1:]
options = [r for r in rest if r.startswith("-")]
left_out = [r for r in rest if r not in options]


def by_example(lines):
    """The lines that begin with `[example]`, in their order, by example."""
    found = {}
    for line in lines:
        said = re.match(r"\[(\w+)\] (.*)", line)
        if said:
            found.setdefault(said[1], []).append(said[2])
    return found


with open(page, encoding="utf-8") as lines:
    expected = by_example(lines)
files = {}
for file in os.listdir(probes):
    for ending in (".xml", "Probe.java"):
        if file.endswith(ending):
            files[file[:-len(ending)]] = os.path.join(probes, file)
assert set(expected) == set(files), sorted(set(expected) ^ set(files))

shop, probed = os.path.join(folder, "shop"), os.path.join(folder, "probed")
subprocess.run(["javac", "-g", "-d", shop, os.path.join(probes, "Shop.java")],
               check=True)
names = [n for n in sorted(files) if n not in left_out]
library = os.path.join(os.path.dirname(jopt), "..", "lib")
if options == ["-agent"]:
    given = ",".join(f"probes={files[n]}" for n in names)
    java = ["java", "-Xverify:all", "-cp", shop,
            f"-agentpath:{library}/libjopt-agent.so={given},dump={folder}/dump", "Shop"]
else:
    subprocess.run([jopt, *options, *(f"-probes={files[n]}" for n in names),
                    "-classpath=" + shop, shop, "-o", probed], check=True)
    java = ["java", "-Xverify:all", "-cp",
            f"{probed}:{library}/jopt-runtime.jar", "Shop"]
said = subprocess.run(java, check=True, capture_output=True, text=True).stdout
printed = by_example(said.splitlines())
wrong = [n for n in names if printed.get(n) != expected[n]]
for n in wrong:
    print(f"{n}: expected {expected[n]}, printed {printed.get(n)}")
print(f"{len(names)} examples, {len(wrong)} wrong")
sys.exit(bool(wrong))
