#!/usr/bin/env python3
"""usage: make-javadoc.py JAVADOC CLASSPATH OUT FOLDER...

Writes the pages of the public classes in the source folders, without times. Classes
of libraries that an artifact is compiled against need not be there: their names
stand in the pages without links."""
import os
import subprocess
import sys

javadoc, path, out, *folders = sys.argv[1:]
sources = sorted(os.path.join(base, name) for folder in folders
                 for base, _, names in os.walk(folder) for name in names
                 if name.endswith(".java"))
command = [javadoc, "-quiet", "-notimestamp", "-Xdoclint:none", "--ignore-source-errors",
           "-encoding", "UTF-8", "-docencoding", "UTF-8", "-charset", "UTF-8", "-protected",
           "-cp", path, "-d", out, *sources]
run = subprocess.run(command, capture_output=True, text=True)
if run.returncode or not os.path.exists(os.path.join(out, "index.html")):
    sys.exit(run.stdout + run.stderr)
