"""usage: character_ranges.py BEFORE AFTER

Both are what `javap -c -v` says of a class compiled with -Xjcov, before and
after code was inserted. Prints each row of each CharacterRangeTable. Fails if a
row's instructions are not all in the row of the new table, if that ends with
another one, or if no row moved."""
import re
import sys


def methods(path):
    """Name -> (offset -> instruction, [(first, last, characters)])"""
    found, name = {}, None
    for line in open(path):
        if m := re.match(r"  \S.*?(\w+)\(.*\);$", line):
            name = m.group(1)
            found[name] = {}, []
        elif m := re.match(r" +(\d+): ([a-z]\w+)", line):
            found[name][0][int(m.group(1))] = m.group(2)
        elif m := re.match(r" +(\d+), +(\d+), +(\w+), +(\w+), +\w+ +//", line):
            found[name][1].append((int(m.group(1)), int(m.group(2)),
                                   m.group(3) + "-" + m.group(4)))
    return found


def inside(code, row):
    """Its instructions; None if it does not end where one ends."""
    first, last, _ = row
    behind = min((o for o in code if o > last), default=last + 1)
    if first not in code or behind != last + 1:
        return None
    return [code[o] for o in sorted(code) if first <= o <= last]


before, after = map(methods, sys.argv[1:3])
moved = 0
for name, (code, rows) in before.items():
    new_code, new_rows = after[name]
    if [r[2] for r in rows] != [r[2] for r in new_rows]:
        sys.exit(f"{name}: other rows")
    for row, new in zip(rows, new_rows):
        old, now = inside(code, row), inside(new_code, new)
        print(name, row[2], row[:2], old, new[:2], now)
        rest = iter(now or [])
        if not now or now[-1] != old[-1] or not all(i in rest for i in old):
            sys.exit("other code")
        moved += row != new
sys.exit(0 if moved else "none moved")
