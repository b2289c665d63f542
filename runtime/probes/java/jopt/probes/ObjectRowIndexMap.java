// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.probes.internal.WeakIdentityMap;

/**
 * The rows of objects. It compares objects by identity, and does not keep them from being
 * collected. Value objects have no identity, and get no rows. Any thread may use it.
 *
 * @param <T> the objects
 */
public class ObjectRowIndexMap<T> {
  private final WeakIdentityMap<Integer> rows = new WeakIdentityMap<>();

  /** A map without rows. */
  public ObjectRowIndexMap() {}

  /**
   * The row of an object.
   *
   * @param key the object
   * @return its row; {@link Table#NO_ROW} if it has none
   */
  public int get(T key) {
    Integer row = rows.get(key);
    return row == null ? Table.NO_ROW : row;
  }

  /**
   * Gives an object a row, in place of the one it has.
   *
   * @param key the object; null and value objects are ignored
   * @param row the row
   */
  public void put(T key, int row) {
    rows.put(key, row);
  }

  /**
   * Gives an object a row, unless it has one.
   *
   * @param key the object; null and value objects are ignored
   * @param row the row
   */
  public void putFirst(T key, int row) {
    rows.putIfAbsent(key, row);
  }

  /**
   * Takes the row of an object away.
   *
   * @param key the object
   * @return the row it had; {@link Table#NO_ROW} if it had none
   */
  public int remove(T key) {
    Integer row = rows.remove(key);
    return row == null ? Table.NO_ROW : row;
  }

  /**
   * Has an object a row?
   *
   * @param key the object
   * @return true if it has
   */
  public boolean containsKey(T key) {
    return rows.get(key) != null;
  }
}
