// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Code that the plugins of Maven and Gradle share. */
package jopt.builds;
