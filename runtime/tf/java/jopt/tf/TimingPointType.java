// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

/** What a method means to the timers. */
public enum TimingPointType {
  /** Nothing. */
  NONE,
  /** A timing point from entry to exit: a monitored method. */
  BOTH,
  /** The beginning of a timing point. */
  ENTER,
  /** The end of a timing point. */
  EXIT
}
