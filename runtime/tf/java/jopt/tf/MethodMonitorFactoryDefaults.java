// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import jopt.tf.timer.TimerManager;

/** The factories that come with the library, and how to put some together. */
public final class MethodMonitorFactoryDefaults {
  private MethodMonitorFactoryDefaults() {}

  private static final MethodMonitorFactory NO_OP =
      new MethodMonitorFactoryBase("NoOp") {
        @Override
        public MethodMonitor create(Class<?> cls) {
          return new NoOp(cls, this);
        }
      };

  private static final MethodMonitorFactory DPRINT =
      new MethodMonitorFactoryBase("DprintImpl") {
        @Override
        public MethodMonitor create(Class<?> cls) {
          return new Dprint(cls, this);
        }
      };

  private static final MethodMonitorFactory OPERATION_TRACER =
      new MethodMonitorFactoryBase("OperationTracerImpl") {
        @Override
        public MethodMonitor create(Class<?> cls) {
          return new OperationTracerMonitor(cls, this);
        }
      };

  /**
   * Monitors that do nothing.
   *
   * @return the factory
   */
  public static MethodMonitorFactory noOp() {
    return NO_OP;
  }

  /**
   * Monitors that print everything to {@link System#out}, a line per call, with
   * the thread's name in front.
   *
   * @return the factory
   */
  public static MethodMonitorFactory dprint() {
    return DPRINT;
  }

  /**
   * Has {@link #dprint} write {@code (symbol).} for a package, and for those in
   * it.
   *
   * @param pkg the package, for example {@code com.acme.transport}
   * @param symbol what stands for it
   */
  public static void addPrefix(String pkg, String symbol) {
    Dprint.addPrefix(pkg, symbol);
  }

  /**
   * Monitors that keep the present nesting of calls, with their arguments, for
   * {@link OperationTracer#getAsString}.
   *
   * @return the factory
   */
  public static MethodMonitorFactory operationTracer() {
    return OPERATION_TRACER;
  }

  /**
   * Monitors that run the timers of a manager: those of monitored methods from
   * entry to exit, those of info methods by their timing type.
   *
   * @param manager whose timers, and whose controller
   * @return the factory
   */
  public static MethodMonitorFactory makeTimingImpl(
      final TimerManager<?> manager) {
    return new MethodMonitorFactoryBase("TimingImpl") {
      @Override
      public MethodMonitor create(Class<?> cls) {
        return new TimingMonitor(cls, this, manager);
      }
    };
  }

  /**
   * One factory for several. Compositions among them are replaced by their
   * parts, and what occurs twice counts once. The monitors are called in the
   * order of the collection.
   *
   * @param factories the parts
   * @return {@link #noOp} for none, the only one, or a composition
   */
  public static MethodMonitorFactory compose(
      Collection<? extends MethodMonitorFactory> factories) {
    Set<MethodMonitorFactory> seen =
        Collections.newSetFromMap(
            new IdentityHashMap<MethodMonitorFactory, Boolean>());
    List<MethodMonitorFactory> parts = new ArrayList<>();
    for (MethodMonitorFactory factory : factories) {
      for (MethodMonitorFactory part : factory.contents()) {
        if (seen.add(part)) {
          parts.add(part);
        }
      }
    }
    if (parts.isEmpty()) {
      return NO_OP;
    }
    return parts.size() == 1 ? parts.get(0) : new Composition(parts);
  }
}
