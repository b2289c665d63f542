#!/usr/bin/env python3
# ===- benchmarks/lab/lab.py - strategies of coverage, measured ----------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""usage: jopt-lab [run|table|plot|check] [options] -o DIR

Measures strategies of coverage, from nothing to a table and plots. Without a verb
all four are done:

  run    compiles the programs, weaves them, and runs them in pairs of JVMs, one
         with a strategy and one without, who is first in turns; what is in DIR
         already is not measured again
  table  writes DIR/table.csv and DIR/table.md
  plot   writes DIR/*.svg, and DIR/index.html with everything
  check  says which goals the figures reach

In DIR are also run.json (the machine, the command, the commit), facts.json (what
was done to the classes, what was recorded) and pairs.jsonl (each pair). A row A/A
is a program beside itself: what is not farther from 1 than that is in brackets, and
nothing is claimed of it. A bound holds if the worse end of the interval meets it.

Exit status: 0 done, 1 unusable (check: a goal is missed), 2 something did not run.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import goals
import measure
import page
import plots
import programs
import strategies
import table
from measure import load_json, load_pairs, say
from pairs import Failed

VERBS = ["run", "table", "plot", "check"]
SETTINGS = ["programs", "strategies", "removal", "jvm", "java_home", "agent",
            "plugin", "turns"]


def listed(text):
    """Parted by commas; a comma in a value is written twice."""
    parts = re.split(r"(?<!,),(?!,)", text)
    return [p.replace(",,", ",") for p in parts if p]


class Parser(argparse.ArgumentParser):
    def _print_message(self, message, file=None):
        """Lets an error through that argparse would pass over."""
        (file or sys.stderr).write(message)


def parser():
    made = Parser(
        prog="jopt-lab", description=__doc__, usage=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("verb", nargs="?", choices=VERBS)

    def option(name, **more):
        made.add_argument("-" + name, "--" + name,
                          dest=name.replace("-", "_"), **more)

    option("o", metavar="DIR")
    option("programs", type=listed, metavar="NAME,...",
           help="default: all of this machine (-programs=help lists them); "
                "A.jar, or NAME='PATH[:PATH] [CLASS [ARGUMENT...]]'")
    option("strategies", type=listed, metavar="NAME,...",
           help="default: JaCoCo's agent, all of `jopt -coverage=help`, and one "
                "with removal (pos+remove); NAME=PASSES is a pipeline with "
                "passes of a plugin")
    option("pairs", type=int, default=30, metavar="N",
           help="for each row (30; from 6 on there is an interval)")
    option("load-pairs", type=int, default=10, metavar="N",
           help="at most, for the loading of classes (10)")
    option("removal", type=int, default=60, metavar="SECONDS",
           help="how long programs run with removal; 0: not at all (60)")
    option("removal-pairs", type=int, default=6, metavar="N",
           help="at most, of those (6)")
    option("turns", type=int, metavar="N",
           help="of a program in a run, instead of its own number")
    option("clock", choices=["cpu", "wall"], default="cpu",
           help="which times the ratios are of: of processors, which other work "
                "of the machine does not lengthen, or by the clock (cpu)")
    option("agent", action="append", default=[], metavar="NAME=OPTION",
           help="another agent as a row: -agent=x=-javaagent:x.jar={data}")
    option("jacoco", metavar="JAR", help="JaCoCo's agent (Debian's)")
    option("load-pass-plugin", action="append", default=[], metavar="FILE")
    option("jvm", action="append", default=[], metavar="OPTION",
           help="for every JVM (default: -Xmx1g -XX:+UseSerialGC)")
    option("java-home", metavar="DIR")
    option("corpus", metavar="DIR", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")),
        "jopt", "corpus"), help="what utils/corpus.sh made, if anything")
    option("build", metavar="DIR", help="where bin/jopt is")
    return made


def java_home():
    for home in [os.environ.get("JAVA_HOME")] + [
            os.path.dirname(os.path.dirname(os.path.realpath(tool)))
            for tool in [shutil.which("javac")] if tool]:
        if home and os.path.exists(os.path.join(home, "bin", "javac")):
            return home
    raise Failed("no JDK; give -java-home=DIR")


def settings(args):
    """What figures of one folder must have in common."""
    return {name: getattr(args, name) for name in SETTINGS}


def run(args, tools):
    """The verb: 0, or 2 if something failed."""
    with tempfile.TemporaryDirectory(prefix="jopt-lab") as folder:
        known = programs.Programs(args.java_home, folder, args.corpus)
        there, missing = known.available()
        if args.programs == ["help"]:
            print("\n".join(there + ["%s: not here, no %s" % (
                name, " ".join(what)) for name, what in missing.items()]))
            return None
        rows, notes, right = strategies.rows(tools, args, folder)
        for name, what in missing.items():
            if not args.programs:
                notes.append("%s is not on this machine (no %s)" % (
                    name, " ".join(what)))
        os.makedirs(args.o, exist_ok=True)
        begin(args, tools, notes, right)
        bench = measure.Bench(args, tools, rows, known, folder)
        chosen = []
        for name in args.programs or there:
            chosen.append(known.get(name))
            if args.turns:
                chosen[-1].turns = args.turns
        for program in chosen:
            say("%s: what is done to its classes" % program.name)
            bench.look(program)
        bench.measure_pairs(chosen)
        return 2 if bench.failed else 0


def begin(args, tools, notes, right):
    """Notes the run, and refuses to mix it with another."""
    path = os.path.join(args.o, "run.json")
    before = load_json(path, None)
    now = {"settings": settings(args), "strategies": right, "notes": notes,
           "machine": measure.machine(args, tools), "command": sys.argv[1:],
           "runs": (before or {"runs": []})["runs"] + [{
               "begin": time.strftime("%Y-%m-%d %H:%M:%S"),
               "load": os.getloadavg()}]}
    if before and (before["settings"] != now["settings"] or
                   before["machine"]["commit"] != now["machine"]["commit"]):
        raise Failed("%s has figures of another command or commit; take another "
                     "folder" % args.o)
    with open(path, "w", encoding="utf-8") as out:
        json.dump(now, out, indent=1)
        out.write("\n")


def figures_of(args):
    """The rows of the figures in the folder."""
    facts = load_json(os.path.join(args.o, "facts.json"), None)
    if facts is None:
        raise Failed("%s has no figures; jopt-lab run -o %s makes them" % (
            args.o, args.o))
    found = load_pairs(os.path.join(args.o, "pairs.jsonl"))
    return table.rows(facts, found, args.clock == "cpu"), found


def heading(args, found):
    """What must be said above the table."""
    known = load_json(os.path.join(args.o, "run.json"), {})
    machine = known.get("machine", {})
    loads = [p["load"] for p in found if isinstance(p.get("load"), float)]
    lines = ["`jopt-lab %s`" % " ".join(known.get("command", [])),
             "%s processors (%s), %s; %s; commit %s. Load of the machine %s." % (
                 machine.get("processors"), machine.get("processor"),
                 machine.get("system"), (machine.get("java") or ["?"])[0],
                 machine.get("commit"),
                 "%.1f to %.1f" % (min(loads), max(loads)) if loads else "?"),
             "Ratios are of %s, medians over pairs of JVMs with their 95 %% "
             "intervals (from 6 pairs on); in brackets what A/A, a program beside "
             "itself, reaches as well." % (
                 "processors' times" if args.clock == "cpu" else
                 "times by the clock")]
    return "\n\n".join(lines + known.get("notes", []))


def write_table(args):
    rows, found = figures_of(args)
    table.write_csv(rows, os.path.join(args.o, "table.csv"))
    text = table.markdown(rows, heading(args, found))
    with open(os.path.join(args.o, "table.md"), "w", encoding="utf-8") as out:
        out.write(text)
    print(text, end="")
    return 0


def write_plots(args):
    rows, found = figures_of(args)
    drawn = plots.all_plots(rows, found, table.MEAN)
    for name, svg in drawn.items():
        with open(os.path.join(args.o, name), "w", encoding="utf-8") as out:
            out.write(svg)
    known = load_json(os.path.join(args.o, "run.json"), {})
    page.write(os.path.join(args.o, "index.html"), rows, drawn,
               heading(args, found), json.dumps(known, indent=1))
    say("%s and %s" % (", ".join(drawn) or "no plot",
                       os.path.join(args.o, "index.html")))
    return 0


def check(args):
    rows, found = figures_of(args)
    known = load_json(os.path.join(args.o, "run.json"), {})
    said = goals.check(rows, found, known.get("strategies", {}))
    for program, name, what, text, verdict in said:
        print("%-6s %s, %s: %s: %s" % (verdict, program, name, what, text))
    return 1 if any(s[-1] == "fails" for s in said) else 0


def main():
    args = parser().parse_args()
    if not args.o and args.programs != ["help"]:
        parser().error("-o=DIR is missing")
    try:
        statuses = []
        if args.verb in (None, "run"):
            args.java_home = args.java_home or java_home()
            args.jvm = args.jvm or ["-Xmx1g", "-XX:+UseSerialGC"]
            args.plugin = [os.path.abspath(p) for p in args.load_pass_plugin]
            args.o = os.path.abspath(args.o or "")
            tools = measure.Tools(args.build or os.environ.get(
                "JOPT_LAB_BUILD", os.path.dirname(os.path.dirname(HERE))))
            status = run(args, tools)
            if status is None:
                return 0
            statuses.append(status)
        if args.verb in (None, "table"):
            statuses.append(write_table(args))
        if args.verb in (None, "plot"):
            statuses.append(write_plots(args))
        if args.verb in (None, "check"):
            missed = check(args)
            # A missed goal is a result; only the verb `check` reports it.
            statuses.append(missed if args.verb else 0)
        return max(statuses)
    except (Failed, OSError) as error:
        say("error: %s" % error)
        return 1


def ended():
    """The status of main(), once standard output has taken all that is for it."""
    try:
        try:
            status = main()
        except SystemExit as end:
            status = end.code
        if sys.stdout:
            sys.stdout.flush()
        return status
    except OSError as error:
        # Python would try once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            say("standard output: error: cannot write: " + error.strerror)
        return 1


if __name__ == "__main__":
    sys.exit(ended())
