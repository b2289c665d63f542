# ===- benchmarks/lab/programs.py - what is run --------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""The programs: small kernels, real ones of this machine, and the user's own."""

import glob
import os
import re
import shlex
import zipfile

from pairs import Failed, call

HERE = os.path.dirname(os.path.abspath(__file__))
JAVA = os.path.join(HERE, "java")
KERNELS = ["recursion", "getters", "logic", "switches", "loops", "throws"]
SIZES = [35, 325, 8000]
THREADS = [1, 2, 4, 8]
# Where archives of others are: Debian's, what utils/corpus.sh takes of it, and what
# utils/real-programs/fetch lab has got.
FOLDERS = ["/usr/share/java", "jars/*", "deps", "../programs/jars/lab"]


class Program:
    """One program, ready to be run."""

    def __init__(self, name, inputs, main, args=(), turns=30, others=(),
                 options=()):
        self.name = name
        self.inputs = list(inputs)  # what strategies are compared on
        self.others = list(others)  # what else is on the class path
        self.main = main
        self.args = list(args)
        self.turns = turns
        self.options = list(options)  # of the JVM

    def is_large(self, classes):
        """Loading of its classes is worth measuring."""
        return classes >= 100


def size_source(limit):
    """A class whose method `work` has as many bytes of code as the limit allows,
    with a branch for each ten."""
    lines = ["    if ((x & %d) != 0) y += x;" % (1, 2, 4)[n % 3]
             for n in range((limit - 2) // 10)]
    return """package program;

public final class Size%d {
  static int work(int x, int y) {
%s
    return y;
  }

  public static long run(String[] args) {
    int sum = 0;
    for (int i = 0; i < %d; ++i)
      sum = work(i, sum);
    return sum;
  }
}
""" % (limit, "\n".join(lines), 40000000 // limit)


class Programs:
    """Finds programs by name, and compiles what they need into a folder."""

    def __init__(self, java_home, folder, corpus):
        self.javac = os.path.join(java_home, "bin", "javac")
        self.folder = folder
        self.corpus = corpus
        self.harness = os.path.join(folder, "harness")
        self.compile(self.harness, sorted(glob.glob(JAVA + "/lab/*.java")))

    def compile(self, target, sources, path=()):
        os.makedirs(target, exist_ok=True)
        done = call([self.javac, "-g", "-nowarn", "-proc:none", "-encoding",
                     "UTF-8", "-cp", ":".join(path), "-d", target] + sources)
        if done.returncode:
            raise Failed("javac: " + done.stderr[-800:])

    def jar(self, pattern):
        """The first archive of this machine whose name matches, or None."""
        for folder in FOLDERS:
            where = os.path.normpath(os.path.join(self.corpus, folder))
            for name in sorted(glob.glob(os.path.join(where, "*.jar"))):
                if re.fullmatch(pattern, os.path.basename(name)):
                    return name
        return None

    # --- By name -------------------------------------------------------------

    def available(self):
        """The names of all programs that can be run here, and what is missing."""
        found = ["hello"] + KERNELS + ["size-%d" % s for s in SIZES]
        found += ["threads-%d" % n for n in THREADS]
        missing = {}
        for name, needs in REAL.items():
            lacks = [n for n in needs["jars"] + needs["others"]
                     if not self.jar(n)]
            if lacks:
                missing[name] = lacks
            else:
                found.append(name)
        return found, missing

    def get(self, text):
        """The program that -programs= names."""
        name, _, own = text.partition("=")
        if own or text.endswith(".jar"):
            return self.own(name if own else os.path.basename(text)[:-4],
                            own or text)
        if name in REAL:
            return self.real(name)
        if name in ["hello"] + KERNELS:
            return self.kernel(name, name.capitalize())
        number = re.fullmatch(r"(size|threads)-(\d+)", name)
        if number and number[1] == "size" and 12 <= int(number[2]) < 65000:
            return self.kernel(name, "Size" + number[2],
                               size_source(int(number[2])))
        if number and number[1] == "threads":
            return self.kernel(name, "Threads", args=[number[2]])
        raise Failed("no program %s; there are %s, NAME.jar, and "
                     "NAME='PATH[:PATH] [CLASS [ARGUMENT...]]'" % (
                         name, ", ".join(self.available()[0])))

    def kernel(self, name, main, source=None, args=()):
        target = os.path.join(self.folder, name)
        file = os.path.join(JAVA, "program", main + ".java")
        if source:
            file = os.path.join(self.folder, main + ".java")
            with open(file, "w", encoding="utf-8") as out:
                out.write(source)
        self.compile(target, [file], [self.harness])
        return Program(name, [target], "program." + main, args)

    def real(self, name):
        needs = REAL[name]
        jars = [self.jar(n) for n in needs["jars"]]
        others = [self.jar(n) for n in needs["others"]]
        if None in jars + others:
            raise Failed("%s is not on this machine: no %s" % (
                name, " ".join(self.available()[1][name])))
        target = os.path.join(self.folder, name)
        self.compile(target, [os.path.join(JAVA, "program",
                                           needs["main"] + ".java")],
                     [self.harness] + jars + others)
        args = [a.replace("{java}", JAVA)
                .replace("{harness}", self.harness)
                .replace("{out}", os.path.join(self.folder, name + "-out"))
                for a in needs["args"]]
        return Program(name, jars, "program." + needs["main"], args,
                       needs["turns"], [target] + others,
                       needs.get("options", []))

    def own(self, name, text):
        words = shlex.split(text)
        paths = words[0].split(":")
        for path in paths:
            if not os.path.exists(path):
                raise Failed("%s: no such file" % path)
        main = words[1] if len(words) > 1 and words[1] != "-" else \
            main_class(paths[0])
        return Program(name, [os.path.abspath(p) for p in paths], main,
                       words[2:], turns=1)


def main_class(jar):
    """What the manifest says."""
    if not os.path.isdir(jar):
        with zipfile.ZipFile(jar) as archive:
            if "META-INF/MANIFEST.MF" in archive.namelist():
                text = archive.read("META-INF/MANIFEST.MF").decode("utf-8",
                                                                   "replace")
                found = re.search(r"^Main-Class: *(.+?)\s*$",
                                  text.replace("\r\n ", "")
                                  .replace("\n ", ""), re.M)
                if found:
                    return found[1]
    raise Failed("%s: no Main-Class in the manifest; give NAME='%s CLASS'" % (
        jar, jar))


_ECJ = r"(ecj|eclipse-jdt-core)(-[\d.]+)?\.jar"
# Archives by the pattern of their names: those that are covered, and others.
REAL = {
    "ecj": {"jars": [_ECJ], "others": [], "main": "Ecj", "turns": 8,
            "args": ["-8", "-proc:none", "-nowarn", "-d", "{out}", "-cp",
                     "{harness}", "{java}/lab", "{java}/program/Hello.java",
                     "{java}/program/Getters.java", "{java}/program/Logic.java",
                     "{java}/program/Switches.java", "{java}/program/H2.java",
                     "{java}/program/Threads.java"]},
    "ecj-start": {"jars": [_ECJ], "others": [], "main": "Ecj", "turns": 1,
                  "args": ["-version"]},
    "h2": {"jars": [r"h2(-[\d.]+)?\.jar"], "others": [], "main": "H2",
           "turns": 12, "args": ["3000"]},
    "lucene": {"jars": [r"lucene-core(-[89][\d.]*)?\.jar",
                        r"lucene-analyzers-common(-[89][\d.]*)?\.jar"],
               "others": [], "main": "Lucene", "turns": 12, "args": ["1500"]},
    "groovy": {"jars": [r"groovy-all(-[\d.]+)?\.jar"], "others": [],
               "main": "Groovy", "turns": 12, "args": ["5"]},
    "jruby": {"jars": [r"jruby-(base|core)(-[\d.]+)?\.jar",
                       r"jruby-stdlib(-[\d.]+)?\.jar"],
              "others": [r"joni(-[\d.]+)?\.jar", r"jcodings(-[\d.]+)?\.jar",
                         r"joda-time(-[\d.]+)?\.jar"],
              "main": "JRuby", "turns": 8, "args": ["3"]},
    "jackson": {"jars": [r"jackson-databind-[\d.]+\.jar", r"jackson-core-[\d.]+\.jar"],
                "others": [r"jackson-annotations-[\d.]+\.jar"],
                "main": "Jackson", "turns": 12, "args": ["4000"]},
    "saxon": {"jars": [r"Saxon-HE-[\d.]+\.jar"], "others": [r"xmlresolver-[\d.]+\.jar"],
              "main": "Saxon", "turns": 12, "args": ["30"]},
    "rhino": {"jars": [r"rhino-[\d.]+\.jar"], "others": [],
              "main": "Rhino", "turns": 12, "args": ["20"]},
}
