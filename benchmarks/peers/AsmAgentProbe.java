//===- benchmarks/peers/AsmAgentProbe.java - what AsmAgent calls ----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/** The least that probes can be, as in entry-exit.xml. */
public final class AsmAgentProbe {
  private AsmAgentProbe() {}

  public static void enter() {}

  public static void exit() {}
}
