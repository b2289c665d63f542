// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.List;
import jopt.tf.timer.Timer;
import jopt.tf.timer.TimerManager;

/** Runs the timers of a class. */
final class TimingMonitor extends MethodMonitorBase
    implements LeanMethodMonitor {
  /** The timers by identifier, as of a number of timers. */
  private static final class Timers {
    final int version;
    final Timer[] timers;

    Timers(int version, Timer[] timers) {
      this.version = version;
      this.timers = timers;
    }
  }

  private final TimerManager<?> manager;
  private final TimingPointType[] types;
  private volatile Timers known;

  TimingMonitor(
      Class<?> cls, MethodMonitorFactory factory, TimerManager<?> manager) {
    super("TimingImpl", cls, factory);
    this.manager = manager;
    this.types =
        MethodMonitorRegistry.getTimerTypes(cls)
            .toArray(new TimingPointType[0]);
  }

  /** Timers may be made after the monitor: looked up again when some were. */
  private Timer timer(int ident) {
    int version = manager.factory().numberOfIds();
    Timers timers = known;
    if (timers == null || timers.version != version) {
      List<Timer> list = manager.getTimers(myClass());
      known = timers = new Timers(version, list.toArray(new Timer[0]));
    }
    return ident < timers.timers.length ? timers.timers[ident] : null;
  }

  @Override
  public void enter(int ident) {
    Timer timer = timer(ident);
    if (timer != null) {
      manager.controller().enter(timer);
    }
  }

  @Override
  public void exit(int ident) {
    Timer timer = timer(ident);
    if (timer != null) {
      manager.controller().exit(timer);
    }
  }

  @Override
  public void info(int callerIdent, int selfIdent) {
    TimingPointType type =
        selfIdent < types.length ? types[selfIdent] : TimingPointType.NONE;
    if (type == TimingPointType.ENTER) {
      enter(selfIdent);
    } else if (type == TimingPointType.EXIT) {
      exit(selfIdent);
    }
  }

  /** The exit follows; an end here too would be one too many. */
  @Override
  public void exception(int ident, Throwable thrown) {}

  @Override
  public void clear() {}
}
