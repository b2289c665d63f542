# ===- benchmarks/lab/page.py - a page of everything ---------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""One HTML page with the table and the plots, which opens from the disk."""

import html

import table

STYLE = """
body { font: 14px/1.45 sans-serif; margin: 2em; color: #222 }
table { border-collapse: collapse; font-size: 13px }
th, td { border: 1px solid #ccc; padding: 3px 7px; text-align: right }
th { background: #f2f2f2; position: sticky; top: 0 }
td:nth-child(-n+2), th:nth-child(-n+2), td.text { text-align: left }
tr.first td { border-top: 2px solid #666 }
tr.mean td { background: #f6f9fc }
td.noise { color: #888 }
pre { background: #f6f6f6; padding: 1em; overflow: auto }
"""


def write(path, rows, plots, heading, run):
    cells = [[text(r) for _, text in table.COLUMNS] for r in rows]
    used = [n for n in range(len(table.COLUMNS))
            if n < 3 or any(c[n] for c in cells)]
    out = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8">',
           "<title>jopt-lab</title><style>%s</style></head><body>" % STYLE,
           "<h1>Strategies of coverage, measured</h1>"]
    out += ["<p>%s</p>" % html.escape(p) for p in heading.split("\n") if p]
    out.append("<table><tr>" + "".join(
        "<th>%s</th>" % html.escape(table.COLUMNS[n][0]) for n in used) + "</tr>")
    before = None
    for r, own in zip(rows, cells):
        kind = "mean" if r["program"] == table.MEAN else ""
        if r["program"] != before:
            kind += " first"
        before = r["program"]
        out.append('<tr class="%s">' % kind.strip() + "".join(
            '<td%s>%s</td>' % (css(own[n]), html.escape(own[n]))
            for n in used) + "</tr>")
    out.append("</table>")
    for name, svg in plots.items():
        out.append('<figure id="%s">%s</figure>' % (name[:-4], svg))
    out.append("<h2>The run</h2><pre>%s</pre>" % html.escape(run))
    out.append("</body></html>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


def css(text):
    return ' class="noise"' if text.startswith("(") else ""
