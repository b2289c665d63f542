// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the ready probes share. Nothing in here stands in a program's stack for longer than a call. */
package jopt.probes.ready.shared;
