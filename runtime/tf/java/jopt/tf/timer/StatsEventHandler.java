// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long timers run, without the time of those that run inside them
 * on the same thread. Any number of threads may send events; none waits for
 * another.
 */
public final class StatsEventHandler extends Named
    implements TimerEventHandler {
  /** Beyond this depth the oldest run of a thread is forgotten. */
  private static final int MAX_OPEN = 1 << 16;

  /** A run that has not ended. */
  private static final class Open {
    final Timer timer;
    final long begin;
    long inside; // time of the runs inside

    Open(Timer timer, long begin) {
      this.timer = timer;
      this.begin = begin;
    }
  }

  /** What clear() replaces. */
  private static final class State {
    final Map<Timer, StatisticsAccumulator> sums = new ConcurrentHashMap<>();
    final AtomicLong unmatched = new AtomicLong();
    final ThreadLocal<List<Open>> open =
        new ThreadLocal<List<Open>>() {
          @Override
          protected List<Open> initialValue() {
            return new ArrayList<>();
          }
        };
  }

  private volatile State state = new State();

  StatsEventHandler(TimerFactory factory, String name) {
    super(factory, name);
  }

  @Override
  public void notify(TimerEvent event) {
    State current = state;
    List<Open> open = current.open.get();
    if (event.type() == TimerEvent.TimerEventType.ENTER) {
      if (open.size() == MAX_OPEN) {
        open.remove(0);
      }
      open.add(new Open(event.timer(), event.time()));
      return;
    }
    int index = open.size() - 1;
    while (index >= 0 && open.get(index).timer != event.timer()) {
      index--;
    }
    if (index < 0) {
      // It began before it was switched on. No reason to stop the program.
      current.unmatched.incrementAndGet();
      return;
    }
    Open ended = open.remove(index);
    long duration = event.time() - ended.begin;
    if (index > 0) {
      open.get(index - 1).inside += duration;
    }
    current
        .sums
        .computeIfAbsent(
            event.timer(), timer -> new StatisticsAccumulator("nanoseconds"))
        .sample(duration - ended.inside);
  }

  /** Forgets everything, also of timers that run. */
  public void clear() {
    state = new State();
  }

  /**
   * The statistics of the timers that ran.
   *
   * @return a copy, sorted by number of the timer
   */
  public Map<Timer, Statistics> stats() {
    Map<Timer, Statistics> result =
        new TreeMap<>((a, b) -> Integer.compare(a.id(), b.id()));
    for (Map.Entry<Timer, StatisticsAccumulator> entry :
        state.sums.entrySet()) {
      result.put(entry.getKey(), entry.getValue().getStats());
    }
    return result;
  }

  /**
   * How many ends had no begin: the timer was switched on while it ran.
   *
   * @return the number
   */
  public long unmatched() {
    return state.unmatched.get();
  }
}
