#!/usr/bin/env python3
# ===- gen_quality.py - the page of measured figures ------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: gen_quality.py [--check | --old]

Writes docs/Quality.md from benchmarks/results/*.json: what falls short first.
With --check, fails if the page is another one. With --old, prints the figures
whose code has changed since their commit.

A file of results has a title and rows: what was measured, the goal, the value, its
interval, the number of runs, commit, machine, Java version, the peer, whether the
goal is met (null: it cannot be told), the command, and the code that it is about.
"""
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "Quality.md")
WIDTH = 120
ORDER = ["weaving", "agent", "probes", "traces", "coverage", "optimiser", "tf", "corpus"]
HEAD = """# Measured figures

How fast, small and right jopt is. `utils/gen_quality.py` makes this page from
`benchmarks/results`, which has the interval, commit, machine and command of each figure:

```
python3 benchmarks/budgets.py          # the figures that count instructions
```

A figure is a median, with its interval in parentheses below the goal. Ratios are to the peer or to the program without
jopt.
"""


def areas():
    found = {os.path.basename(f)[:-5]: f for f in glob.glob(os.path.join(ROOT, "benchmarks", "results", "*.json"))}
    for name in ORDER + sorted(set(found) - set(ORDER)):
        with open(found[name], encoding="utf-8") as f:
            yield json.load(f)


def item(row):
    """A row as an item of a list, in lines of WIDTH."""
    text = "- %s: **%s**" % (row["what"], row["value"])
    if "interval" in row and not row["holds"]:
        text += " (%s)" % row["interval"]
    text += "; goal " + row["goal"]
    words, lines = text.split(" "), [""]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > WIDTH:
            lines.append(" ")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines) + "\n"


def page():
    text = HEAD
    all_areas = list(areas())
    for title, wanted in (("Below the goal", False), ("Not decided", None)):
        rows = [r for a in all_areas for r in a["rows"] if r["holds"] is wanted]
        text += "\n## %s\n\n" % title + "".join(map(item, rows))
    for a in all_areas:
        rows = [r for r in a["rows"] if r["holds"]]
        if rows:
            text += "\n## %s\n\n" % a["title"] + "".join(map(item, rows))
    return text


def old():
    for a in areas():
        for r in a["rows"]:
            if "commit" not in r or not r["code"]:
                print("no commit: %s" % r["what"])
                continue
            ran = subprocess.run(["git", "rev-list", "--count", r["commit"] + "..HEAD", "--", *r["code"]], cwd=ROOT, capture_output=True, text=True)
            changes = ran.stdout.strip() if ran.returncode == 0 else "unknown"
            if changes != "0":
                print("%s changes since %s: %s" % (changes, r["commit"], r["what"]))


def main():
    if sys.argv[1:] == ["--old"]:
        return old()
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    text = page()
    if not sys.argv[1:]:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(text)
        return None
    with open(PAGE, encoding="utf-8") as f:
        if f.read() != text:
            return "docs/Quality.md is not what utils/gen_quality.py makes of benchmarks/results"
    return None


if __name__ == "__main__":
    sys.exit(main())
