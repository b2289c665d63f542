//===- benchmarks/lab/java/program/Threads.java - threads in one method ----===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import lab.Run;

/** program.Threads N: each of N threads does the same. */
public final class Threads {
  private Threads() {}

  private static int next(int state) {
    if ((state & 1) != 0)
      return state * 3 + 1;
    return state >>> 1;
  }

  private static long work() {
    long steps = 0;
    for (int i = 1; i < 6000; ++i)
      for (int state = i; state != 1; state = next(state))
        ++steps;
    return steps;
  }

  public static long run(String[] args) throws InterruptedException {
    Thread[] all = new Thread[Integer.parseInt(args[0])];
    long[] steps = new long[all.length];
    for (int i = 0; i < all.length; ++i) {
      final int own = i;
      all[i] = new Thread(() -> {
        steps[own] = work();
        Run.addProcessorTime();
      });
      all[i].start();
    }
    long sum = 0;
    for (int i = 0; i < all.length; ++i) {
      all[i].join();
      sum += steps[i];
    }
    return sum;
  }
}
