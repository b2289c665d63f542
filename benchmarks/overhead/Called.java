//===- benchmarks/overhead/Called.java - What callbacks are called by -===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package overhead;

/** Methods for Callbacks; none of them throws. */
final class Called implements Work {
  long add(int a, long b) { return b * 31 + a; }

  static long fib(int n, long by) {
    if (n < 2)
      return by;
    return fib(n - 1, by) + fib(n - 2, by);
  }

  static String pick(String text, int n) {
    if ((n & 3) == 0)
      return text;
    switch (n % 5) {
      case 0:
        return "none";
      case 1:
        return text.isEmpty() ? "empty" : text;
      default:
        return "many";
    }
  }

  @Override
  public long run(String workload) {
    long all = 0;
    switch (workload) {
      case "add":
        for (int i = 0; i < 2000; i++)
          all = add(i, all);
        return all;
      case "fib-kept":
        return fib(15, 1);
      case "pick":
        for (int i = 0; i < 2000; i++)
          all += pick("text", i).length();
        return all;
      default:
        throw new IllegalArgumentException(workload);
    }
  }
}
