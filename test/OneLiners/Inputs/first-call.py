# ===- first-call.py - Classes that the first event loads -------------------===#
#
# Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""In a new JVM each: the classes that are loaded once a class has its probes,
but for those of the JVM's own linking."""
from client import *


def one(*words):
    p = start(options=["-Xlog:class+load:file=classes.txt"])
    verb, *options = words
    if verb == "watch":
        options += ["--limit", "1"]
    elif verb != "tt":
        options += ["--for", "300ms"]
    ran = jopt(verb, p.pid, "Main$Work#step", *options, pid=p.pid, quiet=True)
    if verb == "tt":
        wait_for(lambda: "#1" in jopt("tt", p.pid, pid=p.pid, quiet=True).stdout or "number" in jopt("tt", p.pid, pid=p.pid, quiet=True).stdout)
    p.stdin.close()
    p.stdout.read()
    p.wait()
    with open("classes.txt") as f:
        lines = f.read().splitlines()
    begin = next(n for n, line in enumerate(lines) if "Main$Work source: __VM_RedefineClasses__" in line)
    late = [line.split("] ")[-1].split()[0] for line in lines[begin:]]
    # These come later: when a table is printed, or a client asks for the kept calls.
    told = ("jopt.probe.Format", "jopt.probe.Samples", "jopt.probe.Calls$$Lambda")
    print(" ".join(words) + ":", ran.returncode, [c for c in late if c.startswith(("java.time.", "jopt.probe.")) and not c.startswith(told)])


one("watch", "--format=text")
one("watch", "--stack", "3")
one("tt")
one("count", "--by", "caller")
one("top")
one("monitor")
