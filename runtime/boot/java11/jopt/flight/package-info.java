// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Reads recordings of the JDK's flight recorder for jopt's client; nothing of it runs in a probed program. */
package jopt.flight;
