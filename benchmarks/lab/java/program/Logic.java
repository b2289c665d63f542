//===- benchmarks/lab/java/program/Logic.java - ways that meet again at once ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

public final class Logic {
  private Logic() {}

  private static boolean chosen(int a, int b, int c) {
    return (a & 1) == 0 && (b & 2) != 0 || (c & 4) == 0 && !((a ^ b) < c || b > c && a > 7) ||
           (a & 8) != 0 && (b & 16) != 0;
  }

  public static long run(String[] args) {
    long found = 0;
    int a = 1;
    for (int i = 0; i < 600000; ++i) {
      a = a * 1103515245 + 12345;
      if (chosen(a >>> 16 & 31, a >>> 20 & 31, a >>> 8 & 31))
        ++found;
      else if (a > 0 ? i % 3 == 0 : i % 5 == 0)
        found += 2;
    }
    return found;
  }
}
