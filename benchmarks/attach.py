#!/usr/bin/env python3
# ===- benchmarks/attach.py - attach and off in a JVM with many classes ----===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Attaches to a JVM with many loaded classes, and takes the probes out again.

usage: attach.py [--build=DIR] [--jdk=HOME] [--classes=N] [--threads=N] [--rounds=N]

Each round starts three JVMs (attach/Many.java) and prints a line for each:

control   an agent that has the same classes retransformed in batches of 1,000
          and gives each a copy of its bytes (attach/Control.java)
jopt      jopt attach, then jopt off
stopped   jopt attach, and one second later jopt off

The columns: seconds that the attach took; until the first probe ran; how many
times all threads were stopped, for how long in sum and at most, in seconds, and
the processor time of the thread that does what they are stopped for; p99 and
the maximum of the program's own calls meanwhile, in milliseconds; and the same
of off. --json=FILE keeps the figures. Ends with 1 if, by the median of the
rounds, the attach or the sum of its stops takes more than 1.3 times as long as
the control, the first probe more than one second, or off more than one second.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class Program:
    """A JVM with Many in it."""

    def __init__(self, args, work):
        self.log = os.path.join(work, "safepoints")
        self.errors = open(os.path.join(work, "errors"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [args.jdk + "/bin/java", "-XX:+EnableDynamicAgentLoading", "-Xmx512m",
             "-Xlog:safepoint:file=" + self.log, "-cp", work, "Many",
             str(args.classes), str(args.threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            text=True)
        assert self.process.stdout.readline() == "loaded\n"
        time.sleep(2)  # to be compiled
        self.ask()

    def ask(self):
        """p99 and maximum of the calls since the last question, in ms."""
        self.process.stdin.write("x\n")
        self.process.stdin.flush()
        _, _, _, p99, most = self.process.stdout.readline().split()
        return int(p99) / 1000, int(most) / 1000

    def stops(self, begin):
        """How often, how long in sum, and how long at most it was stopped since
        the log had so many bytes."""
        with open(self.log, encoding="utf-8") as file:
            file.seek(begin)
            took = [int(n) / 1e9 for n in
                    re.findall(r"Total: +(\d+) ns", file.read())]
        return len(took), sum(took), max(took, default=0)

    def vm_time(self):
        """The processor time of the VM thread: other programs of the machine
        make stops longer, and this less so."""
        tasks = "/proc/%d/task/" % self.process.pid
        for task in os.listdir(tasks):
            with open(tasks + task + "/comm", encoding="utf-8") as name:
                if name.read() == "VM Thread\n":
                    with open(tasks + task + "/schedstat", encoding="utf-8") as file:
                        return int(file.read().split()[0]) / 1e9
        return 0

    def measure(self, action):
        """Does it; seconds, stops, latencies."""
        size = os.path.getsize(self.log)
        self.ask()
        vm = self.vm_time()
        begin = time.time()
        status = action(str(self.process.pid))
        took = time.time() - begin
        number, total, most = self.stops(size)
        p99, worst = self.ask()
        return {"status": status, "seconds": took, "stops": number,
                "stopped": total, "longest": most, "p99": p99, "max": worst,
                "vm": self.vm_time() - vm,
                "begin": begin}

    def first_probe(self, begin):
        self.errors.seek(0)
        found = re.search(r"live (\d+)", self.errors.read())
        return int(found.group(1)) / 1000 - begin if found else None

    def end(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()


def run(command):
    return subprocess.run(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode


def show(name, row, first=None, off=None):
    print("%-8s %6.2f s, first probe %s; %4d stops, %6.2f s, at most %5.2f, "
          "work %5.3f; calls p99 %7.1f, max %7.1f ms" %
          (name, row["seconds"], "%.2f s" % first if first else "-",
           row["stops"], row["stopped"], row["longest"], row["vm"], row["p99"],
           row["max"]), flush=True)
    if off:
        show("  off", off)


def round_of(args, work, jar, bundle):
    jopt = os.path.join(args.build, "bin", "jopt")
    attach = [jopt, "attach"]
    found = {}
    program = Program(args, work)
    found["control"] = program.measure(lambda pid: run(
        [args.jdk + "/bin/java", "-cp", work, "Control", pid, jar, "1000"]))
    program.end()
    show("control", found["control"])

    program = Program(args, work)
    row = program.measure(lambda pid: run(attach + [pid, "-timeout=120s",
                                                    "-probes=" + bundle]))
    row["first"] = program.first_probe(row["begin"])
    row["off"] = program.measure(lambda pid: run([jopt, "off", pid,
                                                  "-timeout=120s"]))
    found["jopt"] = row
    program.end()
    show("jopt", row, row["first"], row["off"])

    program = Program(args, work)
    client = subprocess.Popen(attach + [str(program.process.pid), "-timeout=120s",
                                        "-probes=" + bundle],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    time.sleep(1)
    found["stopped"] = program.measure(lambda pid: run([jopt, "off", pid,
                                                        "-timeout=120s"]))
    client.wait()
    program.end()
    show("stopped", found["stopped"])
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--jdk", default=os.path.dirname(os.path.dirname(
        os.path.realpath("/usr/bin/javac"))))
    parser.add_argument("--classes", type=int, default=10000)
    parser.add_argument("--threads", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([args.jdk + "/bin/javac", "-d", work] +
                       [os.path.join(HERE, "attach", n + ".java")
                        for n in ("Many", "Control")], check=True)
        manifest = os.path.join(work, "manifest")
        with open(manifest, "w", encoding="utf-8") as file:
            file.write("Agent-Class: Control\nCan-Retransform-Classes: true\n")
        jar = os.path.join(work, "control.jar")
        subprocess.run([args.jdk + "/bin/jar", "cfm", jar, manifest, "-C", work,
                        "Control.class", "-C", work, "Control$1.class"], check=True)
        bundle = os.path.join(work, "probe.jar")
        subprocess.run([os.path.join(args.build, "bin", "jopt"), "-q",
                        "-isolate", "-guard", "-release=11",
                        "-probes=" + os.path.join(HERE, "attach", "probe.xml"),
                        "-emit-bundle=" + bundle], check=True)
        rounds = [round_of(args, work, jar, bundle) for _ in range(args.rounds)]
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(rounds, file, indent=1)

    def median(get):
        return statistics.median(get(r) for r in rounds)

    bounds = {
        "time of the control": (median(
            lambda r: r["jopt"]["seconds"] / r["control"]["seconds"]), 1.3),
        "stops of the control": (median(
            lambda r: r["jopt"]["stopped"] / r["control"]["stopped"]), 1.3),
        "work in stops of the control": (median(
            lambda r: r["jopt"]["vm"] / r["control"]["vm"]), 1.3),
        "seconds to the first probe": (median(
            lambda r: r["jopt"]["first"] or 1e9), 1),
        "seconds of off": (median(lambda r: r["jopt"]["off"]["seconds"]), 1),
        "seconds of off, early": (median(
            lambda r: r["stopped"]["seconds"]), 1),
    }
    for name, (value, most) in bounds.items():
        print("%-28s %6.2f (at most %.1f)%s" %
              (name, value, most, "" if value <= most else "  FALLS SHORT"))
    return 1 if any(v > most for v, most in bounds.values()) else 0


sys.exit(main())
