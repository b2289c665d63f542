#!/usr/bin/env python3
# ===- benchmarks/live.py - what a question costs a running program ---------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Asks live/Passes.java what is never the case, by jopt and by others, and prints what
that adds to a pass: nanoseconds of the processor that the program's thread takes.

watch   each call, if an argument has a value that it never has
line    the variables at a line, under the same condition; of others none has that
throws  an exception that is never made, with the variables of its frames; Arthas' and
        BTrace's nearest question is for the exceptions of the method
tree    the calls in each request, with the same condition; Arthas' trace; with --async
        tasks too

A JVM for each question and round, in which the tools come one after the other. Of each
the program's quickest batches count, once it is compiled anew, less those just before.
utils/real-programs/fetch gets the others: diagnosis. Exit status: 0 all bounds hold, 1
not all, 2 something did not run."""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import pairs

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FALSE = "-1"
PORT = 3658  # Arthas', of this machine only
BTRACE_PORT = 2020


class Passes:
    """The program; what a pass took, and when."""

    def __init__(self, java, classes, version):
        options = ["-XX:+EnableDynamicAgentLoading"] if version >= 21 else []
        self.jvm = subprocess.Popen([java, *options, "-XX:+UseSerialGC", "-Xmx256m", "-cp", classes, "Passes"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.batches = []
        self.pid = str(self.jvm.pid)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.jvm.stdout:
            if line.startswith("ns "):
                self.batches.append((time.monotonic(), float(line.split()[1])))

    def least(self, settle, seconds):
        """The quickest of the batches that begin after some seconds."""
        time.sleep(settle)
        begin = time.monotonic()
        while time.monotonic() - begin < seconds or sum(t > begin for t, _ in self.batches) < 3:
            time.sleep(0.2)
            if self.jvm.poll() is not None:
                raise pairs.Failed("the program has ended")
        return min(ns for t, ns in self.batches if t > begin)


class Tools:
    def __init__(self, args, work):
        self.args, self.work = args, work
        self.jopt = os.path.join(args.build, "bin", "jopt")
        self.home = pairs.jdk(ROOT, args.java)
        if not self.home:
            raise pairs.Failed(f"no JDK {args.java} found")
        self.java = self.home + "/bin/java"
        source = os.path.join(HERE, "live", "Passes.java")
        pairs.wall([self.home + "/bin/javac", "-g", "-d", work, source])
        with open(source, encoding="utf-8") as text:
            self.line = next(n for n, l in enumerate(text, 1) if "// the line" in l)
        jars = os.path.join(os.path.dirname(pairs.peers()), "diagnosis")
        self.arthas = self.unpack(jars)
        self.btrace = self.lay_out(jars)

    def unpack(self, jars):
        found = [f for f in (os.listdir(jars) if os.path.isdir(jars) else []) if f.startswith("arthas-")]
        if not found:
            return None
        shutil.unpack_archive(os.path.join(jars, found[0]), self.work + "/arthas")
        return self.work + "/arthas"

    def lay_out(self, jars):
        """BTrace's jars under the names by which they find each other."""
        found = [f for f in (os.listdir(jars) if os.path.isdir(jars) else []) if f.startswith("btrace-")]
        if not found:
            return None
        os.mkdir(self.work + "/btrace")
        for f in found:
            shutil.copy(os.path.join(jars, f), self.work + "/btrace/" + re.sub(r"-\d.*", ".jar", f))
        return self.work + "/btrace"

    def quiet(self, command, **more):
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, cwd=self.work, **more)

    def of_jopt(self, words):
        # A thread is always in a loop of the class.
        return lambda p: self.quiet([self.jopt, words[0], p.pid, *words[1:], "--in-flight=include"])

    def of_arthas(self, words):
        def ask(p):
            core = self.arthas + "/arthas-core.jar"
            subprocess.run([self.java, "-jar", core, "-pid", p.pid, "-core", core, "-agent",
                            self.arthas + "/arthas-agent.jar", "-target-ip", "127.0.0.1", "-telnet-port", str(PORT),
                            "-http-port", "-1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            return self.quiet([self.java, "-jar", self.arthas + "/arthas-client.jar", "127.0.0.1", str(PORT), "-c", words])
        return ask

    def of_btrace(self, script):
        def ask(p):
            jars = ":".join(self.btrace + "/btrace-%s.jar" % j for j in ("client", "boot"))
            return self.quiet([self.java, "-cp", jars, "org.openjdk.btrace.client.Main", "-p", str(BTRACE_PORT), p.pid,
                               os.path.join(HERE, "live", script)], env={**os.environ, "JAVA_HOME": self.home})
        return ask

    def questions(self):
        """Of each question the tools, and how to ask; jopt's come first, as what is left of others would count."""
        step, desk = "Passes$Desk#step", "Passes$Desk"
        ask = {
            "watch": {"jopt": self.of_jopt(["watch", step, "--when", "(int) args[0] == " + FALSE])},
            "line": {"jopt": self.of_jopt(["line", f"Passes$Desk:{self.line}", "--when", "id == " + FALSE])},
            "throws": {"jopt": self.of_jopt(["throws", "Passes$NoItem", "--locals"])},
            "tree": {"jopt": self.of_jopt(["tree", desk + "#handle", step, "--when", "(int) args[0] == " + FALSE]),
                     "jopt --async": self.of_jopt(["tree", desk + "#handle", step, "--async", "--when",
                                                   "(int) args[0] == " + FALSE])},
        }
        if self.arthas:
            ask["watch"]["Arthas"] = self.of_arthas(f"watch {desk} step {{params}} params[0]=={FALSE}")
            ask["throws"]["Arthas"] = self.of_arthas(f"watch {desk} step {{throwExp}} -e")
            ask["tree"]["Arthas"] = self.of_arthas(f"trace {desk} handle params[0]=={FALSE}")
        if self.btrace:
            ask["watch"]["BTrace"] = self.of_btrace("Entry.java")
            ask["throws"]["BTrace"] = self.of_btrace("Throws.java")
        return ask

    def measure(self, how):
        """What a pass takes with a question and without."""
        p = Passes(self.java, self.work, int(self.args.java))
        try:
            plain = p.least(3, 2)
            asked = how(p)
            probed = p.least(self.args.settle, 3)
            asked.kill()
            return plain, probed
        finally:
            p.jvm.kill()
            p.jvm.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--java", default="17")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--settle", type=float, default=8, help="seconds from the question until it counts")
    parser.add_argument("--only", default="", help="questions that match this expression")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    got = {}
    with tempfile.TemporaryDirectory() as work:
        try:
            tools = Tools(args, work)
            for _ in range(args.rounds):
                for question, how in tools.questions().items():
                    if not re.search(args.only, question):
                        continue
                    for tool, ask in how.items():
                        times = tools.measure(ask)
                        got.setdefault((question, tool), []).append(times)
                        print(f"{question}, {tool}: {times[0]:.2f} and {times[1]:.2f} ns", file=sys.stderr, flush=True)
        except (pairs.Failed, subprocess.SubprocessError) as e:
            print(e, file=sys.stderr)
            return 2
    print("| question | tool | a pass without | with | adds | from to |\n|---|---|---|---|---|---|")
    added = {}
    for (question, tool), times in got.items():
        plain, probed = (min(column) for column in zip(*times))
        more = [b - a for a, b in times]
        added[question, tool] = probed - plain
        print(f"| {question} | {tool} | {plain:.2f} ns | {probed:.2f} ns | {statistics.median(more):.2f} ns | "
              f"{min(more):.2f} {max(more):.2f} |")
    holds = True
    if ("line", "jopt") in added:
        holds &= added["line", "jopt"] <= 2
    if ("throws", "jopt") in added:
        plain = min(a for a, _ in got["throws", "jopt"])
        holds &= (plain + added["throws", "jopt"]) / plain <= 1.01
    if ("tree", "jopt") in added:
        trees = [min(b for _, b in got["tree", t]) for t in ("jopt --async", "jopt")]
        print(f"tree --async: {trees[0] / trees[1]:.2f} of tree")
        holds &= trees[0] / trees[1] <= 1.1
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
