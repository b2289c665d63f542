// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * All arrays of bits in a row, so that it takes little to see which of them something was stored to: most
 * classes are not touched by most tests. Used under the writer's lock.
 */
final class Touched {
  /** Null for one of words. */
  private static boolean[][] elements = new boolean[256][];

  /** For each of them as many elements, none of which is reached; one of a length. */
  private static boolean[][] zeros = new boolean[256][];

  private static CoveredArray[] arrays = new CoveredArray[256];
  private static CoveredClass[] classes = new CoveredClass[256];
  private static int count;
  private static final Map<Integer, boolean[]> known = new HashMap<>();

  private Touched() {}

  static boolean[] zeros(int length) {
    boolean[] made = known.get(length);
    if (made == null) known.put(length, made = new boolean[length]);
    return made;
  }

  static void add(CoveredClass type, CoveredArray array) {
    if (array.isCounts()) return;
    if (count == arrays.length) {
      elements = Arrays.copyOf(elements, 2 * count);
      zeros = Arrays.copyOf(zeros, 2 * count);
      arrays = Arrays.copyOf(arrays, 2 * count);
      classes = Arrays.copyOf(classes, 2 * count);
    }
    elements[count] = array.array instanceof boolean[] ? (boolean[]) array.array : null;
    zeros[count] = zeros(array.length);
    arrays[count] = array;
    classes[count] = type;
    array.place = count++;
  }

  static void remove(CoveredArray array) {
    int last = --count, to = array.place;
    elements[to] = elements[last];
    zeros[to] = zeros[last];
    arrays[to] = arrays[last];
    classes[to] = classes[last];
    arrays[to].place = to;
    elements[last] = zeros[last] = null;
    arrays[last] = null;
    classes[last] = null;
  }

  /** Has the classes take what is reached from the arrays that have something. */
  static void take() {
    boolean[][] own = elements, none = zeros;
    // The JVM compares many at a time.
    for (int i = 0; i < count; i++)
      if (own[i] == null ? arrays[i].isReached(none[i]) : !Arrays.equals(own[i], none[i])) classes[i].take(arrays[i]);
  }
}
