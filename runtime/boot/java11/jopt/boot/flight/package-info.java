// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Recording as events of the JDK's flight recorder. It needs Java 11; older JVMs do without. */
package jopt.boot.flight;
