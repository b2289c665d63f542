// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Small loops that are traced, or not. Arguments: which, and the seconds for which it runs when it is warm. Prints
 * the nanoseconds of processor time that a turn takes: the median of the rounds.
 */
public final class Loops {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static int sink;

  private Loops() {}

  /** Branches and a switch. */
  private static int ways(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
      if ((i & 3) == 0) s += i;
      else if ((i & 3) == 1) s ^= i;
      switch (i & 7) {
        case 0:
          s += 3;
          break;
        case 3:
          s -= 5;
          break;
        default:
          s++;
      }
    }
    return s;
  }

  /** Insertion sort. */
  private static int sort(int n) {
    int[] a = new int[32];
    for (int turn = 0; turn < n; turn += a.length) {
      for (int i = 0; i < a.length; i++) a[i] = i * 37 + turn & 63;
      for (int i = 1; i < a.length; i++) {
        int x = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > x) {
          a[j + 1] = a[j];
          j--;
        }
        a[j + 1] = x;
      }
    }
    return a[0];
  }

  private static int half(int x) {
    return x >> 1;
  }

  private static int next(int x) {
    return x % 2 == 0 ? half(x) : 3 * x + 1;
  }

  /** Calls of small methods. */
  private static int calls(int n) {
    int x = 27;
    for (int i = 0; i < n; i++) x = x == 1 ? 27 : next(x);
    return x;
  }

  private static int run(String which, int n) {
    return which.equals("ways") ? ways(n) : which.equals("sort") ? sort(n) : calls(n);
  }

  private static double nanoseconds(String which, int turns) {
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < 100; i++) sink += run(which, turns / 100);
    return (double) (THREADS.getCurrentThreadCpuTime() - start) / turns;
  }

  public static void main(String[] args) {
    double seconds = Double.parseDouble(args[1]);
    int turns = 10_000;
    // Warm, and of so many turns that the clock tells them.
    double one = 0;
    for (double spent = 0; spent < seconds; spent += one * turns / 1e9) {
      one = nanoseconds(args[0], turns);
      if (one * turns < 20e6 && turns < 1 << 28) turns *= 2;
    }
    double[] rounds = new double[(int) Math.max(5, seconds * 1e9 / (one * turns))];
    for (int i = 0; i < rounds.length; i++) rounds[i] = nanoseconds(args[0], turns);
    Arrays.sort(rounds);
    System.out.println("{\"ns\": " + rounds[rounds.length / 2] + "}");
  }
}
