// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Measures by a key: calls by method, times by statement. Up to a number of keys; what further ones
 * have stands under {@code (others)}. Told are the largest first.
 *
 * @param <M> what each key has
 */
public final class Keyed<M extends Metric> extends Metric {
  /** The key of what found no place. */
  public static final String OTHERS = "(others)";

  private static final int KEYS = 1000;

  private final int most;
  private final Supplier<M> make;
  private final ConcurrentHashMap<Object, M> all = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  private Keyed(String name, int most, Supplier<M> make) {
    super(name);
    this.most = most;
    this.make = make;
  }

  /**
   * Counters of that name, up to 1,000.
   *
   * @param name what is counted
   * @return always the same
   */
  public static Keyed<Counter> counters(String name) {
    return counters(name, KEYS);
  }

  /**
   * Counters of that name.
   *
   * @param name what is counted
   * @param keys at most so many
   * @return always the same
   */
  @SuppressWarnings("unchecked")
  public static Keyed<Counter> counters(String name, int keys) {
    return Registry.get(
        name, Keyed.class, n -> new Keyed<>(n, keys, () -> new Counter(n)));
  }

  /**
   * Histograms of that name, up to 1,000. They are to one digit, which takes a tenth of the memory.
   *
   * @param name what is measured, and the unit
   * @return always the same
   */
  public static Keyed<Histogram> histograms(String name) {
    return histograms(name, KEYS);
  }

  /**
   * Histograms of that name.
   *
   * @param name what is measured, and the unit
   * @param keys at most so many
   * @return always the same
   */
  @SuppressWarnings("unchecked")
  public static Keyed<Histogram> histograms(String name, int keys) {
    return Registry.get(
        name, Keyed.class, n -> new Keyed<>(n, keys, () -> new Histogram(n, 1, 8)));
  }

  /** One that no table has. */
  static <M extends Metric> Keyed<M> of(String name, Supplier<M> make) {
    return new Keyed<>(name, KEYS, make);
  }

  /**
   * What a key has.
   *
   * @param key strings, numbers and booleans are keys by their values, other objects by the text that they
   *     are now; null is {@code "null"}
   * @return what belongs to it, or to all that found no place
   */
  public M of(Object key) {
    Object k = key(key);
    M found = all.get(k);
    return found != null ? found : add(k);
  }

  /**
   * The key in a map. An object of the program is the text that it is now: it may change later, its methods may
   * throw when a table asks them, and the map would keep it alive.
   */
  static Object key(Object key) {
    return key instanceof String || key instanceof Integer || key instanceof Long || key instanceof Boolean
        ? key
        : Show.key(key);
  }

  private M add(Object key) {
    // A little less than so many where several threads come at once.
    if (!key.equals(OTHERS) && count.get() >= most) return of(OTHERS);
    M made = make.get();
    M there = all.putIfAbsent(key, made);
    if (there != null) return there;
    if (!key.equals(OTHERS)) count.incrementAndGet();
    return made;
  }

  @Override
  void tell(String key, Samples to) {
    for (Map.Entry<Object, M> e : Largest.of(all, Output.top(), Metric::size))
      e.getValue().tell(e.getKey().toString(), to);
  }

  @Override
  void reset() {
    all.clear();
    count.set(0);
  }

  @Override
  long size() {
    return all.size();
  }
}
