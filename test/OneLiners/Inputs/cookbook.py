# ===- cookbook.py - The commands of docs/Cookbook.md -----------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs each command of a page of docs/ on a process with the programs that lie in
a folder, and finds the page's lines in what it prints. Numbers are what they are,
but for those of lines of the programs.

    cookbook.py HOME PAGE PROGRAMS LIBRARIES
"""
import os
import re
import shlex

from client import *

page, programs, libraries = sys.argv[2:]


def plain(line):
    line = line.split("…")[0]
    line = re.sub(r"^\d\d:\d\d:\d\d\.\d+ ", "TIME ", line)
    if " java." in line or "at java" in line:
        line = re.sub(r"(?<=\.java:)\d+", "N", line)  # the JDK's
    line = re.sub(r"(?<![\w.:-])\d+(\.\d+)?(?![\w.])", "N", line)
    return " ".join(line.split())


def run(command, longer):
    command = re.sub(r"(?<=--for )(\d+)(?=s)", lambda m: str(int(m[1]) * longer), command)
    words = shlex.split(command)
    if words[0] == "java":
        words[0] = JAVA
        words[1] = words[1].replace("build/lib", libraries)
    else:
        words = [str(p.pid) if w == "PID" else w for w in words]
        words = [w.replace("=stuck.xml", "=%s/stuck.xml" % programs) for w in words]
        if words[1] != "attach":
            words.append("--format=text")
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600).stdout


with open(page, encoding="utf-8") as lines:
    text = re.sub(r" \\\n +", " ", lines.read())
blocks = re.findall(r"```\n\$ (j.*)\n((?:(?!```).*\n)+)```", text)
names = sorted(f[:-5] for f in os.listdir(programs) if f.endswith(".java") and f != "Main.java")
p = start(*names)
wrong = 0
for command, expected in blocks:
    # On a busy machine a second may be too short, and others than the slow ones slow.
    for longer in 1, 2, 4, 8:
        said = run(command, longer)
        found = [plain(line) for line in said.splitlines()]
        missing = [line for line in expected.splitlines() if not any(f.startswith(plain(line)) for f in found)]
        if not missing:
            break
    else:
        wrong += 1
        print("$", command, *missing, "--- printed:", said, sep="\n")
for name in names:
    if not any(re.search(r"\b%s\b" % name, c + "\n" + said) for c, said in blocks):
        wrong += 1
        print("no command is about", name)
print("%d commands, %d wrong" % (len(blocks), wrong))
stop(p)
