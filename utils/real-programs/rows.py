"""usage: rows.py FOLDER

Prints which rows the tables in FOLDER have, as `jopt-data export -format=csv` wrote them:
how many there are of each, by the columns that do not differ from run to run."""
import collections
import csv
import os
import sys

COLUMNS = {"HTTP Request": ("Method", "URL", "Status", "Handler"),
           "Connection": ("Database",), "Statement": ("Kind", "SQL"),
           "Result Set": ("Rows",)}

for table, columns in COLUMNS.items():
    path = os.path.join(sys.argv[1], table + ".csv")
    if not os.path.exists(path):
        continue
    with open(path, encoding="utf-8", newline="") as lines:
        rows = collections.Counter(tuple(row[c] for c in columns)
                                   for row in csv.DictReader(lines))
    for row, count in sorted(rows.items()):
        print(count, table, *row, sep=" | ")
