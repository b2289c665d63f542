"""folder.py DIR PROGRAM ROW...: what jopt-lab left there, and that it agrees."""

import csv
import json
import os
import re
import sys
import xml.etree.ElementTree

folder, program, rows = sys.argv[1], sys.argv[2], sys.argv[3:]
path = lambda name: os.path.join(folder, name)

with open(path("table.csv"), encoding="utf-8", newline="") as file:
    table = list(csv.DictReader(file))
assert [(r["program"], r["strategy"]) for r in table] == [
    (program, r) for r in rows], table

with open(path("pairs.jsonl"), encoding="utf-8") as file:
    pairs = [json.loads(line) for line in file]
for row in table:
    mine = [p for p in pairs if p["name"] == row["strategy"] and
            p["kind"] == "run"]
    assert len(mine) == int(row["pairs"]) == 1
    # One pair: the median is its ratio.
    ratio = mine[0]["row"]["steady"][1] / mine[0]["plain"]["steady"][1]
    assert abs(float(row["steady_x"]) - ratio) < 1e-4 * ratio, row
    last = mine[0]["row"]["turns"][-1]
    assert mine[0]["row"]["steady"] == last, mine  # the third of three turns
    assert row["steady_low"] == ""
    removed = row["strategy"] == "A/A" or row["strategy"].endswith("+remove")
    assert bool(row["removed_x"]) == removed, row
    if row["strategy"] != "A/A":
        assert float(row["code_x"]) > 1 and int(row["dump_bytes"]) > 0, row
        if ":" in row["strategy"]:
            assert 0.7 < float(row["overlap"]) <= 1, row
        else:
            assert row["wrong_missing"] == row["wrong_more"] == "0", row

run = json.load(open(path("run.json"), encoding="utf-8"))
assert run["machine"]["processors"] and run["machine"]["java"] and run["command"]

for name in ("sites.svg", "removal.svg", "overlap.svg"):
    root = xml.etree.ElementTree.parse(path(name)).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert circles, name
    for c in circles:
        assert 0 <= float(c.get("cx")) <= 760 and 0 <= float(c.get("cy")) <= 420

with open(path("index.html"), encoding="utf-8") as file:
    text = file.read()
assert text.count("<svg") == 3 and "pos+remove" in text
assert not re.search(r"(src|href)=|<script|url\(", text), "not self-contained"
