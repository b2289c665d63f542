#!/usr/bin/env python3
# ===- runtime/boot/embed-classes.py - jopt.boot as a constant --------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""usage: embed-classes.py FOLDER OUTPUT

Writes the class files of jopt.boot below FOLDER as C++: PackedClasses, all of
them one behind the other, in zlib's format, and a row of BootClasses for each,
in the order of their names.
"""
import glob
import os
import sys
import zlib

folder, output = sys.argv[1:]
files = sorted(glob.glob(folder + "/jopt/boot/**/*.class", recursive=True))
content = [open(file, "rb").read() for file in files]
with open(output, "w", encoding="ascii") as out:
    out.write("static constexpr llvm::StringLiteral PackedClasses =\n")
    packed = zlib.compress(b"".join(content), 9)
    for at in range(0, len(packed), 1000):
        out.write('"%s"\n' % "".join("\\x%02x" % b for b in packed[at:at + 1000]))
    out.write(";\nstatic constexpr BootClass BootClasses[] = {\n")
    begin = 0
    for file, data in zip(files, content):
        name = os.path.relpath(file, folder)[:-len(".class")]
        out.write('{"%s", %d, %d},\n' % (name, begin, len(data)))
        begin += len(data)
    out.write("};\nstatic constexpr size_t UnpackedSize = %d;\n" % begin)
