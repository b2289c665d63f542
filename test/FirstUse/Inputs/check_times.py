"""What examples/probes/timing.xml printed must be possible.

    check_times.py FILE SECONDS METHOD CALLS

METHOD, which calls itself, was called CALLS times, all in one call that took
SECONDS: its total is at most that, which it would exceed many times over if
recursion counted twice; and no method took longer without its callees than with.
"""
import re
import sys

file, seconds, method, calls = sys.argv[1:5]
rows = []
with open(file, encoding="utf-8") as text:
    for line in text:
        row = re.match(r" *(\d+) +([\d.]+) +([\d.]+)  (\S+)$", line)
        if row:
            rows.append((int(row[1]), float(row[2]), float(row[3]), row[4]))
limit = 1000 * float(seconds)
assert rows, "no table"
assert all(own <= total + 0.002 for _, total, own, _ in rows), "self above total"
found = [r for r in rows if r[3] == method]
assert found, f"{method} is not in the table"
assert found[0][0] == int(calls), f"{found[0][0]} calls"
assert found[0][1] <= limit, f"{found[0][1]} ms of {limit}"
print("times are possible")
