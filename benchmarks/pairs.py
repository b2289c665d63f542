# ===- benchmarks/pairs.py - figures in pairs of processes -----------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What the benchmarks share: a table whose rows are ratios.

A row is measured in pairs: one process of each, in turns, so that what else
the machine does meets both (of several programs that are compared with one
another, one process of each makes a round). Shown are the medians, with the
least in brackets, the ratio's median over the pairs, and its 95 % interval
(order statistics; from 6 pairs on). A bound "holds" if the interval's worse end
meets it, and only the median's word is "(median)" where there are too few
pairs. A row noise sets something beside itself: nothing is claimed below it.
"""

import glob
import json
import math
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    """A command that did not run to its end."""


def call(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, **options)
    return done


def throughput(command):
    """MB/s as the last line of the command's output says."""
    done = call(command)
    try:
        return float(json.loads(done.stdout.strip().split("\n")[-1])
                     ["mb_per_s"])
    except (ValueError, KeyError):
        raise Failed("%s\n%s" % (" ".join(command[:6]), done.stderr[-800:]))


def wall(command, accept=(0,), **options):
    start = time.perf_counter()
    done = call(command, **options)
    seconds = time.perf_counter() - start
    if done.returncode not in accept:
        raise Failed("%s\n%s" % (" ".join(command), done.stderr[-800:]))
    return seconds


def wall_and_processor_time(command, accept=(0,), **options):
    """Seconds by the clock, and of all processors, user and system, and of all
    threads."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = spent()
    seconds = wall(command, accept, **options)
    return seconds, spent() - before


def processor_time(command, accept=(0,), **options):
    return wall_and_processor_time(command, accept, **options)[1]


def peak_rss(command, accept=(0,)):
    """The peak resident set in MB, by GNU time."""
    done = call(["/usr/bin/time", "-v"] + command)
    found = re.search(r"Maximum resident set size \(kbytes\): (\d+)",
                      done.stderr)
    if done.returncode not in accept or not found:
        raise Failed("%s\n%s" % (" ".join(command), done.stderr[-800:]))
    return int(found.group(1)) / 1000


def interval(values):
    """The 95 % interval of the median, or None if there are too few."""
    values, n = sorted(values), len(values)
    # The largest k with P(fewer than k of n below the median) <= 2.5 %.
    below, k = 0.0, 0
    while True:
        below += math.comb(n, k) / 2.0 ** n
        if below > 0.025:
            break
        k += 1
    if k == 0:
        return None
    return values[k - 1], values[n - k]


class Table:
    """Rows of figures; args has `pairs` and `only`."""

    def __init__(self, args):
        self.args = args
        self.rows = []
        self.failed = False

    def row(self, key, text, ours, theirs, bound, unit, sense=">=",
            pairs=None):
        """Adds a row: the ratio ours/theirs against a bound."""
        if self.args.only and not re.search(self.args.only, key):
            return
        a, b, ratios = [], [], []
        try:
            for number in range(pairs or self.args.pairs):
                # Who goes first changes too.
                order = (ours, theirs) if number % 2 == 0 else (theirs, ours)
                got = {}
                for measure in order:
                    got[measure] = measure()
                a.append(got[ours])
                b.append(got[theirs])
                ratios.append(got[ours] / got[theirs])
        except Failed as error:
            self.fail(key, text, error)
            return
        self.add_ratio(key, text, a, b, ratios, bound, unit, sense)

    def fail(self, key, text, error):
        print("%s: %s" % (key, error), file=sys.stderr)
        self.rows.append({"row": key, "text": text, "error": str(error)})
        self.failed = True

    def rounds(self, measures, rows, unit, sense="<="):
        """Measures what `measures` names, each once in a round, and adds rows
        (key, text, ours, theirs, bound) of ratios within the rounds. The bound
        "noise" is 1, or how far the first row, something beside itself, is off
        at the worst."""
        rows = [r for n, r in enumerate(rows)
                if n == 0 or not self.args.only or
                re.search(self.args.only, r[0])]
        if len(rows) == 1 and self.args.only and not re.search(self.args.only,
                                                               rows[0][0]):
            return
        noise = 1
        names = [n for n in measures if any(n in r[2:4] for r in rows)]
        got = {name: [] for name in names}
        try:
            for number in range(self.args.pairs if names else 0):
                first = number % len(names)
                for name in names[first:] + names[:first]:
                    got[name].append(measures[name]())
        except Failed as error:
            for key, text, *_ in rows:
                self.fail(key, text, error)
            return
        for key, text, ours, theirs, bound in rows:
            a, b = got[ours], got[theirs]
            ratios = [x / y for x, y in zip(a, b)]
            if key == rows[0][0]:
                ends = interval(ratios) or (min(ratios), max(ratios))
                noise = max(1, ends[1], 1 / ends[0])
            self.add_ratio(key, text, a, b, ratios,
                           noise if bound == "noise" else bound, unit, sense)

    def add_ratio(self, key, text, a, b, ratios, bound, unit, sense):
        ratio, ends = statistics.median(ratios), interval(ratios)
        verdict = None
        if bound is not None:
            worst = ratio
            if ends:
                worst = ends[0] if sense == ">=" else ends[1]
            verdict = worst >= bound if sense == ">=" else worst <= bound
        self.rows.append({
            "row": key, "text": text, "unit": unit,
            "jopt": statistics.median(a), "peer": statistics.median(b),
            "jopt_least": min(a), "peer_least": min(b),
            "ratio": ratio, "interval": ends, "bound": bound, "sense": sense,
            "holds": verdict, "pairs": len(ratios)})
        self.print_row(self.rows[-1])

    def value(self, key, text, measure, bound, unit, repeat=None):
        """Adds a row that is no ratio: a median against an upper bound."""
        if self.args.only and not re.search(self.args.only, key):
            return
        try:
            values = [measure() for _ in range(repeat or self.args.pairs)]
        except Failed as error:
            self.fail(key, text, error)
            return
        median, ends = statistics.median(values), interval(values)
        worst = ends[1] if ends else median
        self.rows.append({
            "row": key, "text": text, "unit": unit, "jopt": median,
            "interval": ends, "bound": bound, "sense": "<=",
            "holds": None if bound is None else worst <= bound,
            "pairs": len(values)})
        self.print_row(self.rows[-1])

    def print_header(self):
        print("| what | jopt | peer | unit | ratio | 95 % | bound | holds |")
        print("|---|---|---|---|---|---|---|---|")

    def print_row(self, row):
        def number(key):
            if row.get(key) is None:
                return ""
            least = row.get(key + "_least")
            return "%.4g" % row[key] + (" (%.4g)" % least
                                        if least is not None else "")
        ends = row.get("interval")
        holds = {True: "yes", False: "NO", None: ""}[row.get("holds")]
        if holds and not ends:
            holds += " (median)"
        bound = ("%s %g" % (row["sense"], row["bound"])
                 if row.get("bound") is not None else "")
        print("| %s | %s | %s | %s | %s | %s | %s | %s |" % (
            row["text"], number("jopt"), number("peer"), row["unit"],
            number("ratio"),
            "%.3g to %.3g" % tuple(ends) if ends else "", bound, holds),
            flush=True)

    def finish(self):
        """Writes the figures and returns the exit status: 0 all bounds hold, 1
        not all, 2 something did not run."""
        if self.args.json:
            with open(self.args.json, "w", encoding="utf-8") as out:
                json.dump(self.rows, out, indent=1)
                out.write("\n")
        if self.failed:
            return 2
        return 0 if all(r.get("holds") is not False for r in self.rows) else 1


def add_arguments(parser, root):
    """The options that every benchmark has."""
    cache = os.environ.get("XDG_CACHE_HOME",
                           os.path.expanduser("~/.cache"))
    parser.add_argument("--build", default=os.path.join(root, "build"),
                        help="the build folder with bin/jopt")
    parser.add_argument("--corpus", default=os.path.join(cache, "jopt",
                                                         "corpus"),
                        help="what utils/corpus.sh made")
    parser.add_argument("--pairs", type=int, default=6,
                        help="pairs of processes for each row (6; 30 before "
                             "anything is claimed)")
    parser.add_argument("--only", metavar="REGEX",
                        help="only rows whose key matches")
    parser.add_argument("--json", metavar="FILE", help="write all figures there")


def jars(corpus, *patterns):
    """Archives of the corpus; its files are in a folder for each program."""
    found = [j for p in patterns
             for j in sorted(glob.glob(os.path.join(corpus, "jars", p)))]
    if not found:
        raise Failed("the corpus has no %s" % " ".join(patterns))
    return found


def peers():
    """The folder of today's peers, which utils/real-programs/fetch gets; it may not be
    there."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(cache, "jopt", "programs", "jars", "peers")


def jacoco_path():
    """JaCoCo's agent, in an archive: today's if it was fetched, else Debian's."""
    found = glob.glob(os.path.join(peers(), "org.jacoco.agent-*.jar"))
    return found[0] if found else "/usr/share/java/org.jacoco.agent.jar"


def asm_path(corpus):
    """The class path of ASM: today's if it was fetched, else that of Debian's package or
    the corpus."""
    jars = []
    for part in ("asm", "asm-tree", "asm-analysis", "asm-commons"):
        found = [j for f in (peers(), "/usr/share/java", os.path.join(corpus, "deps"))
                 for j in sorted(glob.glob(f + "/" + part + "-[0-9]*.jar"))]
        if not found:
            raise Failed("no %s.jar: install libasm-java" % part)
        jars.append(found[0])
    return ":".join(jars)


def newest_jdk(root):
    """The folder of the newest JDK that has java.lang.classfile, or None."""
    found = [line.split(" ", 1) for line in
             call([os.path.join(root, "utils", "jdks.sh")]).stdout.splitlines()]
    newest = max(((int(f), home) for f, home in found), default=(0, None))
    return newest[1] if newest[0] >= 24 else None


def jdk(root, feature):
    """The folder of a JDK, or None."""
    found = call([os.path.join(root, "utils", "jdks.sh"), feature])
    return found.stdout.strip() if found.returncode == 0 else None


def memory_folder():
    """A file system in memory, or None. What a disk's takes to make a file
    differs by a factor of ten, as ext4 looks at every inode that was freed
    lately, and that would be most of what cold processes are measured to take.
    """
    folder = "/dev/shm"
    if os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > 1 << 31:
        return folder
    return None


def run(make, parser, parts):
    """The rest of a benchmark's main: parses the options, makes the table by
    make(args, folder) and runs its methods that are named like the parts."""
    parser.add_argument("--part", action="append", choices=parts,
                        help="only this part; may be repeated")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    with tempfile.TemporaryDirectory(prefix="jopt-bench",
                                     dir=memory_folder()) as work:
        try:
            bench = make(args, work)
            print("%s, %d processors, load %.1f, %d pairs\n" % (
                time.strftime("%Y-%m-%d"), os.cpu_count(),
                os.getloadavg()[0], args.pairs))
            bench.print_header()
            for part in args.part or parts:
                getattr(bench, part.replace("-", "_"))()
        except Failed as error:
            print("%s: %s" % (parser.prog, error), file=sys.stderr)
            return 2
    return bench.finish()
