// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What fragments and probe classes measure with: counters, histograms, tables by key, times, stacks,
 * limits; and where what was measured goes. All classes are for any number of threads, and no thread
 * waits for another on the way of an event.
 */
package jopt.probe;
