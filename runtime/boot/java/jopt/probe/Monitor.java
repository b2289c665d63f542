// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;

/** Calls by method since they were last told: how many, how many failed, and their times. */
public final class Monitor extends Metric {
  private static final class Of {
    final Counter failed;
    final Histogram micros;
    /** The longest since it was last told, in microseconds. */
    final LongAccumulator longest = new LongAccumulator(Math::max, 0);

    long toldFailed;
    Distribution told;

    Of(String name) {
      failed = new Counter(name);
      micros = new Histogram(name, 2, 8);
      told = micros.distribution();
    }
  }

  private static final int KEYS = 1000;
  private final ConcurrentHashMap<Object, Of> all = new ConcurrentHashMap<>();

  Monitor(String name) {
    super(name);
  }

  /**
   * The monitor of that name, which is made if there is none.
   *
   * @param name of the monitor
   * @return always the same
   */
  public static Monitor named(String name) {
    return Registry.get(name, Monitor.class, Monitor::new);
  }

  /**
   * A call has ended.
   *
   * @param key of the call: beyond 1,000 keys it is {@code (others)}; null is {@code "null"}
   * @param nanos how long it took
   * @param failed it threw something
   */
  public void record(Object key, long nanos, boolean failed) {
    Object k = Keyed.key(key);
    Of of = all.get(k);
    if (of == null) of = all.computeIfAbsent(all.size() < KEYS ? k : Keyed.OTHERS, n -> new Of(name()));
    of.longest.accumulate(nanos / 1000);
    of.micros.record(nanos / 1000);
    if (failed) of.failed.add();
  }

  @Override
  synchronized void tell(String key, Samples to) {
    Object[] keys = all.keySet().toArray();
    java.util.Arrays.sort(keys, (a, b) -> a.toString().compareTo(b.toString()));
    for (Object k : keys) {
      Of of = all.get(k);
      if (of != null) tell(k.toString(), of, to);
    }
  }

  private void tell(String key, Of of, Samples to) {
    Distribution now = of.micros.distribution();
    Distribution d = now.since(of.told).withMax(of.longest.getThenReset());
    of.told = now;
    long failed = of.failed.sum(), more = failed - of.toldFailed;
    of.toldFailed = failed;
    Samples.Row row = to.add(name(), key);
    row.values.put("count", d.count());
    row.values.put("failed", more);
    row.values.put("mean_ms", d.mean() / 1e3);
    for (double p : Samples.PERCENTS) row.values.put("p" + (int) p + "_ms", d.percentile(p) / 1e3);
    row.values.put("max_ms", d.max() / 1e3);
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
