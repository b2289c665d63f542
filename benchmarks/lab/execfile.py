# ===- benchmarks/lab/execfile.py - JaCoCo's files -----------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Reads JaCoCo's files of what ran, and compares them."""

import struct


def read_exec(path):
    """{id: (name, [bit...])} of JaCoCo's file; classes without hits left out."""
    with open(path, "rb") as f:
        data = f.read()
    at, classes = 0, {}

    def take(n):
        nonlocal at
        at += n
        return data[at - n:at]

    while at < len(data):
        kind = take(1)[0]
        if kind == 0x01:
            take(4)
        elif kind == 0x10:
            take(struct.unpack(">H", take(2))[0] + 16)
        elif kind == 0x11:
            number = take(8).hex()
            name = take(struct.unpack(">H", take(2))[0]).decode()
            count = shift = 0
            while True:
                byte = take(1)[0]
                count |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            bits = take((count + 7) // 8)
            probes = [bits[p // 8] >> p % 8 & 1 for p in range(count)]
            if any(probes):
                classes[number] = (name, probes)
        else:
            raise ValueError(f"{path}: block {kind:#x} at {at - 1}")
    return classes


def differences(theirs, ours):
    """[probes that only theirs has, probes that only ours has, probes]."""
    missing = more = total = 0
    for number in theirs.keys() | ours.keys():
        _, a = theirs.get(number, (None, []))
        _, b = ours.get(number, (None, []))
        size = max(len(a), len(b))
        a, b = a + [0] * (size - len(a)), b + [0] * (size - len(b))
        total += size
        missing += sum(x > y for x, y in zip(a, b))
        more += sum(x < y for x, y in zip(a, b))
    return [missing, more, total]
