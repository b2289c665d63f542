#!/usr/bin/env python3
# ===- utils/linkcheck.py - do rewritten classes still link? ---------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Links every class of ORIGINAL and of REWRITTEN under -Xverify:all and
reports those that link in the original but not when rewritten.

ORIGINAL and REWRITTEN are of the same kind: a .jar; a folder of classes; a
folder with jars anywhere below (each one is a unit with a fresh class loader;
the jars beside it come next on its class path, those of -c after them); or a
folder of JDK modules (it has a sub-folder java.base), which are given to the
JVM of that very JDK by --patch-module. Archives within archives and
module-info are not looked at. No class is initialised.

Exit status: 0 all that linked still link; 1 some do not; 2 wrong usage or a
JVM that cannot run at all.
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Where the classes of an archive may be rooted; the rest of a path is a name.
PREFIX = re.compile(
    r"(META-INF/versions/\d+/|WEB-INF/classes/|BOOT-INF/classes/|classes/)?")
CHUNK = 4000

# One loader's (or module's) classes: header is the task file's line.
Unit = collections.namedtuple("Unit", "key header classes")


def jars_below(folder):
    found = []
    for path, folders, files in os.walk(folder):
        folders.sort()
        found += [os.path.join(path, f) for f in sorted(files)
                  if f.endswith(".jar")]
    return found


def class_path(items):
    jars = []
    for item in items:
        jars += jars_below(item) if os.path.isdir(item) else [item]
    return [os.path.abspath(j) for j in jars]


def class_names(root):
    names = []
    for path, folders, files in os.walk(root):
        folders.sort()
        for f in sorted(files):
            if f.endswith(".class") and f != "module-info.class":
                full = os.path.relpath(os.path.join(path, f), root)
                names.append(full[:-6].replace("/", "."))
    return names


def jar_units(jar, key, beside, extra):
    """The units of one jar: one, and one more for each prefix in it."""
    groups = collections.defaultdict(list)
    with zipfile.ZipFile(jar) as archive:
        entries = sorted(set(archive.namelist()))
    for entry in entries:
        if not entry.endswith(".class") or entry.endswith("module-info.class"):
            continue
        prefix = PREFIX.match(entry).group(1) or ""
        name = entry[len(prefix):-6]
        if "\t" not in name and "\n" not in name:
            groups[prefix].append(name.replace("/", "."))
    path = [j for j in beside if j != jar]
    path += [j for j in extra
             if os.path.basename(j) != os.path.basename(jar)]
    for prefix in sorted(groups):
        roots = ([jar + "!" + prefix] if prefix else []) + [jar] + path
        yield Unit(key + ("!" + prefix if prefix else ""),
                   "\t".join(["unit"] + roots), groups[prefix])


def is_modules(path):
    return os.path.isdir(os.path.join(path, "java.base"))


def units_of(path, extra, only):
    path = os.path.abspath(path)
    units = []
    if is_modules(path):
        for module in sorted(os.listdir(path)):
            folder = os.path.join(path, module)
            if os.path.isdir(folder):
                units.append(Unit(module, "module\t" + module,
                                  class_names(folder)))
    elif not os.path.isdir(path):
        units += jar_units(path, os.path.basename(path), [], extra)
    else:
        jars = jars_below(path)
        for jar in jars:
            folder = os.path.dirname(jar)
            beside = [j for j in jars if os.path.dirname(j) == folder]
            units += jar_units(jar, os.path.relpath(jar, path), beside, extra)
        if not jars:
            units.append(Unit(".", "\t".join(["unit", path] + extra),
                              class_names(path)))
    return [u for u in units if not only or re.search(only, u.key)]


class Runner:
    """Runs forks of LinkCheck until every class has a line."""

    def __init__(self, java, classes, options, args):
        self.command = [java, "-Xverify:all", "-Xmx" + args.heap,
                        "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"]
        self.command += args.jvm_arg + options + ["-cp", classes, "LinkCheck"]
        self.timeout = args.timeout
        self.jobs = args.jobs
        self.results = {}
        self.crashes = 0
        self.lock = threading.Lock()

    def run(self, units):
        # Large units are cut, small ones joined, so that forks are few and
        # of similar size.
        queue, batch, size = collections.deque(), [], 0
        for unit in units:
            for start in range(0, len(unit.classes), CHUNK):
                part = unit.classes[start:start + CHUNK]
                batch.append((unit.key, unit.header, part))
                size += len(part)
                if size >= CHUNK:
                    queue.append(batch)
                    batch, size = [], 0
        if batch:
            queue.append(batch)
        failed = []

        def work():
            while not failed:
                try:
                    batch = queue.popleft()
                except IndexError:
                    return
                try:
                    self.run_batch(batch)
                except Exception as error:  # reported by the main thread
                    failed.append(error)

        threads = [threading.Thread(target=work) for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failed:
            raise failed[0]
        return self.results

    def run_batch(self, batch):
        flat = [(key, header, name) for key, header, names in batch
                for name in names]
        done = 0
        with tempfile.TemporaryDirectory(prefix="linkcheck") as folder:
            while done < len(flat):
                lines, why = self.fork(folder, flat[done:])
                with self.lock:
                    for (key, _, name), line in zip(flat[done:], lines):
                        self.results[key, name] = line
                    done += len(lines)
                    if done < len(flat):
                        key, _, name = flat[done]
                        self.results[key, name] = "jvm\t" + why
                        self.crashes += 1
                        done += 1
                        if self.crashes > 200:
                            raise RuntimeError("the JVM died 200 times; "
                                               "the last time: " + why)

    def fork(self, folder, flat):
        tasks = os.path.join(folder, "tasks")
        output = os.path.join(folder, "results")
        with open(tasks, "w", encoding="utf-8",
                  errors="surrogateescape") as out:
            last = None
            for _, header, name in flat:
                if header != last:
                    out.write(header + "\n")
                    last = header
                out.write("class\t" + name + "\n")
        if os.path.exists(output):
            os.remove(output)
        with open(os.path.join(folder, "log"), "w+b") as log:
            process = subprocess.Popen(
                self.command + [tasks, output], cwd=folder, stdout=log,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
            why = self.wait(process, output)
            log.seek(0)
            text = log.read().decode("utf-8", "replace").strip()
        lines = []
        if os.path.exists(output):
            with open(output, encoding="utf-8") as results:
                lines = results.read().split("\n")[:-1]
        elif len(text) > 0:
            raise RuntimeError("the JVM does not start: " + text[-2000:])
        shown = [l for l in text.split("\n")
                 if l.strip("# ") and not l.startswith("WARNING")]
        return lines, why + ": " + " ".join(shown)[:300]

    def wait(self, process, output):
        """Waits; a fork that writes nothing for too long is killed."""
        size, since = -1, time.monotonic()
        while True:
            try:
                return "exit status %d" % process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                now = os.path.getsize(output) if os.path.exists(output) else -1
                if now != size:
                    size, since = now, time.monotonic()
                elif time.monotonic() - since > self.timeout:
                    process.kill()
                    process.wait()
                    return "hung"


def link_all(path, java, classes, args):
    options = []
    if is_modules(path):
        options = ["--add-modules", "ALL-SYSTEM"]
        for module in sorted(os.listdir(path)):
            folder = os.path.abspath(os.path.join(path, module))
            if os.path.isdir(folder):
                options += ["--patch-module", module + "=" + folder]
    units = units_of(path, class_path(args.classpath), args.only)
    return Runner(java, classes, options, args).run(units)


def write_results(path, results):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as out:
        for (key, name), line in sorted(results.items()):
            out.write("%s\t%s\t%s\n" % (key, name, line))


def read_results(path):
    results = {}
    with open(path, encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            key, name, rest = line.rstrip("\n").split("\t", 2)
            results[key, name] = rest
    return results


def is_ok(line):
    return line == "ok"


def compare(before, after):
    """Yields (key, name, before, after) of all that got worse.

    A class that did not link before may fail by another error now, unless that
    error speaks of the class file itself: then it may hide damage.
    """
    damage = ("java.lang.VerifyError", "java.lang.ClassFormatError", "jvm")
    for key_name in sorted(set(before) | set(after)):
        old, new = before.get(key_name), after.get(key_name)
        if new is None:
            yield key_name + (old, "missing")
        elif is_ok(new):
            continue
        elif old is None or is_ok(old):
            yield key_name + (old or "added", new)
        else:
            kind = new.split("\t")[0]
            if kind in damage and kind != old.split("\t")[0]:
                yield key_name + (old, new)


def summary(label, results):
    kinds = collections.Counter(l.split("\t")[0] for l in results.values())
    text = ", ".join("%s %d" % (k, n) for k, n in kinds.most_common())
    print("%s: %d classes: %s" % (label, len(results), text))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("original", metavar="ORIGINAL")
    parser.add_argument("rewritten", metavar="REWRITTEN", nargs="?",
                        help="without it, ORIGINAL is only linked")
    parser.add_argument("--jdk", default="17", metavar="HOME|FEATURE",
                        help="the JDK that links (17)")
    parser.add_argument("-c", "--classpath", action="append", default=[],
                        metavar="JAR|FOLDER", help="further jars")
    parser.add_argument("--only", metavar="REGEX",
                        help="only jars or modules whose name matches")
    parser.add_argument("--results", metavar="FOLDER",
                        help="keep original.tsv and rewritten.tsv there, and "
                             "take original.tsv\nfrom there if it exists")
    parser.add_argument("--jvm-arg", action="append", default=[],
                        help="a further argument of the JVM")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--heap", default="1g")
    parser.add_argument("--timeout", type=int, default=120, metavar="SECONDS",
                        help="for one class (120)")
    parser.add_argument("--show", type=int, default=20, metavar="N",
                        help="print the first N that got worse (20)")
    args = parser.parse_args()

    home = args.jdk
    if home.isdigit():
        found = subprocess.run([os.path.join(HERE, "jdks.sh"), home],
                               stdout=subprocess.PIPE, text=True)
        if found.returncode != 0:
            sys.exit("linkcheck.py: no JDK %s found" % home)
        home = found.stdout.strip()
    for path in [args.original, args.rewritten]:
        if path is not None and not os.path.exists(path):
            print("linkcheck.py: no such file: " + path, file=sys.stderr)
            return 2

    classes = tempfile.mkdtemp(prefix="linkcheck")
    try:
        subprocess.run([os.path.join(home, "bin", "javac"), "-d", classes,
                        os.path.join(HERE, "linkcheck", "LinkCheck.java")],
                       check=True)
        java = os.path.join(home, "bin", "java")
        kept = args.results and os.path.join(args.results, "original.tsv")
        if args.results:
            os.makedirs(args.results, exist_ok=True)
        if kept and os.path.exists(kept):
            before = read_results(kept)
            if args.only:
                before = {k: v for k, v in before.items()
                          if re.search(args.only, k[0])}
        else:
            before = link_all(args.original, java, classes, args)
            if kept and not args.only:
                write_results(kept, before)
        summary("original", before)
        if args.rewritten is None:
            return 0
        after = link_all(args.rewritten, java, classes, args)
        if args.results:
            write_results(os.path.join(args.results, "rewritten.tsv"), after)
        summary("rewritten", after)
    except RuntimeError as error:
        print("linkcheck.py: %s" % error, file=sys.stderr)
        return 2
    finally:
        shutil.rmtree(classes)

    worse = list(compare(before, after))
    for key, name, old, new in worse[:args.show]:
        print("WORSE %s %s\n  was: %s\n  now: %s"
              % (key, name, old, new.replace("\t", ": ")))
    print("%d classes got worse" % len(worse))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
