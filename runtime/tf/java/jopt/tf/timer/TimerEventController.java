// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes the events of active timers on to its handlers. */
public final class TimerEventController extends Named {
  private final CopyOnWriteArrayList<TimerEventHandler> handlers =
      new CopyOnWriteArrayList<>();

  TimerEventController(TimerFactory factory, String name) {
    super(factory, name);
  }

  /**
   * Adds a handler, if it is not there yet.
   *
   * @param handler the handler
   */
  public void register(TimerEventHandler handler) {
    handlers.addIfAbsent(handler);
  }

  /**
   * Takes a handler away.
   *
   * @param handler the handler
   */
  public void deregister(TimerEventHandler handler) {
    handlers.remove(handler);
  }

  /**
   * The handlers.
   *
   * @return a copy, in the order of registration
   */
  public Set<TimerEventHandler> handlers() {
    return new LinkedHashSet<>(handlers);
  }

  /**
   * A timing point begins.
   *
   * @param timer the timing point
   */
  public void enter(Timer timer) {
    if (timer.isActivated()) {
      propagate(new TimerEvent(timer, TimerEvent.TimerEventType.ENTER));
    }
  }

  /**
   * A timing point ends.
   *
   * @param timer the timing point
   */
  public void exit(Timer timer) {
    if (timer.isActivated()) {
      propagate(new TimerEvent(timer, TimerEvent.TimerEventType.EXIT));
    }
  }

  private void propagate(TimerEvent event) {
    for (TimerEventHandler handler : handlers) {
      handler.notify(event);
    }
  }
}
