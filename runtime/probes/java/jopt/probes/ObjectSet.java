// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.probes.internal.WeakIdentityMap;

/**
 * A set of objects. It compares them by identity, and does not keep them from being collected.
 * Value objects have no identity, and are never in. Any thread may use it.
 *
 * @param <T> the objects
 */
public class ObjectSet<T> {
  private final WeakIdentityMap<Boolean> objects = new WeakIdentityMap<>();

  /** A set without objects. */
  public ObjectSet() {}

  /**
   * Puts an object in.
   *
   * @param object the object; null and value objects are ignored
   * @return true if it is in and was not before
   */
  public boolean add(T object) {
    return object != null && objects.putIfAbsent(object, Boolean.TRUE) == null;
  }

  /**
   * Is an object in?
   *
   * @param object the object
   * @return true if it is
   */
  public boolean contains(T object) {
    return objects.get(object) != null;
  }

  /**
   * Takes an object out.
   *
   * @param object the object
   * @return true if it was in
   */
  public boolean remove(T object) {
    return objects.remove(object) != null;
  }
}
