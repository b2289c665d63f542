// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import jopt.probes.*;

/** `Rows THREADS ROWS`: what a row costs; prints nanoseconds of the clock, of processors, bytes. */
public class Rows {
  static final class T extends Table {
    final IntColumn a = new IntColumn("a");
    final LongColumn b = new LongColumn("b");
    final StringColumn s = new StringColumn("s");

    T() {
      super(Rows.class, "T", LASTING_EVENTS | RECORD_THREAD);
    }
  }

  static final T t = new T();
  static final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static void fill(int rows) {
    for (int i = 0; i < rows; i++) {
      int r = t.createRow();
      t.a.setValue(r, i);
      t.b.setValue(r, i * 3L);
      t.s.setValue(r, (i & 1) == 0 ? "select" : "update");
      t.closeRow(r, null);
    }
  }

  public static void main(String[] args) throws Exception {
    int n = Integer.parseInt(args[0]), rows = Integer.parseInt(args[1]);
    long[] cpu = new long[n], bytes = new long[n], begin = new long[n], end = new long[n];
    Thread[] all = new Thread[n];
    CyclicBarrier together = new CyclicBarrier(n);
    for (int k = 0; k < n; k++) {
      final int me = k;
      all[k] =
          new Thread(
              () -> {
                // By these threads: code that is compiled for what one of them met is compiled anew.
                for (int i = 0; i < 50; i++) fill(20000);
                await(together);
                begin[me] = System.nanoTime();
                long c = threads.getCurrentThreadCpuTime();
                long b = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                fill(rows);
                bytes[me] = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - b;
                cpu[me] = threads.getCurrentThreadCpuTime() - c;
                end[me] = System.nanoTime();
              });
      all[k].start();
    }
    long allCpu = 0, allBytes = 0;
    for (int k = 0; k < n; k++) {
      all[k].join();
      allCpu += cpu[k];
      allBytes += bytes[k];
    }
    long wall = Arrays.stream(end).max().getAsLong() - Arrays.stream(begin).min().getAsLong();
    double made = (double) rows * n;
    System.out.println(wall / made + " " + allCpu / made + " " + allBytes / made);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
