// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The largest of what threads go on counting. */
final class Largest {
  private static final class Sized<V> {
    final Object key;
    final V value;
    final long size;

    Sized(Object key, V value, long size) {
      this.key = key;
      this.value = value;
      this.size = size;
    }
  }

  private Largest() {}

  /**
   * Those of {@code all} with the largest sizes, in that order. Each is asked once for its size: a sort that
   * sees sizes change fails.
   */
  static <V> List<Map.Entry<Object, V>> of(Map<Object, V> all, int most, ToLongFunction<V> size) {
    List<Sized<V>> sorted = new ArrayList<>();
    all.forEach((key, value) -> sorted.add(new Sized<>(key, value, size.applyAsLong(value))));
    sorted.sort(
        (a, b) -> {
          int order = Long.compare(b.size, a.size);
          return order != 0 ? order : a.key.toString().compareTo(b.key.toString());
        });
    List<Map.Entry<Object, V>> found = new ArrayList<>();
    for (Sized<V> s : sorted.subList(0, Math.min(most, sorted.size())))
      found.add(new SimpleImmutableEntry<>(s.key, s.value));
    return found;
  }
}
