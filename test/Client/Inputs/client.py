# ===- client.py - JVMs and jopt's client in tests --------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Starts programs, and says what the client says of them, with PID in place of
numbers of processes."""
import os
import re
import signal
import subprocess
import sys
import time

HOME = sys.argv[1]
JAVA = HOME + "/bin/java" if "/" in HOME else "java"
# What other users cannot write to.
for name in ("TMPDIR", "TMP", "TEMP", "TEMPDIR"):
    os.environ.pop(name, None)
DYNAMIC = ["-XX:+EnableDynamicAgentLoading"] if "25" in HOME else []


def start(*args, options=(), prefix=(), program="Main"):
    """A JVM that says that it is ready."""
    p = subprocess.Popen(
        [*prefix, JAVA, "-XX:+UseSerialGC", "-Xmx64m", "-Xshare:auto", "-Djopt.expand.ms=20000", *DYNAMIC, *options, "-cp", "classes", program, *map(str, args)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = p.stdout.readline()
    while line and line != "ready\n":
        line = p.stdout.readline()
    return p


def stop(p):
    """Lets it end by itself; what it printed."""
    p.stdin.close()
    text = p.stdout.read()
    p.wait()
    print("program ended with", p.returncode)
    return text


def mask(text, pid):
    text = re.sub(r"(?<!\d)%d(?!\d)" % pid, "PID", text)
    return re.sub(r"/tmp/\.jopt-[\w-]+", "/tmp/FOLDER", text)


def jopt(*args, pid, prefix=(), quiet=False, **more):
    """Runs jopt; prints its status and what it says."""
    ran = subprocess.run([*prefix, "jopt", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, **more)
    if not quiet:
        shown = " ".join(a if len(a) < 200 else "..." for a in map(str, args))
        print("$ jopt %s: %d" % (mask(shown, pid), ran.returncode))
        print(mask(ran.stdout, pid), end="")
    sys.stdout.flush()
    return ran


class Requests:
    """Requests to one JVM, quietly: how long each took, and how many failed."""

    def __init__(self, pid):
        self.pid = pid
        self.times = []
        self.failed = 0

    def ask(self, verb, *args):
        begin = time.monotonic()
        ran = jopt(verb, self.pid, *args, pid=self.pid, quiet=True)
        self.times.append(time.monotonic() - begin)
        if ran.returncode:
            self.failed += 1
            print("WRONG:", verb, args, ran.returncode, mask(ran.stdout, self.pid))

    def count(self):
        print("requests:", len(self.times), "failed:", self.failed)

    def tell_times(self):
        self.times.sort()
        print("median %.0f ms, longest %.0f ms" % (self.times[len(self.times) // 2] * 1000, self.times[-1] * 1000))


def wait_for(what, seconds=60):
    """Waits until what() is true; how long that took, in seconds."""
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        if what():
            return time.monotonic() - begin
        time.sleep(0.05)
    print("WRONG: it did not come to pass")
    return seconds


def state(p):
    """What the agent of a JVM tells, without asking it."""
    ran = subprocess.run(["jopt", "ps"], stdout=subprocess.PIPE, text=True)
    for line in ran.stdout.splitlines():
        if line.split()[0] == str(p.pid):
            return " ".join(line.split()[4:])
    return ""


def leftovers(pid):
    """What clients of a JVM left in /tmp."""
    return [f for f in os.listdir("/tmp") if f.startswith(".jopt-%d-" % pid) or f == ".attach_pid%d" % pid]
