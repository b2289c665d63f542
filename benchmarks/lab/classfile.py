# ===- benchmarks/lab/classfile.py - sizes of methods --------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Reads how long the methods of class files are."""

import os
import struct
import zipfile

# What HotSpot inlines where it is cold and where it is hot, and compiles at all.
LIMITS = (35, 325, 8000)
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3,
          16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def code_lengths(data):
    """(name of the class, {method and descriptor: bytes of code})."""
    count = struct.unpack_from(">H", data, 8)[0]
    at, n, text, classes = 10, 1, {}, {}
    while n < count:
        tag = data[at]
        if tag == 1:
            length = struct.unpack_from(">H", data, at + 1)[0]
            text[n] = data[at + 3:at + 3 + length]
            at += 3 + length
        else:
            if tag == 7:
                classes[n] = struct.unpack_from(">H", data, at + 1)[0]
            at += 1 + _SIZES[tag]
        n += 2 if tag in (5, 6) else 1
    name = text[classes[struct.unpack_from(">H", data, at + 2)[0]]].decode(
        "utf-8", "replace")
    at += 6
    at += 2 + 2 * struct.unpack_from(">H", data, at)[0]
    found = {}
    for is_method in (False, True):
        members = struct.unpack_from(">H", data, at)[0]
        at += 2
        for _ in range(members):
            _, own, descriptor, attributes = struct.unpack_from(">4H", data, at)
            at += 8
            for _ in range(attributes):
                attribute, length = struct.unpack_from(">HI", data, at)
                if is_method and text[attribute] == b"Code":
                    found[text[own] + text[descriptor]] = struct.unpack_from(
                        ">I", data, at + 10)[0]
                at += 6 + length
    return name, found


def class_files(paths):
    """The bytes of each class file of archives and folders."""
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                for name in sorted(names):
                    if name.endswith(".class"):
                        with open(os.path.join(folder, name), "rb") as file:
                            yield file.read()
        else:
            with zipfile.ZipFile(path) as archive:
                for name in sorted(archive.namelist()):
                    if name.endswith(".class") and \
                            not name.startswith("META-INF/"):
                        yield archive.read(name)


def sizes(paths):
    """{class: (bytes of its file, {method: bytes of code})}."""
    found = {}
    for data in class_files(paths):
        try:
            name, methods = code_lengths(data)
        except (struct.error, KeyError, IndexError):
            continue  # No class file that a JVM would load.
        found.setdefault(name, (len(data), methods))
    return found


def growth(before, after):
    """Code of the classes of both, and how many methods pass each limit that did
    not before."""
    code = [0, 0]
    over = [0] * len(LIMITS)
    for name, (_, methods) in before.items():
        new = after.get(name, (0, {}))[1]
        for method, length in methods.items():
            if method not in new:
                continue
            code[0] += length
            code[1] += new[method]
            for n, limit in enumerate(LIMITS):
                over[n] += length <= limit < new[method]
    return {"code": code, "over": over}
