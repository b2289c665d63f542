//===- benchmarks/overhead/Measure.java - Time and allocation of a workload -===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package overhead;

import java.lang.management.ManagementFactory;

/**
 * java overhead.Measure CLASS WORKLOAD [SECONDS]: runs the workload until the
 * JIT had its time, then for SECONDS, and prints nanoseconds and bytes
 * allocated per call. The time is the thread's, not the clock's: what else runs
 * on the machine is left out.
 */
final class Measure {
  static volatile long sink;

  static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  static long time() { return THREADS.getCurrentThreadCpuTime(); }

  static long calls(Work work, String workload, double seconds) {
    long calls = 0, end = time() + (long) (seconds * 1e9);
    do {
      for (int i = 0; i < 100; i++)
        sink = work.run(workload);
      calls += 100;
    } while (time() < end);
    return calls;
  }

  public static void main(String[] args) throws Exception {
    Work work = (Work) Class.forName(args[0]).getDeclaredConstructor().newInstance();
    double seconds = args.length > 2 ? Double.parseDouble(args[2]) : 1;
    for (int i = 0; i < 3; i++)
      calls(work, args[1], seconds / 2);
    long self = Thread.currentThread().getId();
    THREADS.getThreadAllocatedBytes(self);
    double best = Double.MAX_VALUE;
    long bytes = 0, all = 0;
    // The best of several slices: what else the machine does only adds.
    for (int slice = 0; slice < 5; slice++) {
      long allocated = THREADS.getThreadAllocatedBytes(self);
      long start = time();
      long calls = calls(work, args[1], seconds / 5);
      best = Math.min(best, (time() - start) / (double) calls);
      bytes += THREADS.getThreadAllocatedBytes(self) - allocated;
      all += calls;
    }
    System.out.printf("{\"ns\": %.3f, \"bytes\": %.3f}%n", best,
                      bytes / (double) all);
  }
}
