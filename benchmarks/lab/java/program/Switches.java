//===- benchmarks/lab/java/program/Switches.java - a machine of bytes ------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

public final class Switches {
  private Switches() {}

  private static int step(int code, int value) {
    switch (code) {
    case 0: return value + 1;
    case 1: return value << 1;
    case 2: return value ^ 0x55;
    case 3: value -= 7; // falls through
    case 4: return value * 3;
    case 5: return value > 0 ? value >> 1 : -value;
    case 20: return ~value;
    case 300: return value | 1;
    default: return value & 0xffff;
    }
  }

  public static long run(String[] args) {
    int[] codes = {0, 1, 5, 2, 20, 3, 4, 300, 7, 5, 1, 0};
    int value = 1;
    for (int i = 0, c = 0; i < 5000000; ++i) {
      value = step(codes[c], value);
      c = c + 1 == codes.length ? 0 : c + 1;
    }
    return value;
  }
}
