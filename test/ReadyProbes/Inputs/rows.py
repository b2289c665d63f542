#!/usr/bin/env python3
"""rows.py FOLDER: what lib:jdbc recorded there, as Bank.java says it."""
import json
import subprocess
import sys

subprocess.run(["jopt-data", "export", sys.argv[1], "-format=json", "-o", "rows.json"], check=True)
with open("rows.json") as file:
    tables = json.load(file)["tables"]


def rows(title):
    for table in tables:
        if table["title"] == title:
            for row in table["rows"]:
                yield dict(zip(table["columns"], row))


def text(value):
    return "" if value is None else str(value)


lines = ["rows|%d" % r["Rows"] for r in rows("Result Set")]
for r in rows("Statement"):
    cells = [text(r[column]) for column in ("Kind", "SQL", "Parameters", "Updated")]
    lines.append("|".join(cells + ["failed" if r["exception"] else ""]))
    if r["duration (ns)"] is None or r["parent (Connection)"] is None:
        lines.append("unfinished: %s" % r)
for title in ("Connection", "Result Set"):
    for r in rows(title):
        if r["duration (ns)"] is None:
            lines.append("open: %s %s" % (title, r))
print("\n".join(sorted(lines)))
