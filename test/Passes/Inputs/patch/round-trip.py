"""Reads back what jopt prints of patched bodies.

round-trip.py WORK CLASS OPTION...: weaves CLASS with the options, which print whole classes after passes. Each text
with a patched body must print that body again. The last must give the code of the woven class.
"""

import pathlib
import re
import subprocess
import sys

BODY = re.compile(r"^    code slots \d+ patched.*?^    \}\n", re.M | re.S)
# What jopt adds to a class that it wove, besides code.
MARKS = re.compile(r".*(jopt\.Probes|Instrumented|BCIEngProbe).*\n")


def run(*args):
    return subprocess.run(["jopt", "-q", "-verify=off", *map(str, args)], capture_output=True, text=True, check=True)


def code(path):
    return MARKS.sub("", run("-S", path, "-o", "-").stdout)


work, source, *options = sys.argv[1:]
work = pathlib.Path(work)
work.mkdir(exist_ok=True)
woven, text, again = work / "woven.class", work / "text.jir", work / "again.class"
printed = run("-j1", "-print-class-scope", *options, source, "-o", woven).stderr
texts = [t for t in re.split(r"^; \*\*\* IR after .* \*\*\*\n", printed, flags=re.M) if BODY.search(t)]
for t in texts:
    text.write_text(t)
    if BODY.findall(run("-S", text, "-o", "-").stdout) != BODY.findall(t):
        sys.exit(f"{text}: it prints otherwise")
run(text, "-o", again)
if code(again) != code(woven):
    sys.exit(f"{text}: it gives other code")
print(len(texts), "texts")
