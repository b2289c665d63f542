# ===- requests.py - tree, tt and alloc of a program that runs --------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Asks Requests.java, and says what is never twice the same in other words.

    requests.py HOME
"""
import json
import shlex

from client import *


def plain(line):
    line = re.sub(r"\d\d:\d\d:\d\d\.\d+", "TIME", line)
    line = re.sub(r"(?<![\w-])\d+\.\d+\b", "T", line)
    return " ".join(re.sub(r"(?<![\w-])\d+\b", "N", line).split())


def ask(text):
    verb, *words = shlex.split(text)
    ran = subprocess.run(["jopt", verb, str(p.pid), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600)
    print("$ %s: %d" % (plain(text) if verb == "tt" and words[:1] and words[0].isdigit() else text, ran.returncode))
    for line in ran.stderr.splitlines() if ran.returncode else []:
        print(line.replace("jopt: ", ""))
    return [l for l in ran.stdout.splitlines() if not l.startswith("probes at work")]


def shape(call):
    """The calls in a call, without times."""
    of = []
    for c in call.get("calls", []):
        text = "%s x%d" % (c["method"].split(".")[-1], c["count"])
        text += " +%d" % c["nested"] if "nested" in c else ""
        text += " !%d" % c["failed"] if "failed" in c else ""
        inner = shape(c)
        of.append(text + (" (%s)" % inner if inner else ""))
    return ", ".join(of)


def wrong(call):
    """Calls of which the times of those in them, and their own, are not their time."""
    inside = call.get("calls", [])
    sums = abs(call["ownMs"] + sum(c["durationMs"] for c in inside) - call["durationMs"]) < 0.001 * (len(inside) + 2)
    return (not sums) + sum(map(wrong, inside))


p = start(4, program="Requests")
trees = list(map(json.loads, ask("tree 'Requests$Desk#handle' 'Requests$Desk#*' --args --limit 40")))
print(len(trees), "trees of", len({t["thread"] for t in trees}), "threads")
for text in sorted({"handle(%s): %s" % (t["args"], shape(t)) for t in trees if t["args"][0] != "far"}):
    print(text)
far = [t for t in trees if t["args"][0] == "far"]
print("far:", {(shape(t).count("ping x1"), shape(t).count("pong x1"), t["leftOut"]) for t in far})
print("times that do not add up:", sum(map(wrong, trees)))
for line in ask("tree 'Requests$Desk#handle' --when 'args[0].equals(\"order\") && durationMs >= 0' --limit 1 --format=text"):
    print(plain(line))
print("status")
ask("tt")
ask("tt 'Requests$Desk#handle' 'Requests$Desk#fail' --rows 20 --self --when 'args[0].equals(\"order\")'")
wait_for(lambda: len(subprocess.run(["jopt", "tt", str(p.pid)], stdout=subprocess.PIPE, text=True).stdout.splitlines()) == 20)
calls = list(map(json.loads, ask("tt")))
numbers = [c["number"] for c in calls]
print("the last 20:", numbers == sorted(numbers) and len(set(numbers)) == 20)
for c in calls:
    c["stack"] = c.get("stack", [])[:1]
    text = {k: c[k] for k in c if k not in ("number", "time", "thread", "durationMs")}
    c["text"] = re.sub(r"(?<![\w-])\d+\b", "N", str(sorted(text.items())))
print("\n".join(sorted({c["text"] for c in calls})))
lines = ask("tt --format=text")
print(plain(lines[0]))
ask("tt 'Requests$Desk#handle' --rows 20000 --self --when 'args[1].equals(5)'")
text = []
while not text:  # the threads go on, and write over what is old
    last = json.loads((ask("tt") or ["{\"number\": 1}"])[-1])
    text = ask("tt %d --format=text" % last["number"])
print("one:", "\n".join(map(plain, text)))
ask("tt 1000000000")
jopt("off", p.pid, pid=p.pid, quiet=True)
ask("tt")
rows = list(map(json.loads, ask("alloc 'Requests$Maker#*' --for 2500ms")))
last = {r["key"]: r for r in rows}
turns = next(r["count"] for r in last.values() if "ArrayList" in r["key"])
# The threads are in the middle of their turns.
near = lambda n, *of: min(of, key=lambda m: abs(n - m))
print(len(last), "sites, of each turn:", [near(r["count"] / turns, 10, 3, 1) for r in last.values() if "ArrayList" not in r["key"]])
print("bytes of an array:", [near(r["array_bytes"] / r["count"], 400, 408, 416, 424, 136, 128, 144) for r in last.values() if r["array_bytes"]])
rows = list(map(json.loads, ask("alloc 'Requests$Maker#*' --when 'length >= 100' --interval 1 --for 1500ms")))
print(sorted({r["key"] for r in rows}))
stop(p)
