//===- benchmarks/lab/java/program/Throws.java - one call of 1,000 throws ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

public final class Throws {
  private Throws() {}

  private static int checked(int i) {
    if (i % 1000 == 999)
      throw new IllegalStateException();
    return i & 7;
  }

  private static int tried(int i) {
    int found = 1;
    try {
      found += checked(i);
      found += checked(i + 1);
    } catch (IllegalStateException e) {
      found = -1;
    }
    return found;
  }

  public static long run(String[] args) {
    long sum = 0;
    for (int i = 0; i < 1800000; ++i)
      sum += tried(i);
    return sum;
  }
}
