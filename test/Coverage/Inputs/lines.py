"""usage: lines.py TESTS.csv ALL.lcov NAME=ONE.lcov...

The lines of the matrix, of all tests or of one, beside those that a report covers."""
import csv
import sys


def covered(path):
    found, source = set(), ""
    for line in open(path):
        key, _, value = line.strip().partition(":")
        if key == "SF":
            source = value
        elif key == "DA" and not value.endswith(",0"):
            found.add((source, int(value.split(",")[0])))
    return found


reached = {}
for row in csv.DictReader(open(sys.argv[1])):
    for lines in row["lines"].split():
        first, _, last = lines.partition("-")
        own = {(row["source"], n) for n in range(int(first), int(last or first) + 1)}
        reached.setdefault(row["test"], set()).update(own)
reached["all"] = set().union(*reached.values())
for name, path in [("all", sys.argv[2])] + [a.split("=") for a in sys.argv[3:]]:
    wanted = covered(path)
    print(f"{name}: {len(wanted)} lines,", "the same" if wanted == reached[name] else f"differ: {wanted ^ reached[name]}")
