// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Timers, their groups, and what is done with their events. */
package jopt.tf.timer;
