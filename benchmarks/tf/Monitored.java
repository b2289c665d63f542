//===- benchmarks/tf/Monitored.java - Methods that may be monitored ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package overhead;

import java.lang.annotation.*;
import jopt.tf.*;
import jopt.tf.annotation.*;

/** Workloads for Measure; -Dmonitor=empty or noop registers a monitor. */
public final class Monitored implements Work {
  @MethodMonitorGroup
  @Retention(RetentionPolicy.RUNTIME)
  @interface On {}

  @On
  static final class Code {
    int state = 1;

    @On int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    @On long step(int a, long b, String s) {
      state = state * 31 + a;
      return b + s.length() + state;
    }

    @On double math(double x) { return x * x + 1 / (x + 1); }

    @On void nothing() {}

    @On int mix(int x) {
      x ^= x << 13;
      return x ^ x >>> 17;
    }

    @On long product(long a, long b) {
      long r = a * b;
      if ((r & 0xfffff) == 77) rare(r);
      return r;
    }

    @On void add(int d) { state += d; }

    @InfoMethod private void rare(long r) {}

    @On boolean loop(int[] a) {
      boolean found = false;
      for (int i = 0; i < a.length; i++)
        if (a[i] == state) found = true;
      nothing();
      return found;
    }
  }

  /** Receives every event, and does nothing. */
  static final class Empty extends MethodMonitorBase {
    Empty(Class<?> cls, MethodMonitorFactory f) { super("empty", cls, f); }
    public void enter(int ident, Object... args) {}
    public void info(Object[] args, int caller, int self) {}
    public void exit(int ident) {}
    public void exit(int ident, Object result) {}
    public void exception(int ident, Throwable t) {}
    public void clear() {}
  }

  static final class EmptyFactory extends MethodMonitorFactoryBase {
    EmptyFactory() { super("empty"); }
    public MethodMonitor create(Class<?> cls) { return new Empty(cls, this); }
  }

  private final Code code = new Code();
  private final int[] numbers = new int[16];

  public Monitored() {
    String monitor = System.getProperty("monitor", "");
    if (monitor.equals("empty"))
      MethodMonitorRegistry.register(On.class, new EmptyFactory());
    else if (monitor.equals("noop"))
      MethodMonitorRegistry.register(On.class, MethodMonitorFactoryDefaults.noOp());
  }

  public long run(String workload) {
    long sum = 0;
    switch (workload) {
      case "fib":
        return code.fib(10);
      case "calls":
        for (int i = 0; i < 50; i++) sum += code.step(i, sum, "text");
        return sum;
      case "small":
        for (int i = 0; i < 50; i++) sum += (long) code.math(i);
        return sum;
      case "loops":
        for (int i = 0; i < 20; i++) sum += code.loop(numbers) ? 1 : 0;
        return sum;
      case "tiny":
        for (int i = 0; i < 4_000_000; i++) {
          sum += code.mix(i);
          sum ^= code.product(i, 1234567L);
          code.add(i);
        }
        return sum;
      default:
        throw new IllegalArgumentException(workload);
    }
  }
}
