#!/usr/bin/env python3
# ===- benchmarks/ready.py - what ready probes cost a program --------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Transactions of a bank on h2 with lib:jdbc, beside the same without.

How a row is measured: pairs.py. The seconds are those of the processor that the
program's thread takes for the second half of the transactions, with the
database in memory and in a file. Waiting does not count, which is the worst
case, and the load of the machine counts less. Exit status: 0 all bounds
hold, 1 not all, 2 something did not run.
"""

import argparse
import os
import shutil
import sys

import pairs
from pairs import Failed, call, wall

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PARTS = ["memory", "file"]
H2 = "/usr/share/java/h2.jar"


class Bench(pairs.Table):
    def __init__(self, args, work):
        super().__init__(args)
        self.work = work
        lib = os.path.join(args.build, "lib")
        java = pairs.jdk(ROOT, args.java)
        if not java:
            raise Failed("no JDK %s found" % args.java)
        self.java = java + "/bin/java"
        self.agent = "-agentpath:%s/libjopt-agent.so=probes=lib:jdbc,log=%s/log" % (
            lib, work)
        self.woven = os.path.join(work, "h2.jar")
        self.api = ":".join(os.path.join(lib, j) for j in
                            ("jopt-probes.jar", "jopt-runtime.jar"))
        wall([java + "/bin/javac", "-d", work,
              os.path.join(HERE, "ready", "Bank.java")])
        wall([os.path.join(args.build, "bin", "jopt"), "-q",
              "-probes=lib:jdbc", H2, "-o", self.woven])

    def seconds(self, url, path, *options):
        for folder in ("data", "db"):
            shutil.rmtree(os.path.join(self.work, folder), ignore_errors=True)
        done = call([self.java, "-Xms512m", "-Xmx512m", "-XX:+UseSerialGC",
                     *options, "-Djopt.data=" + self.work + "/data",
                     "-cp", self.work + ":" + path, "Bank", url,
                     str(self.args.transactions)])
        try:
            return float(done.stdout.split()[0])
        except (IndexError, ValueError):
            raise Failed(done.stderr[-800:])

    def bank(self, name, url):
        plain = lambda: self.seconds(url, H2)
        self.row("noise-" + name, "h2 in %s, without probes, beside itself" % name,
                 plain, lambda: self.seconds(url, H2), None, "s", "<=")
        self.row("woven-" + name, "h2 in %s, woven : without" % name,
                 lambda: self.seconds(url, self.woven + ":" + self.api), plain,
                 1.1, "s", "<=")
        self.row("agent-" + name, "h2 in %s, agent : without" % name,
                 lambda: self.seconds(url, H2, self.agent), plain, 1.1, "s",
                 "<=")

    def memory(self):
        self.bank("memory", "jdbc:h2:mem:bank")

    def file(self):
        self.bank("file", "jdbc:h2:" + self.work + "/db/bank")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    pairs.add_arguments(parser, ROOT)
    parser.add_argument("--java", default="17", help="17 or 25")
    parser.add_argument("--transactions", type=int, default=60000)
    return pairs.run(Bench, parser, PARTS)


if __name__ == "__main__":
    sys.exit(main())
