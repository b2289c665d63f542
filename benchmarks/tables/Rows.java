// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
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
    for (int i = 0; i < 20; i++) fill(20000);
    long[] cpu = new long[n], bytes = new long[n];
    Thread[] all = new Thread[n];
    long start = System.nanoTime();
    for (int k = 0; k < n; k++) {
      final int me = k;
      all[k] =
          new Thread(
              () -> {
                long c = threads.getCurrentThreadCpuTime();
                long b = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                fill(rows);
                bytes[me] = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - b;
                cpu[me] = threads.getCurrentThreadCpuTime() - c;
              });
      all[k].start();
    }
    long wall = 0, allCpu = 0, allBytes = 0;
    for (int k = 0; k < n; k++) {
      all[k].join();
      allCpu += cpu[k];
      allBytes += bytes[k];
    }
    wall = System.nanoTime() - start;
    double made = (double) rows * n;
    System.out.println(wall / made + " " + allCpu / made + " " + allBytes / made);
  }
}
