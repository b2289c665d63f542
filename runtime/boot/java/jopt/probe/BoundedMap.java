// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Data about objects of the program, for a limited number of them. Without the limit a leak of the
 * program, or an end that never comes, would let the map grow for ever. The map counts further objects
 * instead of keeping them.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class BoundedMap<K, V> {
  private final int most;
  private final ConcurrentHashMap<K, V> all = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  /**
   * An empty one.
   *
   * @param most it keeps no more than so many
   */
  public BoundedMap(int most) {
    this.most = most;
  }

  /**
   * Keeps a value.
   *
   * @param key not null
   * @param value not null
   * @return false if there is no room for it
   */
  public boolean put(K key, V value) {
    if (all.replace(key, value) != null) return true;
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      refused.increment();
      return false;
    }
    if (all.put(key, value) != null) count.decrementAndGet();
    return true;
  }

  /**
   * Looks up.
   *
   * @param key not null
   * @return null if there is none
   */
  public V get(K key) {
    return all.get(key);
  }

  /**
   * Takes a value out.
   *
   * @param key not null
   * @return the value; null if there was none
   */
  public V remove(K key) {
    V was = all.remove(key);
    if (was != null) count.decrementAndGet();
    return was;
  }

  /**
   * How many it keeps.
   *
   * @return their number
   */
  public int size() {
    return count.get();
  }

  /**
   * How many found no room.
   *
   * @return their number so far
   */
  public long refused() {
    return refused.sum();
  }
}
