// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The plugin {@code io.github.jopt} of Gradle. */
package jopt.gradle;
