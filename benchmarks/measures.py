#!/usr/bin/env python3
# ===- benchmarks/measures.py - what jopt.probe costs ----------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""usage: benchmarks/measures.py [--build=DIR] [--rounds=N] [--events=N] [--pairs=N]

What an event of a counter, a histogram and a counter of a key takes, in
nanoseconds of the processor more than the loop around it; and how much more turns
of the loop two threads do in the time of one (2 is all; what the machine gives a
loop without events stands first). One thread and two in turns; medians of rounds,
and the least and the most. Then what a turn of a loop takes more, in pairs of runs, where
a fragment with a condition that is false is woven into a method in it, whose code asks for
a number, and for all arguments. Last how long a process takes that ends at once, without and
with a thread that tells each second and one that serves a port.
"""
import argparse
import os
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ("loop alone", "counter", "histogram", "counter by key")

# What the code of a fragment is given besides what its condition asks for.
CONDITION = """
<probekit><probe>
  <target type="include" className="Turns" method="step"/><target type="exclude"/>
  <fragment type="entry">
    <data type="argument" index="0" name="x" javaType="int"/>%s
    <condition>x == 0</condition>
    <code>System.out.println(%s);</code>
  </fragment>
</probe></probekit>
"""
CONDITIONS = {"a number": ("", "x"), "all arguments": ('<data type="args" name="all"/>', "all[0]")}

ENDING = """
public class Ending {
  public static void main(String[] a) throws Exception {
    if (a.length > 0) {
      jopt.probe.Output.to("prometheus:0");
      jopt.probe.Output.to("csv:ending.csv", 1);
    }
    jopt.probe.Counter.named("n").add();
    Thread.sleep(200);
    System.exit(0);
  }
}
"""


def show(name, values, unit):
    print("%s: %.2f%s (%.2f to %.2f)" % (name, statistics.median(values), unit,
                                         min(values), max(values)))


def conditions(o, work):
    """Pairs of runs of Turns, without a probe and with one whose condition is false."""
    jopt = os.path.join(o.build, "bin/jopt")
    plain = os.path.join(work, "turns")
    subprocess.run(["javac", "-d", plain, HERE + "/measures/Turns.java"], check=True)
    for name, text in CONDITIONS.items():
        woven = os.path.join(work, name.replace(" ", "-"))
        with open(woven + ".xml", "w", encoding="utf-8") as f:
            f.write(CONDITION % text)
        subprocess.run([jopt, "-q", "-probes=" + woven + ".xml", plain, "-o", woven], check=True)
        more = []
        for _ in range(o.pairs):
            took = []
            for classes in (plain, woven):
                out = subprocess.run([o.java, "-XX:+UseSerialGC", "-cp", classes, "Turns", str(o.events)],
                                     stdout=subprocess.PIPE, text=True, check=True)
                took.append(float(out.stdout.split()[0]))
            more.append(took[1] - took[0])
        show("a condition that is false, %s" % name, more, " ns")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", default=os.path.join(HERE, "../build"))
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--events", type=int, default=50000000)
    options.add_argument("--pairs", type=int, default=30)
    options.add_argument("--java", default="java")
    o = options.parse_args()
    jar = os.path.abspath(os.path.join(o.build, "lib/jopt-runtime.jar"))
    with tempfile.TemporaryDirectory() as work:
        with open(work + "/Ending.java", "w") as f:
            f.write(ENDING)
        subprocess.run(["javac", "-cp", jar, "-d", work, work + "/Ending.java",
                        HERE + "/measures/Events.java"], check=True)
        java = [o.java, "-Xmx256m", "-XX:+UseSerialGC", "-cp", work + ":" + jar]
        found = {1: [], 2: []}
        for _ in range(o.rounds):
            for threads in found:
                out = subprocess.run([*java, "Events", str(threads), str(o.events)],
                                     stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, text=True, check=True)
                found[threads].append([float(x) for x in out.stdout.split()])
        for i, kind in enumerate(KINDS):
            if i:
                show(kind, [r[i] - r[0] for r in found[1]], " ns")
                show(kind + ", both cores", [2 * a[i] / b[i] for a, b in
                                             zip(found[1], found[2])], "")
            else:
                show(kind, [r[0] for r in found[1]], " ns")
                show(kind + ", both cores", [2 * a[0] / b[0] for a, b in
                                             zip(found[1], found[2])], "")
        conditions(o, work)
        times = {(): [], ("all",): []}
        for _ in range(o.rounds):
            for args, took in times.items():
                begin = time.monotonic()
                subprocess.run([*java, "Ending", *args], cwd=work, check=True,
                               stderr=subprocess.DEVNULL)
                took.append(1000 * (time.monotonic() - begin))
        show("a process that ends", times[()], " ms")
        show("with both threads", times[("all",)], " ms")


main()
