# ===- benchmarks/lab/measure.py - running programs ----------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs programs in pairs, and finds what each strategy does to their classes."""

import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time

import classfile
import execfile
import figures
import pairs
import strategies
from pairs import Failed, call

LIMIT = 900  # seconds for one process
LOADED = 5000  # classes
JACOCO_JARS = ["org.jacoco.core", "asm", "asm-analysis", "asm-commons",
               "asm-tree"]


def say(text):
    print("jopt-lab: " + text, file=sys.stderr, flush=True)


class Tools:
    """Where jopt's parts are, in a build folder or installed."""

    def __init__(self, folder):
        def first(*patterns):
            for pattern in patterns:
                for path in sorted(glob.glob(os.path.join(folder, pattern))):
                    return path
            raise Failed("%s has no %s" % (folder, patterns[0]))
        self.jopt = first("bin/jopt")
        self.data = first("bin/jopt-data")
        self.agent = first("lib/libjopt-agent.so", "lib/*/libjopt-agent.so")
        self.runtime = first("lib/jopt-runtime.jar",
                             "share/java/jopt-runtime.jar")


class Bench:
    """Runs programs with the rows, and keeps what came of it."""

    def __init__(self, args, tools, rows, programs, folder):
        self.args = args
        self.tools = tools
        self.rows = rows
        self.programs = programs
        self.folder = folder  # for what is not kept
        self.java = os.path.join(args.java_home, "bin", "java")
        self.facts_file = os.path.join(args.o, "facts.json")
        self.pairs_file = os.path.join(args.o, "pairs.jsonl")
        self.facts = load_json(self.facts_file, {})
        self.woven = {}  # (program, row): class path of woven inputs
        self.exactly = {}  # (program, kind): its profile
        self.failed = 0

    # --- One process ---------------------------------------------------------

    def command(self, program, row, data):
        """The JVM with its options and class path."""
        options = [o.replace("{data}", os.path.join(data, "data"))
                   .replace("{exec}", os.path.join(data, "own.exec"))
                   for o in (row.options if row else [])]
        path = program.inputs
        if row and row.passes:
            path = self.woven[program.name, row.name] + [self.tools.runtime]
            options.append("-Djopt.data=" + os.path.join(data, "data"))
        # The lab's own classes come last: what is loaded is the program's.
        return [self.java] + self.args.jvm + program.options + options + [
            "-Dlab.started=%d" % time.time_ns(), "-cp",
            ":".join(path + program.others + [self.programs.harness])]

    def process(self, command, data):
        """Runs it; (processor time of the whole process, its output)."""
        shutil.rmtree(data, ignore_errors=True)
        os.makedirs(data)
        before = pairs.resource.getrusage(pairs.resource.RUSAGE_CHILDREN)
        try:
            done = call(command, cwd=data, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            raise Failed("still running after %d s" % LIMIT)
        after = pairs.resource.getrusage(pairs.resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise Failed("exit status %d: %s" % (
                done.returncode, (done.stderr or done.stdout).strip()[-300:]))
        return (after.ru_utime + after.ru_stime - before.ru_utime -
                before.ru_stime, done.stdout)

    def run(self, program, row, turns):
        """One run: what lab.Run says, and the process's time."""
        data = os.path.join(self.folder, "run")
        out = os.path.join(self.folder, "run.json")
        command = self.command(program, row, data)
        cpu, said = self.process(command + ["lab.Run", out, str(turns),
                                            program.main] + program.args, data)
        with open(out, encoding="utf-8") as file:
            found = json.load(file)
        if not found["turns"]:
            raise Failed("it ended before the first turn did")
        found["cpu"] = cpu
        found["said"] = said
        return found

    def load(self, program, row):
        """[clock, processor] nanoseconds of loading the program's classes."""
        data = os.path.join(self.folder, "run")
        jars = [i for i in program.inputs if not os.path.isdir(i)]
        _, said = self.process(self.command(program, row, data) + [
            "lab.Load", str(LOADED)] + jars, data)
        return json.loads(said.strip().splitlines()[-1])

    # --- Weaving the classes -------------------------------------------------

    def weave(self, program, row, options):
        """The inputs, woven by jopt into files of their own, and its counters."""
        target = os.path.join(self.folder, "passes" if row.passes else "woven",
                              program.name, row.name)
        os.makedirs(target, exist_ok=True)
        found, counters = [], {}
        for n, source in enumerate(program.inputs):
            out = os.path.join(target, "%d-%s" % (n, os.path.basename(source)))
            stats = out + ".stats"
            done = call([self.tools.jopt, "-q"] + options + [
                "-stats-json", "-stats-file=" + stats, source, "-o", out])
            if done.returncode not in (0, 2) or not os.path.exists(out):
                raise Failed("jopt: " + done.stderr.strip()[-300:])
            for key, value in load_json(stats, {}).items():
                counters[key] = counters.get(key, 0) + value
            found.append(out)
        return found, counters

    def weave_by_jacoco(self, program):
        """As JaCoCo's own tool does, where Debian's parts of it are here."""
        path = ["/usr/share/java/%s.jar" % j for j in JACOCO_JARS]
        if not all(map(os.path.exists, path)):
            return None
        classes = os.path.join(self.folder, "jacoco")
        if not os.path.exists(classes):
            from programs import JAVA
            self.programs.compile(classes, [JAVA + "/jacoco/Instrument.java"],
                                  path)
        target = os.path.join(self.folder, "woven", program.name, "jacoco")
        os.makedirs(target, exist_ok=True)
        found = []
        for n, source in enumerate(program.inputs):
            jar = source
            if os.path.isdir(source):
                jar = shutil.make_archive(os.path.join(target, "in%d" % n),
                                          "zip", source)
            found.append(os.path.join(target, "%d.jar" % n))
            done = call([self.java, "-Xmx1g", "-cp", ":".join([classes] + path),
                         "Instrument", jar, found[-1]])
            if done.returncode:
                return None  # It cannot read every class file.
        return found

    def look(self, program):
        """Fills in the facts of a program that no pairs are needed for."""
        facts = self.facts.setdefault(program.name, {})
        before = None
        for row in self.rows:
            own = facts.setdefault("rows", {}).setdefault(row.name, {})
            if "done" in own and not row.passes:
                continue
            if before is None:
                before = classfile.sizes(program.inputs)
                facts["classes"] = len(before)
                facts["code"] = sum(sum(m.values()) for _, m in before.values())
                facts["result"] = self.plain(program, facts)
            own.clear()
            try:
                self.look_at(program, row, before, own)
            except (Failed, OSError, ValueError) as error:
                self.fail(program, row, own, error)
            own["done"] = True
            self.save_facts()

    def plain(self, program, facts):
        found = self.run(program, None, 2)
        return {"result": found["result"], "said": found["said"]}

    def look_at(self, program, row, before, own):
        woven = counters = None
        if row.strategy:
            woven, counters = self.weave(program, row,
                                         ["-coverage=" + row.strategy] +
                                         (["-coverage-rate=" + row.rate]
                                          if row.rate else []))
        elif row.passes:
            woven, counters = self.weave(program, row, [
                "-load-pass-plugin=" + p for p in self.args.plugin] +
                ["-passes=" + row.passes])
            self.woven[program.name, row.name] = woven
        elif row.name == strategies.JACOCO:
            woven = self.weave_by_jacoco(program)
        if woven:
            own.update(classfile.growth(before, classfile.sizes(woven)))
        if counters:
            own["sites"] = sites(counters)
        if not row.passes:
            shutil.rmtree(os.path.join(self.folder, "woven"),
                          ignore_errors=True)
        if row.is_same:
            return
        found = self.run(program, row, 2)
        plain = self.facts[program.name]["result"]
        if (found["result"], found["said"]) != (plain["result"], plain["said"]):
            raise Failed("the program's output is another")
        self.recorded(program, row, own)

    def recorded(self, program, row, own):
        """Of the run just now, what was recorded beside `jacoco` of ours."""
        data = os.path.join(self.folder, "run", "data")
        mine = os.path.join(self.folder, "run", "own.exec")
        if os.path.isdir(data):
            own["dump"] = sum(os.path.getsize(os.path.join(f, n))
                              for f, _, names in os.walk(data) for n in names)
            done = call([self.tools.data, "export", data, "-format=exec", "-o",
                         mine])
            if done.returncode not in (0, 2):
                own["note"] = "no exec file: " + done.stderr.strip()[-200:]
                return
            if row.strategy in strategies.SAMPLES:
                kind = strategies.SAMPLES[row.strategy]
                own["overlap"] = figures.overlap(
                    self.exact(program, kind), self.profile(program, kind))
            if "probes do not follow from" in done.stderr:
                return
        elif os.path.exists(mine):
            own["dump"] = os.path.getsize(mine)
        if not os.path.exists(mine):
            return
        ours = execfile.read_exec(mine)
        own["wrong"] = execfile.differences(self.truth(program), ours)

    def truth(self, program):
        """The result of a run by `jacoco`, with all of JaCoCo's probes."""
        file = os.path.join(self.folder, program.name + ".exec")
        if not os.path.exists(file):
            row = strategies.Row("truth", options=[
                "-agentpath:%s=coverage=jacoco,coverage-remove=off,data={data},"
                "exclude=lab.*" % self.tools.agent])
            done = self.aside(lambda: (
                self.run(program, row, 2),
                call([self.tools.data, "export",
                      os.path.join(self.folder, "run", "data"),
                      "-format=exec", "-o", file]))[1])
            if done.returncode not in (0, 2):
                raise Failed("jopt-data: " + done.stderr.strip()[-300:])
        return execfile.read_exec(file)

    def profile(self, program, kind):
        """{path or edge: how often}, of the run just now."""
        folder = os.path.join(self.folder, "profile")
        shutil.rmtree(folder, ignore_errors=True)
        done = call([self.tools.data, "export",
                     os.path.join(self.folder, "run", "data"), "-format=csv",
                     "-o", folder] + ["-classes=" + i for i in program.inputs])
        if done.returncode not in (0, 2):
            raise Failed("jopt-data: " + done.stderr.strip()[-300:])
        with open(os.path.join(folder, kind + ".csv"), encoding="utf-8",
                  newline="") as file:
            return {tuple(v for k, v in r.items() if k != "count"):
                    max(0, int(r["count"])) for r in csv.DictReader(file)}

    def exact(self, program, kind):
        """The same of a run in which all is counted."""
        known = self.exactly.get((program.name, kind))
        if known is None:
            row = strategies.Row("exact", options=[
                "-agentpath:%s=coverage=%s,data={data},exclude=lab.*" % (
                    self.tools.agent, kind)])
            known = self.aside(lambda: (self.run(program, row, 2),
                                        self.profile(program, kind))[1])
            self.exactly[program.name, kind] = known
        return known

    def aside(self, do):
        """What do() yields, while the files of the last run are elsewhere."""
        run, keep = (os.path.join(self.folder, n) for n in ("run", "run.kept"))
        shutil.rmtree(keep, ignore_errors=True)
        os.rename(run, keep)
        try:
            return do()
        finally:
            shutil.rmtree(run, ignore_errors=True)
            os.rename(keep, run)

    # --- Pairs ---------------------------------------------------------------

    def pairs_of(self, program):
        """The measurements to do: (row, kind, how often)."""
        large = program.is_large(self.facts[program.name]["classes"])
        removal = self.args.removal and any(r.removes for r in self.rows)
        for row in self.rows:
            if "failed" in self.facts[program.name]["rows"][row.name]:
                continue
            yield row, "run", self.args.pairs
            if large:
                yield row, "load", min(self.args.pairs, self.args.load_pairs)
            if removal and (row.removes or row.is_same):
                yield row, "removal", min(self.args.pairs,
                                          self.args.removal_pairs)

    def measure_pairs(self, programs):
        """All pairs, those of one number of all rows before those of the next."""
        known = {(p["program"], p["name"], p["kind"], p["pair"])
                 for p in load_pairs(self.pairs_file)}
        todo = [(n, program, row, kind) for program in programs
                for row, kind, often in self.pairs_of(program)
                for n in range(often)
                if (program.name, row.name, kind, n) not in known]
        todo.sort(key=lambda t: t[0])
        began = time.time()
        with open(self.pairs_file, "a", encoding="utf-8") as out:
            for at, (n, program, row, kind) in enumerate(todo):
                if at and at % 20 == 0:
                    left = (time.time() - began) / at * (len(todo) - at)
                    say("%d of %d pairs, about %d min left" % (
                        at, len(todo), left / 60 + 1))
                own = self.facts[program.name]["rows"][row.name]
                if "failed" in own:
                    continue
                try:
                    found = self.pair(program, row, kind, n)
                except (Failed, OSError, ValueError) as error:
                    self.fail(program, row, own, error)
                    self.save_facts()
                    continue
                out.write(json.dumps(found) + "\n")
                out.flush()

    def pair(self, program, row, kind, number):
        measure = {"run": self.run_figures, "load": self.load,
                   "removal": self.removal_figures}[kind]
        own = None if row.is_same else row
        order = [("row", own), ("plain", None)]
        if number % 2:
            order.reverse()  # Who goes first changes.
        found = {"program": program.name, "name": row.name, "kind": kind,
                 "pair": number, "first": order[0][0],
                 "load": os.getloadavg()[0]}
        for name, what in order:
            found[name] = measure(program, what)
        if kind == "run" and (found["row"].pop("result"), found["row"].pop("said")
                              ) != (found["plain"].pop("result"),
                                    found["plain"].pop("said")):
            raise Failed("the program's output is another")
        return found

    def run_figures(self, program, row):
        found = self.run(program, row, program.turns)
        return {"start": found["start"], "cpu": found["cpu"],
                "steady": [figures.steady(found["turns"], k) for k in (0, 1)],
                "turns": [t[:2] for t in found["turns"]],
                "result": found["result"], "said": found["said"]}

    def removal_figures(self, program, row):
        found = self.run(program, row, "%ds" % self.args.removal)
        return {"steady": [figures.steady(found["turns"], k) for k in (0, 1)],
                "series": figures.buckets(found["turns"], self.args.removal)}

    # --- Keeping -------------------------------------------------------------

    def fail(self, program, row, own, error):
        say("%s, %s: %s" % (program.name, row.name, error))
        own["failed"] = str(error)
        self.failed += 1

    def save_facts(self):
        with open(self.facts_file + ".new", "w", encoding="utf-8") as out:
            json.dump(self.facts, out, indent=1)
            out.write("\n")
        os.rename(self.facts_file + ".new", self.facts_file)


def sites(counters):
    """{kind: how many} of what placing passes count."""
    found = {}
    for key, value in counters.items():
        name, _, what = key.partition(".")
        if name.startswith("place") and what != "methods":
            found[what] = found.get(what, 0) + value
    return found


def load_json(path, default):
    if not os.path.exists(path):
        return default
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def load_pairs(path):
    """All whole lines; a run that was stopped may have left a part of one."""
    if not os.path.exists(path):
        return []
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                found.append(json.loads(line))
    return found


def machine(args, tools):
    """The facts about the machine that are kept beside the figures."""
    def first(path, pattern):
        try:
            with open(path, encoding="utf-8") as file:
                found = re.search(pattern, file.read(), re.M)
                return found[1].strip() if found else None
        except OSError:
            return None
    java = call([os.path.join(args.java_home, "bin", "java"), "-version"])
    here = os.path.dirname(os.path.abspath(__file__))
    commit = call(["git", "-C", here, "log", "-1", "--format=%h %s"])
    version = call([tools.jopt, "-version"]).stdout.splitlines()
    return {
        "processors": os.cpu_count(),
        "processor": first("/proc/cpuinfo", r"^model name\s*:\s*(.*)$"),
        "memory": first("/proc/meminfo", r"^MemTotal:\s*(.*)$"),
        "system": " ".join(os.uname()[i] for i in (0, 2, 4)),
        "java": java.stderr.strip().splitlines(),
        "jopt": version[0] if version else "",
        "commit": commit.stdout.strip() or None,
    }
