# ===- narrow.py - pages in lines of 120 characters -------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Wraps the paragraphs of generated pages, and makes a list of each table that is
wider: an item for each row, with the cells between the first and the last in
parentheses."""
import re
import textwrap

WIDTH = 120


def wrap(text, first="", rest=""):
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest,
                         break_long_words=False, break_on_hyphens=False)


def cells(row):
    return [c.strip().replace("\\|", "|")
            for c in re.split(r"(?<!\\)\|", row.strip()[1:-1])]


def items(table):
    names = cells(table[0])
    for row in table[2:]:
        first, *middle, last = cells(row)
        facts = [f"{name}: {c}" if name else c
                 for name, c in zip(names[1:], middle) if c]
        text = first + (f" ({'; '.join(facts)})" if facts else "")
        yield from wrap(text + (": " + last if last else ""), "- ", "  ")


def narrow(text):
    """\\p text, of a page, in lines of WIDTH."""
    lines, out, fenced = text.split("\n"), [], False
    while lines:
        line = lines.pop(0)
        if line.startswith("```"):
            fenced = not fenced
        if not fenced and line.startswith("|"):
            table = [line]
            while lines and lines[0].startswith("|"):
                table.append(lines.pop(0))
            wide = any(len(row) > WIDTH for row in table)
            out += items(table) if wide else table
        elif not fenced and len(line) > WIDTH and line[0].isalnum():
            out += wrap(line)
        else:
            out.append(line)
    return "\n".join(out)
