#!/usr/bin/env python3
"""usage: same-entries.py A B

Ends with 1, and says where, if two files or folders differ: files by their bytes,
archives by the order, names and contents of their entries, also of those in them."""
import io
import os
import sys
import zipfile

ARCHIVES = (".jar", ".war", ".ear", ".zip", ".rar", ".jmod")


def same(a, b, name):
    if a == b:
        return True
    if not name.endswith(ARCHIVES):
        return name
    with zipfile.ZipFile(io.BytesIO(a)) as x, zipfile.ZipFile(io.BytesIO(b)) as y:
        p, q = x.infolist(), y.infolist()
        if [i.filename for i in p] != [i.filename for i in q]:
            return f"{name}: entries: {set(x.namelist()) ^ set(y.namelist())}"
        for i, j in zip(p, q):
            found = same(x.read(i), y.read(j), f"{name}!/{i.filename}")
            if found is not True:
                return found
    return True


def files(top):
    if os.path.isfile(top):
        return [""]
    return sorted(os.path.relpath(os.path.join(d, f), top)
                  for d, _, names in os.walk(top, followlinks=True) for f in names)


def read(top, name):
    with open(os.path.join(top, name) if name else top, "rb") as f:
        return f.read()


a, b = sys.argv[1:]
if files(a) != files(b):
    sys.exit(f"{b}: not the same files: {sorted(set(files(a)) ^ set(files(b)))[:5]}")
for f in files(a):
    found = same(read(a, f), read(b, f), f or a)
    if found is not True:
        sys.exit(f"{b}: differs: {found}")
