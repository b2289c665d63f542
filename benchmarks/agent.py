#!/usr/bin/env python3
# ===- benchmarks/agent.py - what the agent costs --------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs Java programs under the agent and under its peers.

start     java -version, ecj -version, and Tomcat until it serves, with probes
          that match nothing, beside an agent whose class-file hook is empty
load      loading of classes when entry and exit of every method are probed:
          what that adds, beside an agent in Java on ASM that makes the same
          calls (peers/AsmAgent.java), and beside a hook that returns a copy of
          what it was given beforehand (peers/prepared-hook.cpp), which is the
          least that changed classes cost; what coverage adds, beside JaCoCo's
          agent
steady    the small loops of overhead/ under both agents
attach    from the attach to the first event, with 10,000 classes loaded
in-flight the time of a turn of endless loops, and of a request to servers with 50
          event loops (netty) and with acceptors (Tomcat), before anything was
          attached and --wait seconds after three attaches that match all classes
          and off; and of loops after 200 attaches and offs of a probe on what
          they call; each beside an agent that has the same classes retransformed
          as often and changes nothing, which is what HotSpot itself leaves. The
          servers are those of Debian's libnetty-java and tomcat10
process   a whole JVM with a small program, from its start to its exit: by the
          clock and by the processors, beside an agent whose hook is empty,
          without and with the capability to retransform, which ours needs;
          what an agent's threads keep the exit back by shows here and nowhere
          else
memory    the resident memory of a JVM at rest (VmRSS), with probes that match
          nothing, less that of one without the agent; the heap is touched
          before in both

The times of start and in-flight are those of processors, all threads together;
of load and steady those of the thread, so that what the JIT's threads do for an
agent in Java does not count against it; of attach those of the clock. Probes
are compiled before. How a row is measured: pairs.py. Exit status: 0 all bounds
hold, 1 not all, 2 something did not run.
"""

import argparse
import glob
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import time
import zipfile

import pairs
from pairs import Failed, call, processor_time, wall

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PARTS = [
    "start", "load", "steady", "attach", "process", "memory", "in-flight"
]
WORKLOADS = ["fib", "paths", "shapes", "mix", "words"]
# Programs with threads in loops, and the jars that they need.
IN_FLIGHT = {
    "loops": ("a turn of endless loops", ""),
    "NettyServer": ("a request to 50 event loops of netty",
                    "netty-{all,buffer,codec,codec-http,common,handler,resolver"
                    ",transport}.jar"),
    "TomcatServer": ("a request to Tomcat", "{tomcat10-*,servlet-api*}.jar"),
}
MANIFEST = """Manifest-Version: 1.0
Premain-Class: AsmAgent
Boot-Class-Path: asm-probe.jar
"""
AGAIN = """Manifest-Version: 1.0
Agent-Class: InFlight
Can-Retransform-Classes: true
"""


class Agents(pairs.Table):
    def __init__(self, args, work):
        super().__init__(args)
        self.work = work
        self.home = pairs.jdk(ROOT, args.jdk)
        if not self.home:
            raise Failed("no JDK %s found" % args.jdk)
        self.java = self.home + "/bin/java"
        self.jopt = os.path.join(args.build, "bin", "jopt")
        self.library = os.path.join(args.build, "lib", "libjopt-agent.so")
        self.empty = "-agentpath:" + os.path.join(args.build, "lib",
                                                  "libempty-hook.so")
        self.loaded = {}
        self.classes = self.compile("agent", "LoadClasses", "FirstEvent",
                                    "Hello", "Rest")

    # --- Setting up ----------------------------------------------------------

    def compile(self, folder, *names, path=""):
        target = os.path.join(self.work, "classes-" + folder)
        wall([self.home + "/bin/javac", "-nowarn", "-cp", path, "-d",
              target] + [os.path.join(HERE, folder, n + ".java")
                         for n in names])
        return target

    def ours(self, probes, *options):
        """The option of java for the agent with a bundle of the probes."""
        bundle = os.path.join(self.work, os.path.basename(probes) + ".jar")
        if not os.path.exists(bundle):
            wall([self.jopt, "-q", "-probes=" + os.path.join(HERE, probes),
                  "-release=8", "-javac=" + self.home + "/bin/javac",
                  "-emit-bundle=" + bundle])
        return "-agentpath:%s=%s" % (
            self.library, ",".join(["probes=" + bundle] + list(options)))

    def asm(self, prefix=""):
        """The option of java for the agent on ASM."""
        jar = os.path.join(self.work, "asm-agent.jar")
        if not os.path.exists(jar):
            path = pairs.asm_path(self.args.corpus)
            classes = self.compile("peers", "Classes", "Measure", "AsmPeer",
                                   "AsmAgent", "AsmAgentProbe", path=path)
            with zipfile.ZipFile(jar, "w") as out:
                out.writestr("META-INF/MANIFEST.MF", MANIFEST)
                for name in sorted(os.listdir(classes)):
                    if name != "AsmAgentProbe.class":
                        out.write(os.path.join(classes, name), name)
                # As such agents are: everything in one archive.
                for other in path.split(":"):
                    with zipfile.ZipFile(other) as archive:
                        for name in archive.namelist():
                            if name.startswith("org/objectweb/") and \
                                    name.endswith(".class"):
                                out.writestr(name, archive.read(name))
            with zipfile.ZipFile(os.path.join(self.work, "asm-probe.jar"),
                                 "w") as out:
                out.write(os.path.join(classes, "AsmAgentProbe.class"),
                          "AsmAgentProbe.class")
        return "-javaagent:" + jar + ("=" + prefix if prefix else "")

    def said(self, command):
        """The figures that the program prints last."""
        done = call(command)
        try:
            return json.loads(done.stdout.strip().split("\n")[-1])
        except ValueError:
            raise Failed("%s\n%s" % (" ".join(command[:4]),
                                     done.stderr[-800:]))

    # --- Nothing matches -----------------------------------------------------

    def tomcat(self):
        """A folder to start Tomcat in, and the command behind java."""
        base = os.path.join(self.work, "tomcat")
        for name in ("lib", "bin", "conf", "logs", "temp", "work",
                     "webapps/app/WEB-INF"):
            os.makedirs(os.path.join(base, name))
        for jar in pairs.jars(self.args.corpus, "tomcat10/*.jar"):
            name = os.path.basename(jar)
            if name == "bootstrap.jar":
                target = "bin/bootstrap.jar"
            elif name.startswith("tomcat10-juli-"):
                target = "bin/tomcat-juli.jar"
            elif name.startswith("tomcat10-"):
                target = "lib/" + name
            else:
                continue
            os.symlink(jar, os.path.join(base, target))
        for jar in pairs.jars(self.args.corpus, "ecj/eclipse-jdt-core-*.jar"):
            os.symlink(jar, os.path.join(base, "lib", os.path.basename(jar)))
        inputs = os.path.join(ROOT, "utils", "real-programs", "tomcat10")
        for name in ("server.xml", "web.xml"):
            shutil.copy(os.path.join(inputs, name),
                        os.path.join(base, "conf", name))
        with open(os.path.join(base, "webapps", "app", "index.txt"), "w",
                  encoding="utf-8") as out:
            out.write("served\n")
        return base, ["-Dcatalina.home=" + base, "-Dcatalina.base=" + base,
                      "-Djava.io.tmpdir=" + base + "/temp", "-cp",
                      base + "/bin/bootstrap.jar:" + base +
                      "/bin/tomcat-juli.jar",
                      "org.apache.catalina.startup.Bootstrap", "start"]

    def start_and_stop(self, command):
        """The processor time of a server until it serves, and of its end."""
        def spent():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime
        before = spent()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as server:
            said = ""
            for line in server.stderr:
                said += line
                if "Server startup in" in line:
                    break
            else:
                raise Failed("%s\n%s" % (" ".join(command[:3]), said[-800:]))
            server.terminate()
            server.stderr.read()
        return spent() - before

    def start(self):
        nothing = self.ours("agent/nothing.xml")
        ecj = ["-cp", pairs.jars(self.args.corpus,
                                 "ecj/eclipse-jdt-core-*.jar")[0],
               "org.eclipse.jdt.internal.compiler.batch.Main", "-version"]
        common = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        programs = {"version": ["-version"], "ecj": ecj}
        rows = {"version": "java -version", "ecj": "ecj -version",
                "tomcat": "Tomcat's start"}
        for name, text in rows.items():
            def measure(agent):
                if name == "tomcat":
                    _, command = self.tomcat_once()
                    return self.start_and_stop([self.java, *common, *agent,
                                                *command])
                return processor_time([self.java, *common, *agent,
                                       *programs[name]])

            self.rounds(
                {"empty": lambda: measure([self.empty]),
                 "again": lambda: measure([self.empty]),
                 "none": lambda: measure([]),
                 "jopt": lambda: measure([nothing])},
                [("start-noise-" + name,
                  text + ", empty hook beside itself", "again", "empty", None),
                 ("start-" + name, text + ", nothing matches : empty hook",
                  "jopt", "empty", 1.25),
                 ("start-none-" + name, text + ", nothing matches : no agent",
                  "jopt", "none", None)], "s")

    def tomcat_once(self):
        if not hasattr(self, "made"):
            self.made = self.tomcat()
        return self.made

    # --- Everything matches --------------------------------------------------

    def load(self):
        jars = pairs.jars(self.args.corpus, *self.args.load)
        count = self.args.classes
        kept = "cache=" + os.path.join(self.work, "kept")
        covers = self.covering()
        agents = {
            "none": [], "empty": [self.empty],
            "jopt": [self.ours("entry-exit.xml")],
            "asm": [self.asm()],
            "kept": [self.ours("entry-exit.xml", kept)],
            "copy": self.prepared(jars), "copy again": self.prepared(jars),
            "pos": [covers], "pos kept": [covers + "," + kept],
            "jacoco": [self.jacoco()]}
        whole, added = "loading %d classes, " % count, "added to that, "
        # What a prepared copy adds is within the noise, so that it is compared
        # with as a whole.
        rows = [
            ("load-noise", whole + "prepared copy beside itself", "copy again",
             "copy", None),
            ("load-hook", whole + "empty hook : no agent", "empty", "none",
             None),
            ("load-copy", whole + "prepared copy : no agent", "copy", "none",
             None),
            ("load-kept-copy", whole + "all in cache=FOLDER : prepared copy",
             "kept", "copy", 1.2),
            ("load", added + "everything matched : ASM agent", "jopt", "asm",
             0.15),
            ("load-kept", added + "all in cache=FOLDER : ASM agent", "kept",
             "asm", None),
            ("load-coverage", added + "coverage=pos : JaCoCo's agent", "pos",
             "jacoco", 0.25),
            ("load-coverage-kept", added + "coverage=pos, all in cache=FOLDER : "
             "JaCoCo's agent", "pos kept", "jacoco", 0.25)]
        rows = [r for r in rows
                if not self.args.only or re.search(self.args.only, r[0])]
        names = [n for n in agents
                 if rows and (n == "none" or any(n in r[2:4] for r in rows))]
        got = {name: [] for name in names}
        try:
            for name in names:
                if name.endswith("kept"):
                    self.seconds(agents[name], jars, count)
            for number in range(self.args.pairs if names else 0):
                first = number % len(names)
                for name in names[first:] + names[:first]:
                    got[name].append(self.seconds(agents[name], jars, count))
        except Failed as error:
            self.fail("load", whole, error)
            return
        for key, text, ours, theirs, bound in rows:
            a, b = ([x - y for x, y in zip(got[n], got["none"])]
                    if text.startswith(added) else got[n]
                    for n in (ours, theirs))
            self.add_ratio(key, text, a, b, [x / y for x, y in zip(a, b)],
                           bound, "s", "<=")

    def seconds(self, agent, jars, count):
        """Of the thread that loads so many classes of the archives."""
        said = self.said(
            [self.java, "-Xmx2g", "-XX:+UseSerialGC", *agent, "-cp",
             self.classes + ":" + ":".join(jars), "LoadClasses", str(count)] +
            jars)
        if said["classes"] != self.loaded.setdefault(count, said["classes"]):
            raise Failed("not the same classes each time: %d of %d" %
                         (said["classes"], self.loaded[count]))
        return said["seconds"]

    def covering(self):
        """The option of java for the agent that covers; what is recorded is
        written nowhere."""
        return "-agentpath:%s=coverage=pos,coverage-remove=off,data=%s" % (
            self.library, os.path.join(self.work, "data"))

    def jacoco(self):
        """The option of java for JaCoCo's agent, which writes nothing."""
        with zipfile.ZipFile(self.args.jacoco) as archive:
            jar = archive.extract("jacocoagent.jar", self.work)
        return "-javaagent:%s=output=none" % jar

    def prepared(self, jars):
        """The option of java for a hook that returns copies of what ours makes
        of all of the classes, which are loaded, and never run."""
        entries = os.path.join(self.work, "prepared")
        if not os.path.exists(entries):
            dump = os.path.join(self.work, "dump")
            self.seconds([self.ours("entry-exit.xml", "dump=" + dump)], jars,
                         self.args.classes)
            with open(entries, "wb") as out:
                for name, file in of_dump(dump):
                    if name == "LoadClasses":
                        continue # It runs, and the probes are not there.
                    with open(file, "rb") as one:
                        content = one.read()
                    name = name.encode()
                    out.write(struct.pack("=II", len(name), len(content)) +
                              name + content)
            shutil.rmtree(dump)
        return ["-agentpath:%s=%s" % (
            os.path.join(self.args.build, "lib", "libprepared-hook.so"),
            entries)]

    def steady(self):
        sources = [os.path.join(HERE, "overhead", n + ".java")
                   for n in ("Work", "Plain", "Measure")]
        folder = os.path.join(self.work, "plain")
        wall([self.home + "/bin/javac", "-d", folder] + sources)
        agents = {"none": [],
                  "jopt": [self.ours("entry-exit.xml",
                                     "include=overhead.Plain*")],
                  "asm": [self.asm("overhead/Plain")]}
        agents["again"] = agents["asm"]
        for workload in WORKLOADS:
            def measure(agent):
                return self.said(
                    [self.java, "-Xmx512m", "-XX:+UseSerialGC", *agent, "-cp",
                     folder, "overhead.Measure", "overhead.Plain", workload,
                     str(self.args.seconds)])["ns"]

            self.rounds(
                {kind: lambda agent=agent: measure(agent)
                 for kind, agent in agents.items()},
                [("steady-noise-" + workload,
                  workload + ": ASM agent beside itself", "again", "asm",
                  None),
                 ("steady-" + workload,
                  workload + ": time under jopt's agent : ASM agent", "jopt",
                  "asm", "noise"),
                 ("steady-none-" + workload,
                  workload + ": time under jopt's agent : no agent", "jopt",
                  "none", None)], "ns")

    # --- Attach --------------------------------------------------------------

    def attach(self):
        jars = pairs.jars(self.args.corpus, *self.args.load)
        # The agent's options are those behind the name of the library.
        options = self.ours("agent/first-event.xml").split("=", 1)[1]
        command = [self.java, "-Xmx2g", "-XX:+UseSerialGC",
                   "-Djdk.attach.allowAttachSelf=true",
                   "-XX:+EnableDynamicAgentLoading", "-cp",
                   self.classes + ":" + ":".join(jars), "FirstEvent",
                   self.library, options, "10000"] + jars
        self.value("attach", "attach to first event, 10,000 classes loaded",
                   lambda: self.said(command)["seconds"], 0.1, "s")

    # --- Start to exit -------------------------------------------------------

    def process(self):
        if self.args.only and not re.search(self.args.only, "process"):
            return
        agents = {"empty": [self.empty], "again": [self.empty], "none": [],
                  "able": [self.empty + "=retransform"],
                  "few": [self.ours("agent/hello.xml")],
                  "nothing": [self.ours("agent/nothing.xml")]}
        names = list(agents)
        spent = {name: [] for name in names}
        for number in range(self.args.pairs):
            first = number % len(names)
            for name in names[first:] + names[:first]:
                spent[name].append(pairs.wall_and_processor_time(
                    [self.java, "-XX:+UseSerialGC",
                     "-XX:TieredStopAtLevel=1", *agents[name], "-cp",
                     self.classes, "Hello"]))
        for which, by in enumerate(("wall", "cpu")):
            self.rounds(
                {name: iter([s[which] for s in spent[name]]).__next__
                 for name in names},
                [("process-%s-noise" % by,
                  "start to exit (%s), empty hook beside itself" % by,
                  "again", "empty", None),
                 ("process-%s-few" % by,
                  "start to exit (%s), few methods probed : empty hook" % by,
                  "few", "empty", None),
                 ("process-%s-nothing" % by,
                  "start to exit (%s), nothing matches : empty hook" % by,
                  "nothing", "empty", None),
                 ("process-%s-able" % by,
                  "start to exit (%s), nothing matches : empty hook that may "
                  "retransform" % by, "nothing", "able", 1.02),
                 ("process-%s-none" % by,
                  "start to exit (%s), few methods probed : no agent" % by,
                  "few", "none", None)], "s")

    # --- Memory at rest ------------------------------------------------------

    def memory(self):
        def resident(agent):
            return self.said(
                [self.java, "-XX:+UseSerialGC", "-Xms32m", "-Xmx32m",
                 "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1", *agent,
                 "-cp", self.classes, "Rest"])["mb"]

        turn = 0

        def more(agent):
            """What it has more than a JVM without; who goes first changes."""
            nonlocal turn
            turn += 1
            got = {}
            for which in (agent, []) if turn % 2 else ([], agent):
                got[bool(which)] = resident(which)
            return got[True] - got[False]

        self.value("memory-noise", "resident memory, empty hook less none",
                   lambda: more([self.empty]), None, "MB")
        self.value("memory", "resident memory, nothing matches less none",
                   lambda: more([self.ours("agent/nothing.xml")]), 4, "MB")

    # --- Loops in flight -----------------------------------------------------

    def looping(self, what, mode, count, library, options):
        """Nanoseconds for a turn, before and after that happened."""
        if not hasattr(self, "loops"):
            self.loops = {}
        if what not in self.loops:
            jars = [j for p in braces(IN_FLIGHT[what][1])
                    for j in glob.glob("/usr/share/java/" + p)]
            if what != "loops" and not jars:
                raise Failed("no jars for %s" % what)
            names = ["InFlight"] + ["Asking", what] * (what != "loops")
            path = ":".join(jars)
            self.loops[what] = path + ":" + self.compile(
                "agent", *names, path=path)
        return self.said(
            [self.java, "-XX:+UseSerialGC", "-XX:+EnableDynamicAgentLoading",
             "-Djdk.attach.allowAttachSelf=true", "-cp", self.loops[what],
             "InFlight", what, str(self.args.wait), mode, str(count), library,
             options])

    def in_flight(self):
        def wanted(*keys):
            return not self.args.only or any(
                re.search(self.args.only, k) for k in keys)

        everything = self.options("entry-exit.xml")
        for what, (text, _) in IN_FLIGHT.items():
            keys = ["in-flight-noise-" + what, "in-flight-peer-" + what,
                    "in-flight-" + what]
            if not wanted(*keys):
                continue
            changed = os.path.join(self.work, "changed")

            def run(mode):
                if mode == "again":
                    return self.looping(what, mode, 4, self.again(), changed)
                dump = os.path.join(self.work, "dump")
                shutil.rmtree(dump, ignore_errors=True)
                got = self.looping(what, mode, 3, self.library,
                                   everything + ",dump=" + dump)
                if mode == "attach":
                    self.write(changed, (name for name, _ in of_dump(dump)))
                return got

            modes = ["attach", "again", "none"]
            try:
                runs = [{m: run(m) for m in modes}
                        for n in range(self.args.pairs)]
            except Failed as error:
                self.fail(keys[-1], text, error)
                continue
            later = text + ", %g s " % self.args.wait
            self.rounds(
                {m + w: iter([r[m][w] for r in runs]).__next__
                 for m in modes for w in ("before", "after")},
                [(keys[0], later + "later : before",
                  "noneafter", "nonebefore", None),
                 (keys[1], later + "after the same classes were retransformed "
                  "four times, unchanged : before", "againafter",
                  "againbefore", None),
                 (keys[2], later + "after three attaches and off : before",
                  "attachafter", "attachbefore", 1 / 0.95)],
                "ns")
        if wanted("in-flight-noise-pairs", "in-flight-pairs"):
            self.pairs_of_attach_and_off()

    def options(self, probes):
        """Those of the agent, which come behind the name of the library."""
        return self.ours(probes).split("=", 1)[1] + ",log=/dev/null"

    @staticmethod
    def write(path, lines):
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in lines)

    def again(self):
        """An agent that retransforms and changes nothing."""
        jar = os.path.join(self.work, "again.jar")
        with zipfile.ZipFile(jar, "w") as out:
            out.writestr("META-INF/MANIFEST.MF", AGAIN)
        return jar

    def pairs_of_attach_and_off(self):
        steps = self.options("agent/step.xml")
        work = os.path.join(self.work, "work")
        self.write(work, ["InFlight$Work"])

        def left(mode, count, library, options):
            run = self.looping("loops", mode, count, library, options)
            return run["after"] / run["before"]

        def peer():
            return left("again", 400, self.again(), work)

        self.rounds(
            {"peer": peer, "peer again": peer,
             "jopt": lambda: left("pairs", 200, self.library, steps)},
            [("in-flight-noise-pairs", "a turn of endless loops (of before) "
              "after 400 retransformations, beside itself", "peer again",
              "peer", None),
             ("in-flight-pairs", "a turn of endless loops (of before) after 200 "
              "attaches and offs : after 400 retransformations", "jopt", "peer",
              1 / 0.95)], "")


def of_dump(folder):
    """The names and files of the classes that an agent changed."""
    for after in glob.glob(os.path.join(folder, "*", "after")):
        for place, _, files in os.walk(after):
            for name in files:
                if name.endswith(".class"):
                    file = os.path.join(place, name)
                    yield os.path.relpath(file[:-6], after), file


def braces(pattern):
    """As the shell takes braces."""
    found = re.fullmatch(r"(.*)\{(.*)\}(.*)", pattern)
    if not found:
        return [pattern]
    return [found[1] + p + found[3] for p in found[2].split(",")]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    pairs.add_arguments(parser, ROOT)
    parser.add_argument("--jdk", default="17", help="feature number (17)")
    parser.add_argument("--seconds", type=float, default=1.0,
                        help="measured time of a small loop (1)")
    parser.add_argument("--wait", type=float, default=60.0,
                        help="seconds in the part in-flight (60)")
    parser.add_argument("--classes", type=int, default=5000,
                        help="how many are loaded in the part load (5000)")
    parser.add_argument("--jacoco", metavar="JAR",
                        default=pairs.jacoco_path(),
                        help="an archive with JaCoCo's agent (%(default)s)")
    parser.add_argument("--load", nargs="+", metavar="JAR",
                        default=["ecj/eclipse-jdt-core-*.jar",
                                 "scala/scala-compiler-*.jar",
                                 "scala/scala-library-*.jar",
                                 "scala/scala-reflect-*.jar",
                                 "h2/*.jar"],
                        help="whose classes (of the corpus)")
    return pairs.run(Agents, parser, PARTS)


if __name__ == "__main__":
    sys.exit(main())
