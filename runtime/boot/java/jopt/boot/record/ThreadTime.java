// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The processor time of threads, where the JVM tells it. */
final class ThreadTime {
  private static final ThreadMXBean bean = find();

  private ThreadTime() {}

  private static ThreadMXBean find() {
    try {
      ThreadMXBean found = ManagementFactory.getThreadMXBean();
      return found.isCurrentThreadCpuTimeSupported() ? found : null;
    } catch (Throwable e) {
      return null; // a JVM without that module
    }
  }

  /** That of the calling thread in nanoseconds; -1 if it is not known, as of virtual threads. */
  static long now() {
    return bean == null ? -1 : bean.getCurrentThreadCpuTime();
  }
}
