#!/usr/bin/env python3
# ===- runtime/boot/rename-classes.py - classes in another package ---------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""usage: rename-classes.py JAR OUT FROM TO CLASS...

Writes those classes of package FROM in JAR, and all of that package that they
refer to, as classes of package TO below the folder OUT.
"""
import os
import struct
import sys
import zipfile

# Bytes of an entry of the constant pool behind its tag (JVM specification, 4.4).
SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3,
         16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def renamed(data, source, target):
    """The class file with the package renamed in all its texts, and the texts."""
    count = struct.unpack_from(">H", data, 8)[0]
    out, texts, at, n = bytearray(data[:10]), [], 10, 1
    while n < count:
        tag = data[at]
        size = SIZES.get(tag, 0)
        if tag == 1:
            size = 2 + struct.unpack_from(">H", data, at + 1)[0]
            text = data[at + 3:at + 1 + size]
            texts.append(text)
            text = text.replace(source, target).replace(
                source.replace(b"/", b"."), target.replace(b"/", b"."))
            out += struct.pack(">BH", tag, len(text)) + text
        else:
            out += data[at:at + 1 + size]
        at += 1 + size
        n += 2 if tag in (5, 6) else 1
    return bytes(out) + data[at:], texts


def main():
    jar, folder, source, target, *names = sys.argv[1:]
    with zipfile.ZipFile(jar) as archive:
        work = [source + "/" + name for name in names]
        done = set(work)
        there = {name[:-6] for name in archive.namelist() if name.endswith(".class")}
        while work:
            name = work.pop()
            data, texts = renamed(archive.read(name + ".class"),
                                  source.encode() + b"/", target.encode() + b"/")
            file = os.path.join(folder, target, name[len(source) + 1:] + ".class")
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as out:
                out.write(data)
            # Names stand alone, or in descriptors.
            mentioned = b";".join(texts).decode("utf-8", "replace")
            for other in sorted(there - done):
                if other in mentioned:
                    done.add(other)
                    work.append(other)


main()
