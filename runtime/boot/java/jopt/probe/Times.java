// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Times by a key, right where what is timed calls itself: the time of a key is that of its outermost
 * activations, and its own that without what was timed inside, of other keys and of its own, and
 * without what the timing itself takes. An entry
 * fragment keeps what {@link #begin} returns (invocationObject), and gives it to {@link #end}.
 */
public final class Times extends Metric {
  /** An activation that runs. */
  private static final class Running {
    final Thread thread = Thread.currentThread();
    final Of of;
    final Running outer;
    final boolean isOutermost;
    final long since;
    long inside, callsInside;

    Running(Of of, Running outer) {
      this.of = of;
      this.outer = outer;
      boolean isFirst = true;
      for (Running r = outer; r != null; r = r.outer) isFirst &= r.of != of;
      isOutermost = isFirst;
      since = System.nanoTime();
    }
  }

  private static final class Of {
    final Counter calls, total, own, inside;
    final Histogram each;

    Of(String name) {
      calls = new Counter(name);
      total = new Counter(name);
      own = new Counter(name);
      inside = new Counter(name);
      each = new Histogram(name, 1, 8);
    }

    /** Its own time, in nanoseconds, without what {@code cost} is of its calls and of those inside. */
    long own(Cost cost) {
      return cost.without(own.sum(), calls.sum(), inside.sum());
    }
  }

  /**
   * What the timing of a call takes, in nanoseconds: within the time that is taken for it, and around
   * that, in the time of the caller. It is measured again for each table, as code gets compiled; a
   * thread that has to wait measures too much, so the least of all counts.
   */
  static final class Cost {
    private static final int CALLS = 1000;
    private static final String KEY = "";
    private final Times measured = new Times("");
    double within = Double.MAX_VALUE, around = Double.MAX_VALUE;

    /** The own time {@code own} of so many calls, which made so many others. */
    long without(long own, long calls, long inside) {
      return Math.max(0, own - (long) (calls * within + inside * around));
    }

    synchronized Cost measure() {
      for (int round = 0; round < 3; round++) {
        measured.reset();
        long begin = System.nanoTime();
        for (int i = 0; i < CALLS; i++)
          measured.end(measured.begin(MethodNames.of(KEY, KEY)));
        double all = (System.nanoTime() - begin) / (double) CALLS;
        double own = measured.of(MethodNames.of(KEY, KEY)).own.sum() / (double) CALLS;
        within = Math.min(within, own);
        around = Math.min(around, all - own);
      }
      return this;
    }
  }

  /** Made when it is asked for: a Times has one, and it has one itself. */
  private static final class OfCalls {
    static final Cost COST = new Cost();
  }

  private final PerThread<Running[]> running = PerThread.of(() -> new Running[1]);
  private final ConcurrentHashMap<Object, Of> all = new ConcurrentHashMap<>();
  private static final int KEYS = 1000;

  Times(String name) {
    super(name);
  }

  /**
   * The times of that name, which are made if there are none.
   *
   * @param name what is timed
   * @return always the same
   */
  public static Times named(String name) {
    return Registry.get(name, Times.class, Times::new);
  }

  /**
   * Something begins on this thread.
   *
   * @param key what: beyond 1,000 of them it is {@code (others)}; null is {@code "null"}
   * @return what its end is to be told
   */
  public Object begin(Object key) {
    Running[] top = running.get();
    return top[0] = new Running(of(key), top[0]);
  }

  /**
   * It ends, on the same thread.
   *
   * @param begun what {@link #begin} returned; null is none
   */
  public void end(Object begun) {
    if (!(begun instanceof Running)) return;
    Running r = (Running) begun;
    long time = System.nanoTime() - r.since;
    if (r.thread != Thread.currentThread()) return;
    Running[] top = running.get();
    // What began in it and never ended is over, too.
    top[0] = r.outer;
    if (r.outer != null) {
      r.outer.inside += time;
      r.outer.callsInside++;
    }
    r.of.calls.add();
    r.of.own.add(time - r.inside);
    if (r.callsInside != 0) r.of.inside.add(r.callsInside);
    r.of.each.record(time / 1000);
    if (r.isOutermost) r.of.total.add(time);
  }

  private Of of(Object key) {
    Object k = Keyed.key(key);
    Of found = all.get(k);
    if (found != null) return found;
    return all.computeIfAbsent(all.size() < KEYS ? k : Keyed.OTHERS, n -> new Of(name()));
  }

  @Override
  void tell(String key, Samples to) {
    if (all.isEmpty()) return;
    Cost cost = OfCalls.COST.measure();
    for (Map.Entry<Object, Of> e : Largest.of(all, Output.top(), of -> of.own(cost))) {
      Of of = e.getValue();
      Samples.Row row = to.add(name(), e.getKey().toString());
      row.values.put("count", of.calls.sum());
      row.values.put("total_ms", of.total.sum() / 1e6);
      row.values.put("own_ms", of.own(cost) / 1e6);
      Distribution d = of.each.distribution();
      row.values.put("p50_ms", d.percentile(50) / 1e3);
      row.values.put("p99_ms", d.percentile(99) / 1e3);
      row.values.put("max_ms", d.max() / 1e3);
    }
  }

  @Override
  void reset() {
    all.clear();
  }

  @Override
  long size() {
    return all.size();
  }
}
