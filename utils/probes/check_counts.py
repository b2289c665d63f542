#!/usr/bin/env python3
# ===- utils/probes/check_counts.py - are entries and exits balanced? ------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks what count-everything.xml wrote to the file of the property
jopt.counts: per thread, entries = exits + open activations + constructors that
failed in super(...), nothing lost, no exit without an entry. Prints one line.
Exit status: 0 balanced, 1 not."""

import argparse
import re
import sys

LINE = re.compile(r"thread (?P<name>\S+) entries=(?P<entries>\d+) "
                  r"exits=(?P<exits>\d+) open=(?P<open>\d+) "
                  r"super=(?P<super>\d+) lost=(?P<lost>\d+) "
                  r"stray=(?P<stray>\d+) (?P<state>ended|waiting|running)$")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    args = parser.parse_args()
    totals = dict.fromkeys(
        ["threads", "entries", "exits", "open", "super", "running"], 0)
    wrong = []
    try:
        with open(args.file, encoding="utf-8") as lines:
            text = lines.read().split("\n")[:-1]
    except OSError as error:
        print("no counts: %s" % error)
        return 1
    for line in text:
        match = LINE.match(line)
        if not match:
            wrong.append("unreadable: " + line)
            continue
        n = {k: int(v) for k, v in match.groupdict().items() if v.isdigit()
             and k not in ("name", "state")}
        totals["threads"] += 1
        for key in ("entries", "exits", "open", "super"):
            totals[key] += n[key]
        if match["state"] == "running":
            totals["running"] += 1
        elif (n["entries"] != n["exits"] + n["open"] + n["super"]
              or n["lost"] or n["stray"]):
            wrong.append(line)
    if totals["entries"] == 0:
        wrong.append("no entries at all")
    print("threads=%(threads)d (%(running)d still running) entries=%(entries)d "
          "exits=%(exits)d open=%(open)d super=%(super)d" % totals)
    for line in wrong:
        print("UNBALANCED " + line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
