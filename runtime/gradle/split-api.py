#!/usr/bin/env python3
"""usage: split-api.py DECLARATIONS FOLDER

Writes the declarations, of which each begins with its package, as Java files below a
folder, and prints their paths."""
import os
import re
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    text = f.read()
for part in re.split(r"^(?=package )", text, flags=re.M)[1:]:
    package = re.match(r"package ([\w.]+);", part).group(1)
    name = re.search(r"^public (?:abstract )?(?:@?interface|class|enum) (\w+)", part,
                     re.M).group(1)
    path = os.path.join(sys.argv[2], *package.split("."), name + ".java")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(part)
    print(path)
