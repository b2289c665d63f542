// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.probes.internal.WeakIdentityMap;

/**
 * Values of objects. It compares keys by identity, and does not keep them from being collected as
 * long as no value refers to its key. Value objects have no identity, and get no values. Any thread
 * may use it.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public class WeakKeyMap<K, V> {
  private final WeakIdentityMap<V> values = new WeakIdentityMap<>();

  /** A map without values. */
  public WeakKeyMap() {}

  /**
   * The value of a key.
   *
   * @param key the key
   * @return its value; null if it has none
   */
  public V get(K key) {
    return values.get(key);
  }

  /**
   * Gives a key a value.
   *
   * @param key the key; null and value objects are ignored
   * @param value the value; null takes it away
   * @return the value it had; null if it had none
   */
  public V put(K key, V value) {
    return value == null ? values.remove(key) : values.put(key, value);
  }

  /**
   * Takes the value of a key away.
   *
   * @param key the key
   * @return the value it had; null if it had none
   */
  public V remove(K key) {
    return values.remove(key);
  }

  /**
   * Has a key a value?
   *
   * @param key the key
   * @return true if it has
   */
  public boolean containsKey(K key) {
    return values.get(key) != null;
  }
}
