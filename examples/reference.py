"""Runs the probes of a folder on the program Shop.java that lies there, all in one
run, and compares what each prints with what a page of docs/ says. The probes are
EXAMPLE.xml, or EXAMPLEProbe.java; what they print begins with `[EXAMPLE]`. Where the
page has `... 3 more` after an example's lines, three more follow.

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
    found, name = {}, None
    for line in lines:
        said = re.match(r"\[(\w+)\] (.*)", line)
        more = re.fullmatch(r"\.\.\. (\d+) more", line.strip())
        if said:
            name = said[1]
            found.setdefault(name, []).append(said[2])
        elif more and name:
            found[name] += [None] * int(more[1])
    return found


def agree(printed, expected):
    return printed is not None and len(printed) == len(expected) and all(
        e in (None, p) for p, e in zip(printed, expected))


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
wrong = [n for n in names if not agree(printed.get(n), expected[n])]
for n in wrong:
    print(f"{n}: expected {expected[n]}, printed {printed.get(n)}")
print(f"{len(names)} examples, {len(wrong)} wrong")
sys.exit(bool(wrong))
