//===- benchmarks/lab/java/program/Loops.java - loops in loops -------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

public final class Loops {
  private Loops() {}

  private static void multiply(int[][] a, int[][] b, int[][] to) {
    for (int i = 0; i < a.length; ++i)
      for (int j = 0; j < b.length; ++j) {
        int sum = 0;
        for (int k = 0; k < b.length; ++k)
          sum += a[i][k] * b[k][j];
        to[i][j] = sum;
      }
  }

  private static int primes(int below) {
    boolean[] composite = new boolean[below];
    int found = 0;
    for (int i = 2; i < below; ++i) {
      if (composite[i])
        continue;
      ++found;
      for (int j = 2 * i; j < below; j += i)
        composite[j] = true;
    }
    return found;
  }

  public static long run(String[] args) {
    int[][] a = new int[90][90], b = new int[90][90], c = new int[90][90];
    for (int i = 0; i < 90; ++i)
      for (int j = 0; j < 90; ++j) {
        a[i][j] = i ^ j;
        b[i][j] = i - j;
      }
    long sum = 0;
    for (int turn = 0; turn < 10; ++turn) {
      multiply(a, b, c);
      sum += c[turn][3];
    }
    return sum + primes(200000);
  }
}
