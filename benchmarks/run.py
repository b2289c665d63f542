#!/usr/bin/env python3
# ===- benchmarks/run.py - jopt beside its peers ---------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs jopt and a peer side by side and prints their ratios.

How a row is measured: pairs.py. Single-thread work over classes in memory is
given in MB (10^6 bytes) of class files per second, processes in seconds.

The peers are what `utils/real-programs/fetch peers` gets: today's ASM, else Debian's
9.4 (which reads classes up to Java 20; others are left out), Byte Buddy and
Javassist; and the java.lang.classfile of the newest JDK from 24 on, where there is
one. Exit status: 0 all bounds hold, 1 not all, 2 something did not run.
"""

import argparse
import glob
import json
import math
import os
import re
import shutil
import sys
import tempfile
import zipfile

import pairs
from pairs import Failed, call, peak_rss, throughput, wall

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PARTS = ["in-memory", "cold", "memory", "growth"]
# The rows of --short, and how often each is measured.
SHORT = "^(noise|relower|probes|cold-1|cold-10000|threads)$"
SHORT_PAIRS = 16


class Bench(pairs.Table):
    def __init__(self, args, work):
        super().__init__(args)
        if args.short:
            args.only = args.only or SHORT
            args.part = args.part or ["in-memory", "cold"]
            args.pairs = max(args.pairs, SHORT_PAIRS)
        self.work = work
        self.java17 = pairs.jdk(ROOT, "17")
        self.newest = pairs.newest_jdk(ROOT)
        self.jopt = os.path.join(args.build, "bin", "jopt")
        self.bench = os.path.join(args.build, "bin", "jopt-bench")
        self.probes = os.path.join(HERE, "entry-exit.xml")
        self.compile_peers()

    # --- Setting up ----------------------------------------------------------

    def compile_peers(self):
        peers = os.path.join(HERE, "peers")
        source = lambda names: [os.path.join(peers, n + ".java")
                                for n in names]
        self.classes17 = os.path.join(self.work, "classes17")
        self.newest_classes = os.path.join(self.work, "newest_classes")
        if not self.java17:
            raise Failed("no JDK 17 found")
        self.asm = pairs.asm_path(self.args.corpus)
        wall([self.java17 + "/bin/javac", "-cp", self.asm, "-d",
              self.classes17] +
             source(["Classes", "Measure", "AsmPeer", "ExtremeMethods"]))
        self.others = {}
        for name, jar in (("Byte Buddy", "byte-buddy"), ("Javassist", "javassist")):
            found = glob.glob(os.path.join(pairs.peers(), jar + "-[0-9]*.jar"))
            if found:
                program = name.replace(" ", "") + "Peer"
                self.others[name] = (program, found[0])
                wall([self.java17 + "/bin/javac", "-cp",
                      self.classes17 + ":" + found[0], "-d", self.classes17] +
                     source([program]))
        if self.newest:
            wall([self.newest + "/bin/javac", "-d", self.newest_classes] +
                 source(["Classes", "Measure", "ClassFilePeer"]))

    def asm_peer(self, work, *rest):
        return [self.java17 + "/bin/java", "-Xmx2g", "-cp",
                self.classes17 + ":" + self.asm, "AsmPeer", work] + list(rest)

    def other_peer(self, name, *rest):
        program, jar = self.others[name]
        return [self.java17 + "/bin/java", "-Xmx4g", "-cp",
                self.classes17 + ":" + jar, program, "advice"] + list(rest)

    def classfile_peer(self, work, *rest):
        return [self.newest + "/bin/java", "-Xmx2g", "-cp", self.newest_classes,
                "ClassFilePeer", work] + list(rest)

    def folder_of(self, count):
        """A folder with the first classes of JDK 17, by name."""
        folder = os.path.join(self.work, "classes-%d" % count)
        if os.path.isdir(folder):
            return folder
        source = os.path.join(self.args.corpus, "jdk17")
        done = 0
        # A small class is wanted where there is one, a mix elsewhere.
        for path, folders, files in os.walk(source):
            folders.sort()
            for name in sorted(files):
                if not name.endswith(".class") or name == "module-info.class":
                    continue
                full = os.path.join(path, name)
                if count == 1 and not 1000 < os.path.getsize(full) < 2000:
                    continue
                module = os.path.relpath(full, source).split(os.sep, 1)[1]
                target = os.path.join(folder, module)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(full, target)
                done += 1
                if done == count:
                    return folder
        raise Failed("the corpus has fewer than %d classes" % count)

    def inputs(self):
        if self.args.inputs:
            return self.args.inputs
        corpus = self.args.corpus
        wanted = [corpus + "/jdk17"] + [
            corpus + "/jars/" + n for n in
            ("ecj", "clojure", "h2", "scala", "hsqldb", "josm")]
        if self.args.short:
            wanted = [corpus + "/jars/h2"]
        elif self.args.quick:
            wanted = [corpus + "/jdk17/java.base"]
        return [w for w in wanted if os.path.isdir(w)]

    def in_memory(self):
        inputs = self.inputs()
        ours = lambda work: lambda: throughput(
            [self.bench, "-work=" + work,
             "-repeat=%d" % self.args.passes] + inputs)
        passes = ["-warmup=%d" % self.args.warmup,
                  "-passes=%d" % self.args.passes]
        asm = lambda work: lambda: throughput(
            self.asm_peer(work, *passes, *inputs))
        other = lambda work: lambda: throughput(
            self.classfile_peer(work, *passes, *inputs))
        self.row("noise", "empty pipeline beside itself", ours("identity"),
                 ours("identity"), None, "MB/s")
        self.row("identity", "empty pipeline : ASM copypool",
                 ours("identity"), asm("copypool"), 3, "MB/s")
        self.row("relower", "relower : ASM COMPUTE_FRAMES", ours("relower"),
                 asm("frames"), 1.5, "MB/s")
        self.row("probes", "entry + exit : ASM AdviceAdapter + COMPUTE_FRAMES",
                 ours("probes"), asm("advice"), 8, "MB/s")
        for name in self.others:
            self.row("probes-" + name.lower().replace(" ", ""),
                     "entry + exit : %s" % name, ours("probes"),
                     lambda: throughput(self.other_peer(name, *passes, *inputs)),
                     None, "MB/s")
        self.row("probes1pct", "probes in 1 % of the methods : empty pipeline",
                 ours("probes1pct"), ours("identity"), 0.75, "MB/s")
        server = pairs.jars(self.args.corpus, "tomcat10/*.jar", "h2/*.jar")
        # Not that for every method: it is a work of its own, as "all" is.
        every = ",".join(
            line.split()[0] for line in call([self.jopt, "lib"]).stdout.split("\n")
            if line and not line.startswith("lib:exceptions "))
        self.row("ready", "all ready probes in Tomcat and h2 : empty pipeline",
                 lambda: throughput([self.bench, "-work=ready",
                                     "-probes=" + every,
                                     "-repeat=%d" % self.args.passes] + server),
                 lambda: throughput([self.bench, "-work=identity",
                                     "-repeat=%d" % self.args.passes] + server),
                 None, "MB/s")
        # There is no peer that does as much: ASM has entry and exit only.
        self.row("all", "all fragments everywhere : ASM AdviceAdapter, entry "
                 "and exit only", ours("all"), asm("advice"), None, "MB/s")
        self.row("all-probes", "all fragments everywhere : entry + exit",
                 ours("all"), ours("probes"), None, "MB/s")
        if self.newest:
            for work, theirs in (("identity", "copypool"),
                                 ("relower", "frames"), ("probes", "advice")):
                self.row("classfile-" + work,
                         "%s : java.lang.classfile %s" % (work, theirs),
                         ours(work), other(theirs), None, "MB/s")

    def probed(self, source, *options):
        """A whole jopt process that puts probes into a folder or an archive."""
        target = os.path.join(self.work, "out")
        shutil.rmtree(target, ignore_errors=True)
        if os.path.exists(target + ".jar"):
            os.remove(target + ".jar")
        if not os.path.isdir(source):
            target += ".jar"
        return [self.jopt, "-q", "-probes=" + self.probes, source, "-o",
                target] + list(options)

    def cold(self):
        def asm(source):
            target = os.path.join(self.work, "out-asm")
            shutil.rmtree(target, ignore_errors=True)
            return self.asm_peer("advice", "-o", target, source)

        warm = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.work, "warm"))

        def jopt(source, *options, environment=warm):
            return wall(self.probed(source, *options), accept=(0, 2),
                        env=environment)

        def without_cache():
            with tempfile.TemporaryDirectory() as empty:
                return jopt(one, environment=dict(os.environ,
                                                  XDG_CACHE_HOME=empty))

        one = self.folder_of(1)
        thousand = self.folder_of(1000)
        ten = self.folder_of(10000)
        for folder in (one, thousand, ten):
            # Fills the cache: the release of the probes follows the input.
            jopt(folder)
        self.value("cold-1", "one small class, cold process, warm cache",
                   lambda: jopt(one, "-j1"), 0.003, "s")
        self.value("cold-1-javac", "the same with javac to compile the probes",
                   without_cache, None, "s", repeat=3)
        self.row("cold-1-asm", "one small class : ASM",
                 lambda: jopt(one, "-j1"), lambda: wall(asm(one)), None, "s",
                 "<=")
        self.row("cold-1000", "1,000 classes : ASM advice + frames",
                 lambda: jopt(thousand, "-j1"), lambda: wall(asm(thousand)),
                 None, "s", "<=")
        self.row("cold-10000", "10,000 classes : ASM advice + frames",
                 lambda: jopt(ten, "-j1"), lambda: wall(asm(ten)), 0.125, "s",
                 "<=")
        self.row("threads", "10,000 classes, two threads : one (speed)",
                 lambda: 1 / jopt(ten, "-j2"), lambda: 1 / jopt(ten, "-j1"),
                 1.8, "1/s")

    def memory(self):
        jars = sorted(glob.glob(self.args.corpus + "/jars/*/*.jar"),
                      key=lambda j: (-os.path.getsize(j), j))
        for jar in jars[:2]:
            # Directory: an entry's name and fields, a hundred bytes or so.
            with zipfile.ZipFile(jar) as archive:
                directory = sum(len(i.filename) + 46
                                for i in archive.infolist()) / 1e6
            name = os.path.basename(jar)
            # Fills the cache: GNU time would count javac's memory too.
            wall(self.probed(jar), accept=(0, 2))
            for threads in (1, 2):
                self.value(
                    "memory-%s-j%d" % (name, threads),
                    "peak memory, entry + exit in %s, -j%d" % (name, threads),
                    lambda: peak_rss(self.probed(jar, "-j%d" % threads),
                                     accept=(0, 2)),
                    64 + 2 * directory, "MB", repeat=1)

        corpus = self.corpus_archive()
        wall(self.probed(corpus), accept=(0, 2))
        self.value("memory-corpus-j2",
                   "peak memory, entry + exit in the whole corpus, -j2",
                   lambda: peak_rss(self.probed(corpus, "-j2"), accept=(0, 2)),
                   100, "MB", repeat=1)

    def corpus_archive(self):
        """All classes of the corpus, stored in one archive of about 1 GB."""
        path = os.path.join(self.work, "corpus.jar")
        with zipfile.ZipFile(path, "w") as out:
            def add(name, data):
                out.writestr(zipfile.ZipInfo(name), data)
            for jar in sorted(glob.glob(self.args.corpus + "/jars/*/*.jar")):
                folder = os.path.basename(jar)[:-len(".jar")] + "/"
                with zipfile.ZipFile(jar) as archive:
                    for name in archive.namelist():
                        if name.endswith(".class"):
                            add(folder + name, archive.read(name))
            for jdk in ("jdk17", "jdk25"):
                for at, folders, files in os.walk(self.args.corpus + "/" + jdk):
                    folders.sort()
                    for name in sorted(files):
                        full = os.path.join(at, name)
                        with open(full, "rb") as data:
                            add(os.path.relpath(full, self.args.corpus),
                                data.read())
        return path

    def growth(self):
        """How the cost of one method grows from n to 4n."""
        folder = os.path.join(self.work, "extreme")
        wall([self.java17 + "/bin/java", "-cp",
              self.classes17 + ":" + self.asm, "ExtremeMethods", folder])
        shapes = sorted({n.rsplit("_", 1)[0] for n in os.listdir(folder)})
        n_log_n = 4 * math.log2(4 * 16000) / math.log2(16000)

        def cost(shape, factor, work):
            name = os.path.join(folder, "%s_%d.class" % (shape, factor))
            done = call([self.bench, "-work=" + work, "-repeat=7", name])
            try:
                return json.loads(done.stdout.strip().split("\n")[-1])[
                    "seconds"]
            except (ValueError, KeyError):
                raise Failed("%s %s: %s" % (shape, work, done.stderr[-300:]))

        for shape in shapes:
            for work in ("relower", "probes"):
                # A bound with a half more: caches fill up from n to 4n.
                self.row("growth-%s-%s" % (shape, work),
                         "%s of %s, 4n : n (time)" % (work, shape),
                         lambda: cost(shape, 4, work),
                         lambda: cost(shape, 1, work),
                         1.5 * n_log_n, "s", "<=", pairs=3)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("inputs", nargs="*", metavar="PATH",
                        help="what to work on in memory (a part of the corpus)")
    pairs.add_arguments(parser, ROOT)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--quick", action="store_true",
                        help="java.base only")
    parser.add_argument("--short", action="store_true",
                        help="the main rows alone, %d pairs of each, in memory "
                             "those of h2:\nless than 6 minutes"
                             % SHORT_PAIRS)
    return pairs.run(Bench, parser, PARTS)


if __name__ == "__main__":
    sys.exit(main())
