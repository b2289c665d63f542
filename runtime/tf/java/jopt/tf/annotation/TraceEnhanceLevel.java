// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.annotation;

/** How far a class has been enhanced. */
public enum TraceEnhanceLevel {
  /** Nothing: the class is as the compiler wrote it. */
  NONE,
  /**
   * Holders, registration and info methods are there; no method is monitored.
   */
  PHASE1,
  /** Its methods are monitored. */
  PHASE2
}
