"""Prints the LINE counters of the groups of a report, and of all of it."""
import sys
import xml.etree.ElementTree

root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
for e in root.findall("group") + [root]:
    for c in e.findall("counter"):
        if c.get("type") == "LINE":
            covered = int(c.get("covered"))
            print(e.get("name") if e is not root else "report", "LINE:", covered, "of",
                  covered + int(c.get("missed")))
