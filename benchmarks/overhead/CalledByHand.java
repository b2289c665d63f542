//===- benchmarks/overhead/CalledByHand.java - The same with calls by hand -===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package overhead;

/** Called with the calls that Callbacks asks for, as an author would write them. */
final class CalledByHand implements Work {
  long add(int a, long b) {
    long kept = Callbacks.Longs.onEnter(a, b);
    long result;
    try {
      result = b * 31 + a;
    } catch (Throwable t) {
      Callbacks.Longs.onUncaughtException(kept, t);
      throw t;
    }
    Callbacks.Longs.onReturn(kept, a, result);
    return result;
  }

  static long fib(int n, long by) {
    long kept = Callbacks.Longs.onEnter(n, by);
    long result;
    try {
      if (n < 2)
        result = by;
      else
        result = fib(n - 1, by) + fib(n - 2, by);
    } catch (Throwable t) {
      Callbacks.Longs.onUncaughtException(kept, t);
      throw t;
    }
    Callbacks.Longs.onReturn(kept, n, result);
    return result;
  }

  static String pick(String text, int n) {
    String kept = Callbacks.Strings.onEnter(text);
    String result;
    try {
      if ((n & 3) == 0)
        result = text;
      else
        switch (n % 5) {
          case 0:
            result = "none";
            break;
          case 1:
            result = text.isEmpty() ? "empty" : text;
            break;
          default:
            result = "many";
        }
    } catch (Throwable t) {
      Callbacks.Strings.onExit(kept, n, null, t);
      throw t;
    }
    Callbacks.Strings.onExit(kept, n, result, null);
    return result;
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
