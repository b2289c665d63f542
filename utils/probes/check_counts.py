#!/usr/bin/env python3
# ===- utils/probes/check_counts.py - are entries and exits balanced? ------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks what count-everything.xml, count-calls.xml or everything.xml wrote
to the file of the property jopt.counts: per thread, entries = exits + open
activations + constructors that failed in super(...), nothing lost, no exit
without an entry, no odd value. A thread that loses its ThreadLocals on the way,
as those of JBoss do between two tasks, has a line for each part; what the first
ones lost is what later ones have no entry of. Prints one line.
Exit status: 0 balanced, 1 not."""

import argparse
import re
import sys

PAIRS = re.compile(r"(?P<kind>thread|calls) (?P<name>\S*) "
                   r"entries=(?P<entries>\d+) exits=(?P<exits>\d+) "
                   r"open=(?P<open>\d+) super=(?P<super>\d+) "
                   r"lost=(?P<lost>\d+) stray=(?P<stray>\d+) "
                   r"(?P<state>ended|waiting|running)$")
EVENTS = re.compile(r"(?P<kind>events) (?P<name>\S+) units=(?P<units>\d+) "
                    r"catches=(?P<catches>\d+) statics=(?P<statics>\d+) "
                    r"odd=(?P<odd>\d+)$")
SHOWN = {"thread": ("entries", "exits", "open", "super"),
         "calls": ("entries", "exits", "open", "super"),
         "events": ("units", "catches", "statics")}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    args = parser.parse_args()
    running = 0
    totals = {kind: dict.fromkeys(keys, 0) for kind, keys in SHOWN.items()}
    wrong = []
    parts = {}  # lines, lost - stray, and what is not balanced, by name
    try:
        with open(args.file, encoding="utf-8") as lines:
            text = lines.read().split("\n")[:-1]
    except OSError as error:
        print("no counts: %s" % error)
        return 1
    for line in text:
        match = PAIRS.match(line) or EVENTS.match(line)
        if not match:
            wrong.append("unreadable: " + line)
            continue
        kind = match["kind"]
        for key in SHOWN[kind]:
            totals[kind][key] += int(match[key])
        if kind == "events":
            if int(match["odd"]):
                wrong.append(line)
            continue
        if match["state"] == "running":
            running += 1
            continue
        n = {key: int(match[key]) for key in
             ("entries", "exits", "open", "super", "lost", "stray")}
        part = parts.setdefault((kind, match["name"]), [[], 0])
        part[1] += n["lost"] - n["stray"]
        if (n["entries"] != n["exits"] - n["stray"] + n["open"] + n["super"] + n["lost"]
                or (n["lost"] and n["stray"])):
            wrong.append(line)
        elif n["lost"] or n["stray"]:
            part[0].append(line)
    for lines, left in parts.values():
        if left or len(lines) == 1:
            wrong += lines
    if totals["thread"]["entries"] == 0:
        wrong.append("no entries at all")
    print("lines=%d (%d still running)" % (len(text), running), end="")
    for kind, values in totals.items():
        if any(values.values()):
            print(" %s:" % kind,
                  " ".join("%s=%d" % item for item in values.items()), end="")
    print()
    for line in wrong:
        print("UNBALANCED " + line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
