#!/usr/bin/env python3
# ===- benchmarks/record.py - what jopt record costs ------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: record.py BUILD [PAIRS]

Runs record/Work.java with `jopt record`, whose condition never holds, and with a
trace of the same letters into a ring of files, by turns; prints for each letters
the median ratio of their processor times, and the lowest and the highest one.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS, SETTLED = 9, 6  # of a run; so many of its last times count
ENTRY = "entry-method=part(Lshop/Desk;)V"


def jopt(build, *words, **more):
    return subprocess.run([os.path.join(build, "bin", "jopt"), *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)


def settled(text):
    """The time of a part once everything is compiled."""
    times = [int(line) for line in text.split() if line.isdigit()]
    return statistics.median(times[-SETTLED:])


def traced(build, work, letters):
    shutil.rmtree(os.path.join(work, "traced"), ignore_errors=True)
    jopt(build, "-trace=%s,%s" % (letters, ENTRY), "classes", "-o", "traced", cwd=work)
    data = os.path.join(work, "data")
    text = subprocess.run(["java", "-Djopt.data=" + data, "-Djopt.data.limit=256m,ring", "-cp",
                           "traced:" + os.path.join(build, "lib", "jopt-runtime.jar"), "app.Work", str(SECONDS)],
                          cwd=work, check=True, stdout=subprocess.PIPE, text=True).stdout
    shutil.rmtree(data)
    return settled(text)


def recorded(build, work, letters):
    p = subprocess.Popen(["java", "-cp", "classes", "app.Work", str(SECONDS)], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    p.stdout.readline()
    client = subprocess.Popen([os.path.join(build, "bin", "jopt"), "record", str(p.pid), "shop.Desk#handle", "--when", "durationMs > 1e9",
                               "--letters", letters, "-o", "kept", "--in-flight=include"],
                              cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = p.communicate()[0]
    client.wait()
    return settled(text)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, pairs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as work:
        sources = [os.path.join(HERE, "record", name) for name in ("Desk.java", "Work.java")]
        subprocess.run(["javac", "-g", "-d", "classes", *sources], cwd=work, check=True)
        for letters in "exi", "exlivzjfcts":
            got = [(recorded(build, work, letters), traced(build, work, letters)) for _ in range(pairs)]
            ratios = sorted(r / t for r, t in got)
            print("%s: record %.2f x the trace (%.2f to %.2f); %.0f and %.0f ms" % (
                letters, statistics.median(ratios), ratios[0], ratios[-1],
                statistics.median(r for r, _ in got) / 1000, statistics.median(t for _, t in got) / 1000), flush=True)


main()
