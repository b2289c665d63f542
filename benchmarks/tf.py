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
methods, and as many classes that have none. How a row is measured: pairs.py.
Exit status: 0 all bounds hold, 1 not all, 2 something did not run.
"""

import argparse
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


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    pairs.add_arguments(parser, ROOT)
    parser.add_argument("--classes", type=int, default=400,
                        help="how many, half of them traced (400)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=pairs.memory_folder()) as work:
        try:
            table = Tools(args, work)
        except (OSError, subprocess.CalledProcessError) as error:
            print(error, file=sys.stderr)
            return 2
        table.print_header()
        table.measure()
        return table.finish()


if __name__ == "__main__":
    sys.exit(main())
