// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import java.lang.management.ManagementFactory;

/** `Turns N`: what a turn of a loop with a small method in it takes, in nanoseconds of the processor. */
public class Turns {
  static int step(int x) {
    x ^= x << 13;
    x ^= x >>> 17;
    return x ^ x << 5;
  }

  static int run(int n) {
    int x = 1;
    for (int i = 0; i < n; i++) x = step(x);
    return x;
  }

  public static void main(String[] args) {
    int n = Integer.parseInt(args[0]);
    int sum = 0;
    for (int i = 0; i < 20; i++) sum += run(n / 20);
    long since = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    sum += run(n);
    long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - since;
    System.out.printf(java.util.Locale.ROOT, "%.4f %d%n", (double) took / n, sum);
  }
}
