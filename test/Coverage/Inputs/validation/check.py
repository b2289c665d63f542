"""check.py SOURCE REPORT.xml COMPILER: the marks of a source file are what the report says of its lines."""
import re
import sys
import xml.etree.ElementTree

source, report, compiler = sys.argv[1:]
text = open(report).read()
root = xml.etree.ElementTree.fromstring(re.sub(r"<!DOCTYPE[^>]*?(\[.*?\])?>", "", text, count=1))
lines = {}
for file in root.iter("sourcefile"):
    if source.endswith(file.get("name")):
        for line in file.iter("line"):
            mi, ci, mb, cb = (int(line.get(k)) for k in ("mi", "ci", "mb", "cb"))
            state = "none" if not ci else "part" if mi or mb else "full"
            lines[int(line.get("nr"))] = state + (" %d/%d" % (mb, cb) if mb + cb else "")
wrong = False
for number, line in enumerate(open(source), 1):
    mark = re.search(r"// ((?:full|part|none|empty)\b[^\n]*)$", line)
    wanted = None
    if mark:
        first, *others = mark.group(1).split("; ")
        wanted = first if first != "empty" else None
        for other in others:
            name, own = other.split(": ")
            if compiler.startswith(name):
                wanted = None if own == "empty" else own
    if lines.get(number) != wanted:
        wrong = True
        print("%s, line %d: wanted %s, reported %s: %s" % (compiler, number, wanted, lines.get(number), line.strip()))
print("lines:", len(lines))
sys.exit(wrong or not lines)
