# ===- benchmarks/lab/strategies.py - the rows of the table --------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What programs are run with: strategies of jopt, and other agents."""

import os
import subprocess
import zipfile

import pairs
from pairs import Failed

SAME = "A/A"
JACOCO = "jacoco-agent"
REMOVE = "+remove"
# What a strategy records a sample of: that of another one.
SAMPLES = {"sampled": "paths", "dup": "paths", "nodup": "edges"}


class Row:
    """A way to run a program: JVM options, or classes woven before."""

    def __init__(self, name, strategy=None, options=None, passes=None,
                 rate=None):
        self.name = name
        self.strategy = strategy  # of -coverage=; None for others
        self.rate = rate  # of a sample, if it is given
        self.options = options or []
        self.passes = passes  # a pipeline with passes of a plugin
        self.removes = name.endswith(REMOVE)
        self.is_same = name == SAME


def of_the_tool(jopt):
    """{name: what it is right for} of `jopt -coverage=help`, in its order."""
    done = subprocess.run([jopt, "-coverage=help"], capture_output=True, text=True)
    if done.returncode:
        raise Failed("%s -coverage=help: %s" % (jopt, done.stderr.strip()))
    found, name = {}, None
    for line in done.stdout.splitlines():
        if line and not line[0].isspace():
            name = line.split()[0]
            found[name] = ""
        elif "right for: " in line:
            found[name] = line.split("right for: ")[1].split(";")[0]
    return found


def jacoco_agent(folder, jar=None):
    """The path of JaCoCo's agent, taken out of its archive; None if there is none."""
    jar = jar or pairs.jacoco_path()
    if not os.path.exists(jar):
        return None
    with zipfile.ZipFile(jar) as archive:
        if "jacocoagent.jar" not in archive.namelist():
            return jar
        return archive.extract("jacocoagent.jar", folder)


def rows(tools, args, folder):
    """The rows that are asked for, A/A first, and what cannot be had."""
    known = of_the_tool(tools.jopt)
    agent = jacoco_agent(folder, args.jacoco)
    peers = dict(a.split("=", 1) for a in args.agent)
    default = "pos" if "pos" in known else next(iter(known))
    wanted = args.strategies or (
        [JACOCO] * bool(agent) + list(peers) + list(known) +
        ([] if "once" in known else [default + REMOVE]))
    notes = []
    if not agent:
        notes.append("JaCoCo's agent is not here (Debian's libjacoco-java, or "
                     "-jacoco=JAR): no row for it")
    if not any("intellij" in p.lower() for p in peers):
        notes.append("IntelliJ's coverage agent is not in Debian; with "
                     "-agent=intellij=-javaagent:JAR=ARGUMENTS it is a row")
    found = [Row(SAME)]
    for name in wanted:
        if name == SAME:
            continue
        base = name[:-len(REMOVE)] if name.endswith(REMOVE) else name
        base, _, rate = base.partition(":")
        own, _, passes = name.partition("=")
        if passes:
            found.append(Row(own, passes=passes))
        elif name == JACOCO:
            if not agent:
                raise Failed("no JaCoCo agent; give -jacoco=JAR")
            found.append(Row(name, options=[
                "-javaagent:" + agent + "=destfile={exec},excludes=lab.*"]))
        elif name in peers:
            found.append(Row(name, options=[peers[name]]))
        elif base in known:
            if rate and (base not in SAMPLES or not rate.isdigit()):
                raise Failed("%s: only %s have rates, as in dup:100" % (
                    name, ", ".join(SAMPLES)))
            remove = name.endswith(REMOVE) or base == "once"
            row = Row(name, strategy=base, rate=rate or None, options=[
                "-agentpath:%s=coverage=%s,coverage-remove=%s,data={data},"
                "exclude=lab.*" % (tools.agent, base, "on" if remove else "off")
                + (",coverage-rate=" + rate if rate else "")])
            row.removes = remove
            found.append(row)
        else:
            raise Failed("no strategy %s; there are %s, %s, and NAME=PASSES with "
                         "-load-pass-plugin" % (name, ", ".join(known),
                                                ", ".join([JACOCO] + list(peers))))
    return found, notes, known
