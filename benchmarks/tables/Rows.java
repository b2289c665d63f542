// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;
import jopt.probes.*;

/**
 * `Rows THREADS ROWS [bare]`: what a row costs; prints nanoseconds of the clock, of processors, bytes.
 * Bare ones are the least that a row is, two readings of the clock and five events in a buffer of the
 * thread's own: what they lose where two threads make them the machine takes.
 */
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

  static void fillBare(int rows, ByteBuffer to) {
    for (int i = 0; i < rows; i++) {
      if (to.remaining() < 100) to.clear();
      to.putLong(i).putLong(1).putLong(System.nanoTime());
      to.putLong(i).putInt(2).putInt(i);
      to.putLong(i).putInt(3).putLong(i * 3L);
      to.putLong(i).putInt(4).putInt(i & 1);
      to.putLong(i).putInt(5).putLong(System.nanoTime());
    }
  }

  public static void main(String[] args) throws Exception {
    int n = Integer.parseInt(args[0]), rows = Integer.parseInt(args[1]);
    boolean bare = args.length > 2;
    long[] cpu = new long[n], bytes = new long[n], begin = new long[n], end = new long[n];
    Thread[] all = new Thread[n];
    CyclicBarrier together = new CyclicBarrier(n);
    for (int k = 0; k < n; k++) {
      final int me = k;
      all[k] =
          new Thread(
              () -> {
                ByteBuffer own = ByteBuffer.allocateDirect(1 << 16);
                IntConsumer fill = bare ? count -> fillBare(count, own) : Rows::fill;
                // By these threads: code that is compiled for what one of them met is compiled anew.
                for (int i = 0; i < 50; i++) fill.accept(20000);
                await(together);
                begin[me] = System.nanoTime();
                long c = threads.getCurrentThreadCpuTime();
                long b = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                fill.accept(rows);
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
