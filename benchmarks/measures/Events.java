// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import java.lang.management.ManagementFactory;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;
import jopt.probe.Counter;
import jopt.probe.Histogram;
import jopt.probe.Keyed;

/**
 * `Events THREADS EVENTS`: what a turn of a loop takes with an event of each kind in it, and with none, in nanoseconds
 * of the processor: what else the machine does counts less then.
 */
public class Events {
  static final Counter COUNTER = Counter.named("events");
  static final Histogram HISTOGRAM = Histogram.named("values");
  static final Keyed<Counter> KEYED = Keyed.counters("keys");
  static volatile int sink;

  static int next(int x) {
    x ^= x << 13;
    x ^= x >>> 17;
    return x ^ x << 5;
  }

  static void nothing(int n) {
    int x = 1;
    for (int i = 0; i < n; i++) x = next(x);
    sink = x;
  }

  static void counter(int n) {
    int x = 1;
    for (int i = 0; i < n; i++) {
      x = next(x);
      COUNTER.add();
    }
    sink = x;
  }

  static void histogram(int n) {
    int x = 1;
    for (int i = 0; i < n; i++) {
      x = next(x);
      HISTOGRAM.record(x & 0xfffff);
    }
    sink = x;
  }

  static void keyed(int n) {
    int x = 1;
    for (int i = 0; i < n; i++) {
      x = next(x);
      KEYED.of("one").add();
    }
    sink = x;
  }

  static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Nanoseconds of a turn where so many threads have as many each, by the turns of all of them in a nanosecond. */
  static double time(IntConsumer what, int threads, int n) throws Exception {
    long[] took = new long[threads];
    CyclicBarrier begin = new CyclicBarrier(threads);
    Thread[] all = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int own = t;
      all[t] =
          new Thread(
              () -> {
                try {
                  what.accept(n / 4);
                  begin.await();
                  long since = now();
                  what.accept(n);
                  took[own] = now() - since;
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      all[t].start();
    }
    double turns = 0;
    for (int t = 0; t < threads; t++) {
      all[t].join();
      turns += (double) n / took[t];
    }
    return threads / turns;
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]), n = Integer.parseInt(args[1]);
    IntConsumer[] kinds = {Events::nothing, Events::counter, Events::histogram, Events::keyed};
    for (IntConsumer kind : kinds) time(kind, 1, n / 4);
    double[] found = new double[kinds.length];
    for (int i = 0; i < kinds.length; i++) found[i] = time(kinds[i], threads, n);
    for (double f : found) System.out.printf(java.util.Locale.ROOT, "%.3f ", f);
    System.out.println();
  }
}
