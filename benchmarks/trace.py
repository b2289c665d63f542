#!/usr/bin/env python3
# ===- benchmarks/trace.py - what traces cost while they run --------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs programs without a trace, with one of all events, and with one that they
are rebuilt from (-trace-reconstruct), and prints the ratios of their times.

loops     small loops (trace/Loops.java), letters exlivjcts: branches and a
          switch, an insertion sort, calls of small methods
programs  h2, groovy, ecj and jruby as whole processes, letters exi

Times are those of processors: of a loop its thread's, of a program those of all
threads, the JIT's too. Classes are traced before. A third row sets what
the rebuilt trace adds beside what the full one adds. How a row is measured:
pairs.py. What one event costs: trace/Events.java. Exit status: 0 all bounds hold,
1 not all, 2 something did not run.
"""

import argparse
import json
import os
import shutil
import sys

import pairs
from overhead import Overhead
from pairs import Failed, call, processor_time, wall

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
LOOPS = ["ways", "sort", "calls"]
PROGRAMS = ["h2", "groovy", "ecj", "jruby"]
KINDS = {"plain": None, "full": [], "rebuilt": ["-trace-reconstruct"]}


class Trace(Overhead):
    def __init__(self, args, work):
        super().__init__(args, work)
        self.runtime = os.path.join(args.build, "lib", "jopt-runtime.jar")
        self.data = os.path.join(work, "data")

    def trace(self, kind, letters, source, target):
        if KINDS[kind] is None:
            return source
        done = call([self.jopt, "-q", "-trace=" + letters, *KINDS[kind], source,
                     "-o", target])
        if done.returncode not in (0, 2) or not os.path.exists(target):
            raise Failed("%s: %s" % (source, done.stderr[-800:]))
        return target

    def compare(self, name, measure):
        """Adds the rows of a program, of which `measure` runs a kind."""
        keys = [name + "-full", name + "-rebuilt", name + "-added"]
        if not self.wanted([(key,) for key in keys]):
            return
        got = {kind: [] for kind in KINDS}
        try:
            for number in range(self.args.pairs):
                # Who goes first changes.
                order = list(KINDS)[number % 3:] + list(KINDS)[:number % 3]
                for kind in order:
                    shutil.rmtree(self.data, ignore_errors=True)
                    got[kind].append(measure(kind))
        except Failed as error:
            self.fail(name, name, error)
            return
        unit = "ns" if name in LOOPS else "s"
        plain, full, rebuilt = (got[kind] for kind in KINDS)
        added = [[t - p for t, p in zip(times, plain)]
                 for times in (rebuilt, full)]
        for key, text, ours, theirs, bound in (
                (keys[0], "full trace : none", full, plain, None),
                (keys[1], "rebuilt trace : none", rebuilt, plain, None),
                (keys[2], "what they add, rebuilt : full", *added, 0.1)):
            self.add_ratio(key, name + ": " + text, ours, theirs,
                           [a / b for a, b in zip(ours, theirs)], bound, unit,
                           "<=")

    def record(self):
        return ["-Djopt.data=" + self.data, "-Djopt.data.limit=2g,ring"]

    def loops(self):
        plain = os.path.join(self.work, "loops")
        wall([self.home + "/bin/javac", "-d", plain,
              os.path.join(HERE, "trace", "Loops.java")])
        folders = {kind: self.trace(kind, "exlivjcts", plain, plain + "-" + kind)
                   for kind in KINDS}

        def measure(kind, loop):
            done = call([self.java, "-XX:+UseSerialGC", *self.record(), "-cp",
                         folders[kind] + ":" + self.runtime, "Loops", loop,
                         str(self.args.seconds)])
            try:
                return json.loads(done.stdout)["ns"]
            except (ValueError, KeyError):
                raise Failed("%s %s\n%s" % (loop, kind, done.stderr[-800:]))

        for loop in LOOPS:
            self.compare(loop, lambda kind, loop=loop: measure(kind, loop))

    def program(self, name):
        if name != "groovy":
            return super().program(name)
        corpus = self.args.corpus
        names = ["antlr-2*", "asm-[0-9]*", "asm-[atu]*", "commons-cli"]
        return (pairs.jars(corpus, "groovy/groovy-[2-9]*[0-9].jar",
                           "groovy/groovy-xml-[2-9]*[0-9].jar"),
                pairs.jars(corpus, *("../deps/%s.jar" % n for n in names)),
                ["groovy.ui.GroovyMain", os.path.join(
                    ROOT, "utils", "real-programs", "groovy", "script.groovy")])

    def programs(self):
        for name in PROGRAMS:
            if not self.wanted([("%s-%s" % (name, k),)
                                for k in ("full", "rebuilt", "added")]):
                continue
            jars, others, command = self.program(name)
            kinds = {}
            for kind in KINDS:
                folder = os.path.join(self.work, name + "-" + kind)
                os.makedirs(folder)
                kinds[kind] = [
                    self.trace(kind, "exi", jar,
                               os.path.join(folder, os.path.basename(jar)))
                    for jar in jars]

            def measure(kind):
                # What fails in ecj's input does so each time.
                return processor_time(
                    [self.java, "-Xmx1g", "-XX:+UseSerialGC", *self.record(),
                     "-cp", ":".join(kinds[kind] + [self.runtime] + others),
                     *command],
                    accept=(0, 255) if name == "ecj" else (0,), cwd=self.work)

            self.compare(name, measure)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    pairs.add_arguments(parser, ROOT)
    parser.add_argument("--jdk", default="17", help="feature number (17)")
    parser.add_argument("--seconds", type=float, default=1.0,
                        help="measured time of a small loop (1)")
    return pairs.run(Trace, parser, ["loops", "programs"])


if __name__ == "__main__":
    sys.exit(main())
