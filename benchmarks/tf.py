#!/usr/bin/env python3
# ===- benchmarks/tf.py - what tracing by annotations costs ---------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs jopt-tf beside the original tool (Debian's libgmbal-pfl-java), as whole
processes, each on a folder of its own with the same classes.

both      both stages, classes as javac wrote them
cpu       the same, seconds of processors instead of the clock: what else the
          machine does counts less
timing    the class of timing points alone; classes stay as they are
again     both stages once more: nothing is left to do

The classes are made here: groups of annotations, monitored methods, info
methods, and as many classes that have none.

cost      small loops over monitored methods (tf/Monitored.java): without a
          monitor against the same classes not enhanced, with one that does
          nothing against those that the original makes; processor time of the
          thread, and bytes that are allocated
start     whole processes that call 5,000 idle methods, each once: what call
          sites cost before they cost nothing

How a row is measured: pairs.py.
Exit status: 0 all bounds hold, 1 not all, 2 something did not run.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import pairs
from pairs import Failed, processor_time, wall

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PFL = ":".join("/usr/share/java/glassfish-pfl-%s.jar" % part for part in
               ("asm", "basic", "basic-tools", "dynamic", "tf", "tf-tools"))
ORIGINAL = ["java", "-cp", PFL,
            "org.glassfish.pfl.tf.tools.enhancer.EnhanceTool"]

ANNOTATION = """package p; import java.lang.annotation.*;
@org.glassfish.pfl.tf.spi.annotation.MethodMonitorGroup
@Retention(RetentionPolicy.RUNTIME) public @interface %s {}
"""
METHODS = """
  {monitor} public int m{n}(int a, String s, long[] b) {{
    int sum = a;
    for (int i = 0; i < b.length; i++) {{
      try {{
        sum += b[i] % 7 == 0 ? s.length() : Integer.parseInt(s);
        {call}
      }} catch (NumberFormatException e) {{
        sum--;
      }}
    }}
    if (sum < 0) throw new IllegalStateException("sum" + sum);
    return sum;
  }}
"""


def write_sources(folder, classes):
    os.makedirs(folder)
    for name in ("Read", "Write"):
        with open("%s/%s.java" % (folder, name), "w") as out:
            out.write(ANNOTATION % name)
    for number in range(classes):
        traced = number % 2 == 0
        text = "package p; import org.glassfish.pfl.tf.spi.annotation.*;\n"
        text += "@Read @Write " if traced else ""
        text += "public class C%d {" % number
        for n in range(8):
            text += METHODS.format(
                n=n, monitor="@Read" if n % 2 else "@Write",
                call="note(i, s);") if traced else METHODS.format(
                    n=n, monitor="", call="")
        if traced:
            text += "@InfoMethod private void note(int i, String s) {}"
        with open("%s/C%d.java" % (folder, number), "w") as out:
            out.write(text + "}\n")


class Tools(pairs.Table):
    def __init__(self, args, work):
        super().__init__(args)
        self.work = work
        self.ours = [os.path.join(args.build, "bin", "jopt-tf")]
        self.number = 0
        write_sources(work + "/src", args.classes)
        self.classes = work + "/classes"
        sources = [os.path.join(work, "src", f)
                   for f in sorted(os.listdir(work + "/src"))]
        subprocess.run(["javac", "--release", "8", "-nowarn", "-Xlint:-options",
                        "-cp", PFL, "-d", self.classes] + sources, check=True)

    def run(self, tool, mode, folder=None, clock=wall):
        """Seconds of one run, and the folder it worked on."""
        if folder is None:
            self.number += 1
            folder = "%s/run%d" % (self.work, self.number)
            shutil.copytree(self.classes, folder)
        seconds = clock(tool + ["-dir", folder, "-mode", mode, "-rf",
                               folder + "/tf.properties", "-timingPointClass",
                               "gen.Points", "-timingPointDir", folder])
        return seconds, folder

    def fresh(self, tool, mode, clock=wall):
        def measure():
            seconds, folder = self.run(tool, mode, clock=clock)
            changed = sum(
                open(os.path.join(folder, "p", f), "rb").read() !=
                open(os.path.join(self.classes, "p", f), "rb").read()
                for f in os.listdir(self.classes + "/p"))
            want = self.args.classes // 2 if mode == "TraceEnhance" else 0
            if changed != want:
                raise Failed("%s changed %d classes, not %d" %
                             (tool[0], changed, want))
            if not os.path.exists(folder + "/gen/Points.java"):
                raise Failed("%s wrote no timing points" % tool[0])
            shutil.rmtree(folder)
            return seconds
        return measure

    def again(self, tool):
        folder = []

        def measure():
            if not folder:
                folder.append(self.run(tool, "TraceEnhance")[1])
            return self.run(tool, "TraceEnhance", folder[0])[0]
        return measure

    def measure(self):
        n = self.args.classes
        original = ORIGINAL
        self.row("both", "both stages, %d classes" % n,
                 self.fresh(original, "TraceEnhance"),
                 self.fresh(self.ours, "TraceEnhance"), 20, "s")
        self.row("cpu", "the same, processors",
                 self.fresh(original, "TraceEnhance", processor_time),
                 self.fresh(self.ours, "TraceEnhance", processor_time), 20,
                 "s")
        self.row("timing", "timing points only",
                 self.fresh(original, "TimingPoints"),
                 self.fresh(self.ours, "TimingPoints"), 20, "s")
        self.row("again", "both stages again",
                 self.again(original), self.again(self.ours), 20, "s")

    def print_header(self):
        print("| what | original | jopt-tf | unit | ratio | 95 % | bound | "
              "holds |")
        print("|---|---|---|---|---|---|---|---|")


class Cost(pairs.Table):
    """Times of monitored methods."""

    LOADS = ["fib", "calls", "small", "loops", "tiny"]

    def __init__(self, args, work):
        super().__init__(args)
        self.java = os.path.join(pairs.jdk(ROOT, args.jdk), "bin")
        jopt = os.path.join(args.build, "bin", "jopt")
        ours = os.path.join(args.build, "lib", "jopt-tf.jar")
        with open(HERE + "/tf/Monitored.java") as source:
            text = source.read()
        os.mkdir(work + "/src")
        with open(work + "/src/Monitored.java", "w") as out:
            out.write(text.replace("jopt.tf.annotation.",
                                   "org.glassfish.pfl.tf.spi.annotation.")
                      .replace("jopt.tf.", "org.glassfish.pfl.tf.spi."))
        shared = [HERE + "/overhead/Measure.java", HERE + "/overhead/Work.java"]

        def compile(name, library, source):
            subprocess.run([self.java + "/javac", "--release", "8", "-nowarn",
                            "-Xlint:-options", "-cp", library,
                            "-d", work + "/" + name, source] + shared,
                           check=True, stderr=subprocess.DEVNULL)

        def enhance(name, *options):
            subprocess.run([jopt, "-q", *options, "-o", work + "/" + name],
                           check=True)
            return work + "/" + name

        compile("theirs", PFL, work + "/src/Monitored.java")
        compile("plain", ours, HERE + "/tf/Monitored.java")
        # The original writes no frames.
        code = work + "/theirs/overhead/Monitored$Code.class"
        with open(code, "r+b") as file:
            file.seek(6)
            file.write(b"\0\x32")
        holder = enhance("pfl", "-tf-library=pfl", work + "/theirs")
        subprocess.run(ORIGINAL + ["-dir", work + "/theirs", "-mode",
                                   "TraceEnhance", "-rf", work + "/p"],
                       check=True)
        plain = work + "/plain"
        self.paths = {
            "plain": plain + ":" + ours,
            "stage1": enhance("one", "-tf-library=jopt", "-passes=tf-schema",
                              plain) + ":" + ours,
            "holder": enhance("holder", "-tf-library=jopt", plain) + ":" + ours,
            "indy": enhance("indy", "-tf-library=jopt", "-tf-idle=indy",
                            plain) + ":" + ours,
            "pfl": holder + ":" + PFL,
            "theirs": work + "/theirs:" + PFL}

    def measure_one(self, variant, load, monitor=""):
        def run():
            done = pairs.call([self.java + "/java", "-Xmx256m",
                               "-XX:+UseSerialGC", "-Dmonitor=" + monitor,
                               "-cp", self.paths[variant], "overhead.Measure",
                               "overhead.Monitored", load, "0.4"])
            try:
                return json.loads(done.stdout)["ns"]
            except ValueError:
                raise Failed(done.stderr[-800:])
        return run

    def measure(self):
        for load in self.LOADS:
            measures = {"again": self.measure_one("plain", load)}
            for variant in self.paths:
                measures[variant] = self.measure_one(variant, load)
            for variant in ("theirs", "pfl", "holder", "indy"):
                measures[variant + "+"] = self.measure_one(variant, load,
                                                           "empty")
            measures["lean"] = self.measure_one("holder", load, "noop")
            self.rounds(measures, [
                (load + "-noise", load + ": noise", "again", "plain", None),
                (load + "-none", load + ": idle none : not enhanced", "stage1",
                 "plain", "noise"),
                (load + "-indy", load + ": idle indy : not enhanced", "indy",
                 "plain", 1.02),
                (load + "-pfl", load + ": idle, pfl : original", "pfl",
                 "theirs", "noise"),
                (load + "-holder", load + ": idle, ours : original", "holder",
                 "theirs", "noise"),
                (load + "-pfl-empty", load + ": empty monitor, pfl : original",
                 "pfl+", "theirs+", "noise"),
                (load + "-empty", load + ": empty monitor, ours : original",
                 "holder+", "theirs+", "noise"),
                (load + "-indy-empty", load + ": empty monitor, indy : "
                 "original", "indy+", "theirs+", "noise"),
                (load + "-lean", load + ": lean monitor : empty one", "lean",
                 "holder+", None)], "ns")

    def print_header(self):
        print("| what | jopt | peer | unit | ratio | 95 % | bound | holds |")
        print("|---|---|---|---|---|---|---|---|")


class Start(pairs.Table):
    """Times of programs whose methods run once each."""

    IN_CLASS = 50

    def __init__(self, args, work):
        super().__init__(args)
        self.java = os.path.join(pairs.jdk(ROOT, args.jdk), "bin")
        jopt = os.path.join(args.build, "bin", "jopt")
        library = os.path.join(args.build, "lib", "jopt-tf.jar")
        self.write_sources(work + "/src", args.sites // self.IN_CLASS)
        plain = work + "/plain"
        subprocess.run([self.java + "/javac", "-nowarn", "-cp", library, "-d",
                        plain, work + "/src/Main.java"], check=True)
        self.paths = {"plain": plain + ":" + library}
        for idle in ("none", "holder", "indy"):
            out = work + "/" + idle
            subprocess.run([jopt, "-q", "-tf-library=jopt", "-tf-idle=" + idle, plain,
                            "-o", out], check=True)
            self.paths[idle] = out + ":" + library

    def write_sources(self, folder, classes):
        os.makedirs(folder)
        calls = range(self.IN_CLASS)
        with open(folder + "/Main.java", "w") as out:
            out.write("import java.lang.annotation.*;\n"
                      "@jopt.tf.annotation.MethodMonitorGroup\n"
                      "@Retention(RetentionPolicy.RUNTIME) @interface On {}\n")
            for number in range(classes):
                out.write("@On class C%d {\n" % number)
                for n in calls:
                    out.write("  @On static int m%d(int x) { return x + 1; }\n"
                              % n)
                out.write("  static int all(int x) {\n%s    return x;\n"
                          "  }\n}\n"
                          % "".join("    x = m%d(x);\n" % n for n in calls))
            out.write("public class Main {\n"
                      "  public static void main(String[] args) {\n"
                      "    int x = 0;\n%s"
                      "    System.out.println(x);\n  }\n}\n" %
                      "".join("    x = C%d.all(x);\n" % number
                              for number in range(classes)))
        self.want = "%d\n" % (classes * self.IN_CLASS)

    def run(self, variant, clock):
        command = [self.java + "/java", "-Xmx256m", "-XX:+UseSerialGC",
                   "-Xlog:disable", "-cp", self.paths[variant], "Main"]

        def measure():
            return clock(command) * 1000
        if pairs.call(command).stdout != self.want:
            raise Failed("%s does not call all methods" % variant)
        return measure

    def measure(self):
        for key, text, clock in (("wall", "clock", wall),
                                 ("cpu", "processors", processor_time)):
            measures = {v: self.run(v, clock) for v in self.paths}
            measures["again"] = measures["plain"]
            self.rounds(measures, [
                (key + "-noise", text + ": noise", "again", "plain", None),
                (key + "-none", text + ": idle none : not enhanced", "none",
                 "plain", None),
                (key + "-holder", text + ": idle holder : not enhanced",
                 "holder", "plain", None),
                (key + "-indy", text + ": idle indy : not enhanced", "indy",
                 "plain", None),
                (key + "-indy-holder", text + ": idle indy : idle holder",
                 "indy", "holder", None)], "ms")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    pairs.add_arguments(parser, ROOT)
    parser.add_argument("--classes", type=int, default=400,
                        help="how many, half of them traced (400)")
    parser.add_argument("--jdk", default="17",
                        help="of the rows of cost and start (17)")
    parser.add_argument("--sites", type=int, default=5000,
                        help="how many methods the rows of start call (5000)")
    parts = {"tool": Tools, "cost": Cost, "start": Start}
    parser.add_argument("--part", choices=parts, default="tool")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=pairs.memory_folder()) as work:
        try:
            table = parts[args.part](args, work)
        except (OSError, subprocess.CalledProcessError) as error:
            print(error, file=sys.stderr)
            return 2
        table.print_header()
        table.measure()
        return table.finish()


if __name__ == "__main__":
    sys.exit(main())
