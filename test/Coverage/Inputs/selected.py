"""usage: selected.py SOURCE CLASSES JAR TESTS FOLDER

Changes the source in ways that change what tests see: those that see something
else are among those that jopt-data tests would run."""
import os
import subprocess
import sys

source, classes, jar, total, folder = sys.argv[1:]
EDITS = [
    ("n -= product()", "n += product()"),
    ("n |= product()", "n ^= product()"),
    ("if (c == '-') return -atom();", "if (c == '-')\n            return atom();"),
    ("        int n = atom();\n        while", "        int n = atom();\n        n++;\n        while"),
    ("if (c >= 'x') return c;", "if (c >= 'y') return c;"),
    ("                    \"at \" + at);", "                    \"at  \" + at);"),
    ("if (n != null && n > 1)", "// Changed.\n            if (n != null && n > 0)"),
    ("return a < b ? 1 : -1;", "return a > b ? 1 : -1;"),
    ("        if (text.isEmpty()) throw new IllegalArgumentException();\n", ""),
    ("            Integer.valueOf(c);\n", "            if (c == 'a') throw new IllegalStateException(\"a\");\n"),
]


def run(java, to):
    subprocess.run(["javac", "-nowarn", "-g", "-cp", jar, "-d", to, java], check=True)
    out = subprocess.check_output(["java", "-cp", to + ":" + jar, "-XX:TieredStopAtLevel=1", "e.Each", "print", total], text=True)
    return dict(line.split(" ", 1) for line in out.splitlines())


text = open(source).read()
os.makedirs("old/e", exist_ok=True)
os.makedirs("new/e", exist_ok=True)
open("old/e/Each.java", "w").write(text)
before = run("old/e/Each.java", "oldc")
good = few = 0
for number, (old, new) in enumerate(EDITS):
    assert text.count(old) == 1, old
    open("new/e/Each.java", "w").write(text.replace(old, new))
    after = run("new/e/Each.java", "newc%d" % number)
    diff = subprocess.run(["diff", "-u", "old/e/Each.java", "new/e/Each.java"], stdout=subprocess.PIPE).stdout
    selected = subprocess.run(["jopt-data", "tests", folder, "-classes=" + classes, "-changed-since=-"], input=diff, stdout=subprocess.PIPE, check=True).stdout.decode().split()
    differ = {t for t in before if before[t] != after[t]}
    missing = differ - set(selected)
    good += not missing
    few += len(selected) < len(before)
    print("edit", number, len(differ), "differ", len(selected), "selected", "missing", sorted(missing))
print(good, "of", len(EDITS), "edits,", few, "without all tests")
