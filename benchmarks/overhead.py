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
          (those also where only HotSpot's first compiler, C1, compiles)
callbacks small loops: probe classes that are given exact types (parameters, the
          result, what onEnter returned) against the same calls by hand
programs  ecj, jruby, h2 and lucene as whole processes, with entry and exit
          probes on every method of their jars: by jopt and by ASM's
          AdviceAdapter with the same static calls, inlined, switched off

Times are those of processors, not of the clock, so that what else runs on the
machine takes little part; of a loop they are its thread's, of a program those
of all threads, the JIT's too. How a row is measured: pairs.py. Exit status: 0
all bounds hold, 1 not all, 2 something did not run.
"""

import argparse
import glob
import json
import os
import re
import shutil
import sys

import pairs
from pairs import Failed, call, processor_time, wall

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SOURCES = os.path.join(HERE, "overhead")
WORKLOADS = ["fib", "paths", "shapes", "mix", "words", "throws"]
PROGRAMS = ["h2", "lucene", "ecj", "jruby"]
PARTS = ["micro", "callbacks", "programs"]
CALLED = ["add", "fib-kept", "pick"]
SWITCH = "jopt.benchmark.on"


def comparisons(peer):
    """The pairs to compare: key, text, ours, theirs, bound.
    The peer, key and text, makes the same calls by other means."""
    return [("noise", "noise, no probe beside itself", "again", "plain", None),
            (*peer, "probed", peer[0], 1.05),
            ("off", "switched off : no probe", "off", "plain", 1.01),
            ("inlined", "inlined : called", "inlined", "probed", "noise"),
            ("on", "probes : no probe", "probed", "plain", None)]


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

    def wanted(self, rows):
        return not self.args.only or any(re.search(self.args.only, r[0])
                                         for r in rows)

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
                ("inlined", probes, ["-inline"]),
                ("off", self.switched("overhead.xml"), [])):
            folders[kind] = os.path.join(self.work, kind)
            self.probe(file, plain, folders[kind], "-probe-package=overhead",
                       *options)
        # By hand the same methods of the same class are called.
        shutil.copytree(folders["probed"], hand)
        wall([javac, "-cp", hand, "-d", hand] + source("Hand"))
        folders["hand"] = hand

        def measure(kind, workload, key="ns", options=()):
            name = "overhead.Hand" if kind == "hand" else "overhead.Plain"
            return self.measure(folders[kind], name, workload, key, options)

        def compare(workload, options, suffix, where):
            measures = {kind: lambda kind=kind: measure(kind, workload, "ns",
                                                        options)
                        for kind in folders}
            measures["again"] = measures["plain"]
            rows = [("%s-%s%s" % (key, workload, suffix),
                     "%s%s: %s" % (workload, where, text), *rest)
                    for key, text, *rest in comparisons(
                        ("hand", "probes : calls by hand"))]
            self.rounds(measures, rows, "ns")

        for w in WORKLOADS:
            compare(w, (), "", "")
        for w in WORKLOADS:
            compare(w, ("-XX:TieredStopAtLevel=1",), "-c1", " (C1)")
        for w in WORKLOADS:
            self.value("bytes-" + w,
                       "%s: bytes allocated per call by the probes" % w,
                       lambda: measure("probed", w, "bytes") -
                       measure("plain", w, "bytes"), 0.5, "B", repeat=3)

    def measure(self, path, name, workload, key="ns", options=()):
        """The figures that Measure prints for the class."""
        done = call([self.java, "-cp", path, "-Xmx512m", "-XX:+UseSerialGC",
                     *options, "overhead.Measure", name, workload,
                     str(self.args.seconds)])
        try:
            return json.loads(done.stdout.strip().split("\n")[-1])[key]
        except (ValueError, KeyError):
            raise Failed("%s %s\n%s" % (name, workload, done.stderr[-800:]))

    # --- Probe classes -------------------------------------------------------

    def callbacks(self):
        plain = os.path.join(self.work, "called")
        woven = os.path.join(self.work, "called-woven")
        probes = os.path.join(self.work, "callbacks")
        api = os.path.join(self.args.build, "lib", "jopt-probes.jar")
        javac = self.home + "/bin/javac"
        source = lambda *names: [os.path.join(SOURCES, n + ".java")
                                 for n in names]
        wall([javac, "-cp", api, "-d", probes] + source("Callbacks"))
        wall([javac, "-cp", probes, "-d", plain] +
             source("Work", "Called", "CalledByHand", "Measure"))
        self.probe(probes, plain, woven)
        path = ":".join([woven, probes])
        for w in CALLED:
            for options, suffix, where in (
                    ((), "", ""),
                    (("-XX:TieredStopAtLevel=1",), "-c1", " (C1)")):
                def of(name, folders=path):
                    return lambda: self.measure(folders, "overhead." + name, w,
                                                "ns", options)
                self.rounds(
                    {"woven": of("Called"), "hand": of("CalledByHand"),
                     "again": of("CalledByHand"), "plain": of("Called", plain)},
                    [("%s-%s%s" % (key, w, suffix),
                      "%s%s: %s" % (w, where, text), *rest)
                     for key, text, *rest in (
                         ("noise", "noise, calls by hand beside themselves",
                          "again", "hand", None),
                         ("callbacks", "callbacks : calls by hand", "woven",
                          "hand", 1.05),
                         ("called", "callbacks : none", "woven", "plain",
                          None))], "ns")
            self.value("bytes-" + w,
                       "%s: bytes allocated per call by the callbacks" % w,
                       lambda: self.measure(path, "overhead.Called", w,
                                            "bytes"), 0.5, "B", repeat=3)

    # --- Whole programs ------------------------------------------------------

    def program(self, name):
        """The jars that are probed, and the command behind the class path."""
        inputs = os.path.join(ROOT, "utils", "real-programs")
        corpus = self.args.corpus
        if name == "ecj":
            files = sorted(glob.glob(corpus + "/src/openjdk-17/java.xml/**/"
                                     "xpath/**/*.java", recursive=True))
            classes = os.path.join(self.work, "ecj-out")
            return (pairs.jars(corpus, "ecj/eclipse-jdt-core-*.jar"), [],
                    ["org.eclipse.jdt.internal.compiler.batch.Main", "-17",
                     "-proc:none", "-nowarn", "-proceedOnError", "-d",
                     classes] + files)
        if name == "jruby":
            return (pairs.jars(corpus, "jruby/jruby-base.jar",
                               "jruby/jruby-core.jar",
                               "jruby/jruby-stdlib-*.jar"),
                    sorted(glob.glob(corpus + "/deps/*.jar")),
                    ["-Djruby.home=" + os.path.join(
                        corpus, "root", "jruby", "usr", "share", "jruby"),
                     "-Djruby.native.enabled=false", "org.jruby.Main",
                     inputs + "/jruby/script.rb"])
        if name == "h2":
            return (pairs.jars(corpus, "h2/*.jar"), [],
                    ["org.h2.tools.RunScript", "-url", "jdbc:h2:mem:test",
                     "-script", inputs + "/h2/script.sql"])
        jars = pairs.jars(corpus, "lucene8/lucene-core-*.jar",
                          "lucene8/lucene-analyzers-common-*.jar")
        classes = os.path.join(self.work, "lucene")
        wall([self.home + "/bin/javac", "-nowarn", "-cp", ":".join(jars),
              "-d", classes, os.path.join(SOURCES, "Index.java")])
        return jars, [classes], ["Index"]

    def asm(self, source, target, path):
        """Puts the calls of everything.xml into an archive by ASM, whose frames
        need the classes on the path."""
        jars = pairs.asm_path(self.args.corpus)
        classes = os.path.join(self.work, "peer")
        if not os.path.exists(classes):
            peers = os.path.join(HERE, "peers")
            wall([self.home + "/bin/javac", "-cp", jars, "-d",
                  classes] + [os.path.join(peers, n + ".java")
                              for n in ("Classes", "Measure", "AsmPeer")])
        wall([self.java, "-cp", ":".join([classes, jars] + path), "AsmPeer",
              "advice", "-calls=_entry,_exit",
              "-probe=overhead/everything_probe$Probe_0", "-o", target,
              source])

    def programs(self):
        everything = os.path.join(SOURCES, "everything.xml")
        off = self.switched("everything.xml")
        bundle = os.path.join(self.work, "bundle.jar")
        package = "-probe-package=overhead"
        wall([self.jopt, "-q", "-probes=" + everything, package,
              "-release=8", "-javac=" + self.home + "/bin/javac",
              "-emit-bundle=" + bundle])
        for name in PROGRAMS:
            rows = [("%s-%s" % (name, key), "%s: %s" % (name, text), *rest)
                    for key, text, *rest in comparisons(
                        ("asm", "probes by jopt : by ASM"))]
            if not self.wanted(rows):
                continue
            jars, others, command = self.program(name)
            kinds = {"plain": jars, "again": jars}
            for kind, rewrite in (
                    ("probed", lambda *f: self.probe(everything, *f, package)),
                    ("off", lambda *f: self.probe(off, *f, package)),
                    ("inlined", lambda *f: self.probe(
                        everything, *f, package, "-inline")),
                    ("asm", lambda *f: self.asm(*f, jars + others))):
                folder = os.path.join(self.work, name + "-" + kind)
                os.makedirs(folder)
                kinds[kind] = []
                for jar in jars:
                    target = os.path.join(folder, os.path.basename(jar))
                    rewrite(jar, target)
                    kinds[kind].append(target)
            kinds["asm"].append(bundle)

            def measure(kind):
                # What fails in ecj's input does so each time.
                return processor_time(
                    [self.java, "-Xmx1g", "-XX:+UseSerialGC", "-cp",
                     ":".join(kinds[kind] + others)] + command,
                    accept=(0, 255) if name == "ecj" else (0,), cwd=self.work)

            self.rounds({kind: lambda kind=kind: measure(kind)
                         for kind in kinds}, rows, "s")


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
