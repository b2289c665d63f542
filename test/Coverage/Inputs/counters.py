"""Prints the methods and lines of JaCoCo's XML, a line each, sorted."""
import sys
import xml.etree.ElementTree

COUNTERS = ("INSTRUCTION", "BRANCH", "LINE", "COMPLEXITY", "METHOD")

found = []
for package in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("package"):
    for c in package.findall("class"):
        for m in c.findall("method"):
            counted = {k.get("type"): k.get("missed") + "/" + k.get("covered")
                       for k in m.findall("counter")}
            found.append(f"{c.get('name')}.{m.get('name')}{m.get('desc')} line {m.get('line')} "
                         + " ".join(f"{k}={counted[k]}" for k in COUNTERS if k in counted))
    for s in package.findall("sourcefile"):
        for line in s.findall("line"):
            found.append(f"{s.get('name')}:{line.get('nr')} "
                         + " ".join(f"{k}={line.get(k)}" for k in ("mi", "ci", "mb", "cb")))
print("\n".join(sorted(found)))
