#!/usr/bin/env python3
# ===- benchmarks/overhead.py - what probes cost while they run -----------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs probed Java programs beside others and prints the ratios of their times.

micro     small loops (overhead/): entry and exit probes against the same calls
          written by hand in Java; allocation; switched-off probes; inlined ones
programs  ecj, jruby, h2 and lucene as whole processes, with probes on every
          method of their jars, switched on and off

How a row is measured: pairs.py. Exit status: 0 all bounds hold, 1 not all, 2
something did not run.
"""

import argparse
import glob
import json
import os
import shutil
import sys

import pairs
from pairs import Failed, call, wall

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SOURCES = os.path.join(HERE, "overhead")
WORKLOADS = ["fib", "shapes", "mix", "words", "throws"]
PROGRAMS = ["ecj", "jruby", "h2", "lucene"]
PARTS = ["micro", "programs"]
SWITCH = "jopt.benchmark.on"


class Overhead(pairs.Table):
    def __init__(self, args, work):
        super().__init__(args)
        self.work = work
        self.jopt = os.path.join(args.build, "bin", "jopt")
        self.home = pairs.jdk(ROOT, args.jdk)
        if not self.home:
            raise Failed("no JDK %s found" % args.jdk)
        self.java = self.home + "/bin/java"

    def switched(self, probes):
        """A copy of a probe file whose probes are off unless SWITCH is true."""
        with open(os.path.join(SOURCES, probes), encoding="utf-8") as file:
            text = file.read()
        name = os.path.join(self.work, "switched-" + probes)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text.replace(
                '<fragmentAtClassScope>',
                '<controlKey name="%s" value="false"/>\n'
                '    <fragmentAtClassScope>' % SWITCH))
        return name

    def probe(self, probes, source, target, *options):
        done = call([self.jopt, "-q", "-probes=" + probes,
                     "-javac=" + self.home + "/bin/javac", source, "-o",
                     target] + list(options))
        if done.returncode not in (0, 2) or not os.path.exists(target):
            raise Failed("%s: %s" % (source, done.stderr[-800:]))

    # --- Small loops ---------------------------------------------------------

    def micro(self):
        plain = os.path.join(self.work, "plain")
        hand = os.path.join(self.work, "hand")
        javac = self.home + "/bin/javac"
        source = lambda *names: [os.path.join(SOURCES, n + ".java")
                                 for n in names]
        probes = os.path.join(SOURCES, "overhead.xml")
        wall([javac, "-d", plain] + source("Work", "Plain", "Measure"))
        folders = {"plain": plain}
        for kind, file, options in (
                ("probed", probes, []),
                ("inlined", probes, ["-inline-fragments"]),
                ("off", self.switched("overhead.xml"), [])):
            folders[kind] = os.path.join(self.work, kind)
            self.probe(file, plain, folders[kind], "-probe-package=overhead",
                       *options)
        # By hand the same methods of the same class are called.
        shutil.copytree(folders["probed"], hand)
        wall([javac, "-cp", hand, "-d", hand] + source("Hand"))
        folders["hand"] = hand

        def measure(kind, workload, key="ns"):
            name = "overhead.Hand" if kind == "hand" else "overhead.Plain"
            done = call([self.java, "-cp", folders[kind], "-Xmx512m",
                         "-XX:+UseSerialGC", "overhead.Measure", name,
                         workload, str(self.args.seconds)])
            try:
                return json.loads(done.stdout.strip().split("\n")[-1])[key]
            except (ValueError, KeyError):
                raise Failed("%s %s\n%s" % (kind, workload,
                                            done.stderr[-800:]))

        def rows(ours, theirs, text, bound):
            for w in WORKLOADS:
                self.row("%s-%s-%s" % (ours, theirs, w), "%s: %s" % (w, text),
                         lambda: measure(ours, w), lambda: measure(theirs, w),
                         bound, "ns", "<=")

        rows("plain", "plain", "noise, no probe beside itself", None)
        rows("probed", "hand", "probes : calls by hand", 1.05)
        rows("off", "plain", "switched off : no probe", 1.01)
        rows("inlined", "probed", "inlined : called", 1.0)
        rows("probed", "plain", "probes : no probe", None)
        for w in WORKLOADS:
            self.value("bytes-" + w,
                       "%s: bytes allocated per call by the probes" % w,
                       lambda: measure("probed", w, "bytes") -
                       measure("plain", w, "bytes"), 0.5, "B", repeat=3)

    # --- Whole programs ------------------------------------------------------

    def jars(self, *patterns):
        found = []
        for p in patterns:
            found += sorted(glob.glob(os.path.join(self.args.corpus, "jars",
                                                   p)))
        if not found:
            raise Failed("the corpus has no %s" % " ".join(patterns))
        return found

    def program(self, name):
        """The jars that are probed, and the command behind the class path."""
        inputs = os.path.join(ROOT, "utils", "real-programs")
        corpus = self.args.corpus
        if name == "ecj":
            files = sorted(glob.glob(corpus + "/src/openjdk-17/java.xml/**/"
                                     "xpath/**/*.java", recursive=True))
            classes = os.path.join(self.work, "ecj-out")
            return (self.jars("ecj/eclipse-jdt-core-*.jar"), [],
                    ["org.eclipse.jdt.internal.compiler.batch.Main", "-17",
                     "-proc:none", "-nowarn", "-proceedOnError", "-d",
                     classes] + files)
        if name == "jruby":
            return (self.jars("jruby/jruby-base.jar", "jruby/jruby-core.jar",
                              "jruby/jruby-stdlib-*.jar"),
                    sorted(glob.glob(corpus + "/deps/*.jar")),
                    ["-Djruby.home=" + os.path.join(
                        corpus, "root", "jruby", "usr", "share", "jruby"),
                     "-Djruby.native.enabled=false", "org.jruby.Main",
                     inputs + "/jruby/script.rb"])
        if name == "h2":
            return (self.jars("h2/*.jar"), [],
                    ["org.h2.tools.RunScript", "-url", "jdbc:h2:mem:test",
                     "-script", inputs + "/h2/script.sql"])
        jars = self.jars("lucene8/lucene-core-*.jar",
                         "lucene8/lucene-analyzers-common-*.jar")
        classes = os.path.join(self.work, "lucene")
        wall([self.home + "/bin/javac", "-nowarn", "-cp", ":".join(jars),
              "-d", classes, os.path.join(SOURCES, "Index.java")])
        return jars, [classes], ["Index"]

    def programs(self):
        everything = os.path.join(SOURCES, "everything.xml")
        off = self.switched("everything.xml")
        for name in PROGRAMS:
            if self.args.only and name not in self.args.only:
                continue
            jars, others, command = self.program(name)
            kinds = {"plain": jars}
            for kind, probes in (("probed", everything), ("off", off)):
                folder = os.path.join(self.work, name + "-" + kind)
                os.makedirs(folder)
                kinds[kind] = []
                for jar in jars:
                    target = os.path.join(folder, os.path.basename(jar))
                    self.probe(probes, jar, target)
                    kinds[kind].append(target)

            def measure(kind):
                # What fails in ecj's input does so each time.
                return wall([self.java, "-Xmx1g", "-XX:+UseSerialGC", "-cp",
                             ":".join(kinds[kind] + others)] + command,
                            accept=(0, 255) if name == "ecj" else (0,),
                            cwd=self.work)

            self.row(name + "-noise", name + ": no probe beside itself",
                     lambda: measure("plain"), lambda: measure("plain"), None,
                     "s", "<=")
            self.row(name + "-off", name + ": switched off : no probe",
                     lambda: measure("off"), lambda: measure("plain"), 1.01,
                     "s", "<=")
            self.row(name + "-on", name + ": every method probed : no probe",
                     lambda: measure("probed"), lambda: measure("plain"),
                     None, "s", "<=")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    pairs.add_arguments(parser, ROOT)
    parser.add_argument("--jdk", default="17", help="feature number (17)")
    parser.add_argument("--seconds", type=float, default=1.0,
                        help="measured time of a small loop (1)")
    return pairs.run(Overhead, parser, PARTS)


if __name__ == "__main__":
    sys.exit(main())
