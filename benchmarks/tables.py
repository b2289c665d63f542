#!/usr/bin/env python3
# ===- benchmarks/tables.py - what recorded rows cost ----------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""usage: benchmarks/tables.py [--build=DIR] [--rounds=N] [--rows=N] [--big=N]

What a row with three columns costs that is created, filled and closed: one
thread beside two, in turns, by the clock and by the processor time of the
threads (what else the machine does counts less); bytes that are allocated.
`both cores` is the rows of two threads in the time of one thread's, and beside it
what the machine does with the same rows in buffers and no record. Then --big
rows (10,000,000) through the program and the reader: their largest memory.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command, folder):
    """Output, and the largest memory in MB."""
    done = subprocess.run(["/usr/bin/time", "-f", "%M %e", "-o", folder + "/time",
                           *command], stdout=subprocess.PIPE, text=True, check=True)
    with open(folder + "/time") as f:
        memory, seconds = f.read().split()
    return done.stdout, int(memory) // 1024, float(seconds)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=os.path.join(HERE, "../build"))
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--rows", type=int, default=2000000)
    options.add_argument("--big", type=int, default=10000000)
    o = options.parse_args()
    jars = [os.path.join(o.build, "lib", j) for j in
            ("jopt-probes.jar", "jopt-runtime.jar")]
    data = os.path.join(o.build, "bin", "jopt-data")
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["javac", "-cp", jars[0], "-d", work,
                        HERE + "/tables/Rows.java"], check=True)
        java = ["java", "-Xmx64m", "-cp", ":".join([work, *jars]),
                "-Djopt.data=" + work + "/d", "Rows"]
        one, two, bare_one, bare_two = [], [], [], []
        for _ in range(o.rounds):
            for args, found in ((["1"], one), (["2"], two), (["1", "bare"], bare_one),
                                (["2", "bare"], bare_two)):
                out, _, _ = run(java + [args[0], str(o.rows), *args[1:]], work)
                found.append([float(x) for x in out.split()])
                shutil.rmtree(work + "/d", ignore_errors=True)

        def median(values):
            values = sorted(values)
            return "%.0f (%.0f to %.0f)" % (statistics.median(values),
                                            values[0], values[-1])
        print("a row, one thread: %s ns by the clock, %s of the processor" %
              (median(r[0] for r in one), median(r[1] for r in one)))
        print("a row, two threads: %s ns of the processor" %
              median(r[1] for r in two))
        for name, a, b in (("both cores", one, two),
                           ("both cores, bare rows", bare_one, bare_two)):
            ratios = sorted(x[0] / y[0] for x, y in zip(a, b))
            print("%s: %.2f (%.2f to %.2f); by processor time %.2f" % (
                name, statistics.median(ratios), ratios[0], ratios[-1],
                2 * statistics.median(r[1] for r in a) /
                statistics.median(r[1] for r in b)))
        print("bytes allocated a row: %.3f" % max(r[2] for r in one + two))
        if o.big:
            _, memory, seconds = run(java + ["2", str(o.big // 2)], work)
            print("%d rows: %d MB, %.1f s" % (o.big, memory, seconds))
            for verb in (["check", work + "/d"],
                         ["export", work + "/d", "-format=csv", "-o", work + "/o"]):
                _, memory, seconds = run([data, *verb], work)
                print("jopt-data %s: %d MB, %.1f s" % (verb[0], memory, seconds))
    return 0


sys.exit(main())
