// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

/** What becomes of an attempt to open a resource that ended with an exception. */
public enum FailedEventPolicy {
  /** It is a row, with the exception. */
  RECORD,
  /** It is forgotten. */
  DISCARD
}
