#!/usr/bin/env python3
# ===- benchmarks/ready.py - what ready probes cost a program --------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Transactions of a bank on h2 with lib:jdbc, beside the same without, and the start
of a server.

How a row is measured: pairs.py. The seconds are those of the processor that the
program's thread takes, so waiting does not count, which is the worst case.

turns     woven and not, in one JVM, in loaders of their own, by turns; a round is
          some thousand transactions, and --pairs counts rounds times 10. What
          else the machine does and what the compilers make of the JDK meets both
memory    a JVM each, woven and under the agent: the second half of the
          transactions, with the database in memory
file      the same, with the database in a file
start     a JVM from its start until Tomcat has answered the first requests of an
          application with a database (utils/real-programs/tomcat11), and ended:
          the agent with lib:jdbc and lib:http-server, and OpenTelemetry's, which
          exports nothing, both beside none. utils/real-programs/fetch gets them:
          tomcat11 peers
aot       the same of an application of Spring Boot whose JVM has an AOT cache: jars
          that were woven with lib:jdbc and lib:http-server before the cache was
          made, beside the jars as they are and their cache. Takes --java=25 or
          later; fetch gets it: spring-boot

Exit status: 0 all bounds hold, 1 not all, 2 something did not run.
"""

import argparse
import glob
import os
import shutil
import sys
import zipfile

import pairs
from pairs import Failed, call, processor_time, wall

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PARTS = ["turns", "memory", "file", "start", "aot"]
PROGRAMS = os.path.join(ROOT, "utils", "real-programs")
H2 = "/usr/share/java/h2.jar"


class Bench(pairs.Table):
    def __init__(self, args, work):
        super().__init__(args)
        self.work = work
        lib = os.path.join(args.build, "lib")
        java = pairs.jdk(ROOT, args.java)
        if not java:
            raise Failed("no JDK %s found" % args.java)
        self.java = java + "/bin/java"
        self.agent = "-agentpath:%s/libjopt-agent.so=probes=lib:jdbc,log=%s/log" % (
            lib, work)
        self.woven = os.path.join(work, "h2.jar")
        self.api = ":".join(os.path.join(lib, j) for j in
                            ("jopt-probes.jar", "jopt-runtime.jar"))
        self.apart = os.path.join(work, "rounds")
        for source, folder in (("Bank", work), ("BankRounds", self.apart)):
            wall([java + "/bin/javac", "-d", folder,
                  os.path.join(HERE, "ready", source + ".java")])
        wall([os.path.join(args.build, "bin", "jopt"), "-q",
              "-probes=lib:jdbc", H2, "-o", self.woven])

    def seconds(self, url, path, *options):
        for folder in ("data", "db"):
            shutil.rmtree(os.path.join(self.work, folder), ignore_errors=True)
        done = call([self.java, "-Xms512m", "-Xmx512m", "-XX:+UseSerialGC",
                     *options, "-Djopt.data=" + self.work + "/data",
                     "-cp", self.work + ":" + path, "Bank", url,
                     str(self.args.transactions)])
        try:
            return float(done.stdout.split()[0])
        except (IndexError, ValueError):
            raise Failed(done.stderr[-800:])

    def turns_of(self, key, text, path, bound):
        plain = self.work + ":" + H2
        done = call([self.java, "-Xms1g", "-Xmx1g", "-XX:+UseSerialGC",
                     "-Djopt.data=" + self.work + "/data", "-cp", self.apart,
                     "BankRounds", str(10 * self.args.pairs), "4000", plain,
                     self.work + ":" + path])
        if done.returncode != 0:
            self.fail(key, text, done.stderr[-800:])
            return
        rounds = [[float(x) for x in line.split()]
                  for line in done.stdout.splitlines()]
        b, a = zip(*rounds)
        self.add_ratio(key, text, a, b, [x / y for y, x in rounds], bound, "s",
                       "<=")

    def turns(self):
        self.turns_of("turns-noise", "h2 in memory, without probes, beside itself",
                       H2, None)
        self.turns_of("turns-woven", "h2 in memory, woven : without",
                       self.woven + ":" + self.api, 1.1)

    def bank(self, name, url):
        plain = lambda: self.seconds(url, H2)
        self.row("noise-" + name, "h2 in %s, without probes, beside itself" % name,
                 plain, lambda: self.seconds(url, H2), None, "s", "<=")
        self.row("woven-" + name, "h2 in %s, woven : without" % name,
                 lambda: self.seconds(url, self.woven + ":" + self.api), plain,
                 1.1, "s", "<=")
        self.row("agent-" + name, "h2 in %s, agent : without" % name,
                 lambda: self.seconds(url, H2, self.agent), plain, 1.1, "s",
                 "<=")

    def memory(self):
        self.bank("memory", "jdbc:h2:mem:bank")

    def file(self):
        self.bank("file", "jdbc:h2:" + self.work + "/db/bank")

    def start(self):
        jars = os.path.join(os.path.dirname(pairs.peers()), "tomcat11", "*")
        others = glob.glob(os.path.join(pairs.peers(), "opentelemetry-javaagent-*.jar"))
        folder = os.path.join(self.work, "server")
        wall([self.java + "c", "-proc:none", "-nowarn", "-d", folder, "-cp", jars,
              os.path.join(PROGRAMS, "Rounds.java"),
              os.path.join(PROGRAMS, "tomcat11", "Program.java")])

        def seconds(*options):
            run = os.path.join(self.work, "run")
            shutil.rmtree(run, ignore_errors=True)
            os.mkdir(run)
            return processor_time(
                [self.java, "-Xmx512m", "-XX:+UseSerialGC", *options,
                 "-Djopt.data=" + run + "/data", "-cp", folder + ":" + jars,
                 "Program", os.path.join(PROGRAMS, "tomcat11", "page.jsp")],
                cwd=run)

        agent = self.agent.replace("lib:jdbc", "lib:jdbc,probes=lib:http-server")
        measures = {"none": seconds, "again": seconds,
                    "jopt": lambda: seconds(agent)}
        rows = [("start-noise", "Tomcat until it has answered, without an agent, "
                 "beside itself", "again", "none", None),
                ("start-agent", "Tomcat until it has answered, agent : without",
                 "jopt", "none", 1.05)]
        if others:
            exports = ["-Dotel.%s.exporter=none" % kind
                       for kind in ("traces", "metrics", "logs")]
            measures["otel"] = lambda: seconds("-javaagent:" + others[0], *exports)
            rows.append(("start-otel", "Tomcat until it has answered, "
                         "OpenTelemetry's agent : without", "otel", "none", None))
        self.rounds(measures, rows, "s")

    def aot(self):
        if int(self.args.java) < 25:
            print("aot: left out, as it takes --java=25 or later", file=sys.stderr)
            return
        app = os.path.join(os.path.dirname(pairs.peers()), "spring-boot", "app.jar")
        if not os.path.exists(app):
            raise Failed("no %s: utils/real-programs/fetch spring-boot" % app)
        plain, woven = (os.path.join(self.work, f) for f in ("spring", "spring-woven"))
        os.mkdir(plain)
        with zipfile.ZipFile(app) as archive, \
                zipfile.ZipFile(plain + "/program.jar", "w") as program:
            for name in archive.namelist():
                if name.startswith("BOOT-INF/lib/") and name.endswith(".jar"):
                    with open(os.path.join(plain, os.path.basename(name)), "wb") as jar:
                        jar.write(archive.read(name))
                elif name.startswith("BOOT-INF/classes/") and not name.endswith("/"):
                    program.writestr(name[len("BOOT-INF/classes/"):], archive.read(name))
        wall([os.path.join(self.args.build, "bin", "jopt"), "-q", "-probes=lib:jdbc",
              "-probes=lib:http-server", plain, "-o", woven], accept=(0, 2))

        def command(folder, more, *options):
            path = sorted(glob.glob(folder + "/*.jar")) + more
            return [self.java, "-Xmx512m", "-XX:+UseSerialGC", *options,
                    "-Djopt.data=" + self.work + "/run/data", "-cp", ":".join(path),
                    "shop.Program"]

        def measure(folder, more, cached=True):
            run = os.path.join(self.work, "run")

            def seconds(*options):
                shutil.rmtree(run, ignore_errors=True)
                os.mkdir(run)
                return processor_time(command(folder, more, *options), cwd=run)
            if not cached:
                return seconds
            cache = folder + ".aot"
            seconds("-XX:AOTCacheOutput=" + cache)
            return lambda: seconds("-XX:AOTCache=" + cache)

        beside = measure(plain, [])
        measures = {"plain": beside, "again": beside,
                    "woven": measure(woven, self.api.split(":")),
                    "uncached": measure(plain, [], cached=False)}
        self.rounds(measures, [
            ("aot-noise", "Spring with an AOT cache until it has answered, beside itself",
             "again", "plain", None),
            ("aot-woven", "Spring with an AOT cache until it has answered, woven before : not",
             "woven", "plain", 1.05),
            ("aot-without", "Spring until it has answered, without a cache : with one",
             "uncached", "plain", None)], "s")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    pairs.add_arguments(parser, ROOT)
    parser.add_argument("--java", default="17", help="17 or 25")
    parser.add_argument("--transactions", type=int, default=60000)
    return pairs.run(Bench, parser, PARTS)


if __name__ == "__main__":
    sys.exit(main())
