# ===- may_stay.py - what of jopt is in a JVM after `off` -------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""What docs/Agent.md ("After `off`") lists, as Left.java names it."""
import re

MAY_STAY = [re.compile(p) for p in (
    r"thread: Attach Listener",  # the JVM's own, and its socket
    r"descriptor: socket",
    r"descriptor: /memfd:jopt-agent \(deleted\)",
    r"mapped: (libjopt-agent\.so|live-\d+\.jopt)",  # what records is open to the end
    r"property: jopt\.agent\.(state=off|by=.+|since=.+|options=.+|error=.+|[a-zA-Z]+=[1-9]\d*)",
    # Of the boot loader; none of a probe file.
    r"class: jopt\.(boot|probe|probes)\.(?!p[0-9a-f]{16}\b)[\w.$]+( \(intf\))?",
    r"objects: [1-9]\d{0,4}",
    r"reads: java\.base",
)]
