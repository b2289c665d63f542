#!/usr/bin/env python3
# ===- utils/probes/compare_counts.py - the same events in each method? ----===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Compares what count-methods.xml wrote in a run under the agent (or any other
run) with what it wrote in runs of classes that were rewritten before.

Only methods of classes in the given archives count, and only those whose
numbers are the same in all of the other runs: what differs between two equal
runs (threads that wait for a time, orders of hashes) says nothing. Prints one
line, and one for each method that differs. Exit status: 0 the same, 1 not."""

import argparse
import re
import sys
import zipfile

VERSIONED = re.compile(r"META-INF/versions/\d+/")


def read(name):
    """By class, method and signature, the numbers of a file."""
    counts = {}
    with open(name, encoding="utf-8") as lines:
        for line in lines.read().split("\n")[:-1]:
            *key, entries, exits, catches, units = line.split("\t")
            numbers = [int(entries), int(exits), int(catches), int(units)]
            before = counts.get(tuple(key), [0] * 4)
            counts[tuple(key)] = [a + b for a, b in zip(before, numbers)]
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", help="of the run to be compared")
    parser.add_argument("others", nargs="+", help="of the other runs")
    parser.add_argument("--jar", action="append", required=True,
                        help="whose classes count; may be repeated")
    args = parser.parse_args()
    classes = set()
    for jar in args.jar:
        with zipfile.ZipFile(jar) as archive:
            classes.update(VERSIONED.sub("", n)[:-6]
                           for n in archive.namelist()
                           if n.endswith(".class"))
    try:
        mine = read(args.counts)
        others = [read(name) for name in args.others]
    except (OSError, ValueError) as error:
        print("no counts: %s" % error)
        return 1
    same, totals, moving, wrong = 0, [0] * 4, 0, []
    for key in sorted(set(mine).union(*others)):
        if key[0] not in classes:
            continue
        expected = [other.get(key) for other in others]
        if any(e != expected[0] for e in expected):
            moving += 1
        elif mine.get(key) == expected[0]:
            same += 1
            totals = [a + b for a, b in zip(totals, mine[key])]
        else:
            wrong.append("%s: %s, not %s" % (" ".join(key), mine.get(key),
                                             expected[0]))
    print("%d methods the same (entries=%d exits=%d catches=%d units=%d), %d "
          "not, %d differ between equal runs" % (same, *totals, len(wrong),
                                                 moving))
    for line in wrong:
        print("COUNTED " + line)
    return 1 if wrong or not same else 0


if __name__ == "__main__":
    sys.exit(main())
