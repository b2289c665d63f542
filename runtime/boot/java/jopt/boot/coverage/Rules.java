// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.util.Arrays;

/**
 * How points follow from the elements of a class. {@code jopt::coverage::encodeRules} writes
 * the text: how many points there are; for each of them a number whose lowest two bits say whether it has an
 * element (1: the one behind the last one that was given, 2: the one that follows), and whose others say how many points
 * follow, each of which implies it, by how far they are from it. In front of all that may be '!' and how many
 * points, the first ones, are JaCoCo's probes; else all are.
 */
final class Rules {
  private final String text;
  private int at;

  private Rules(String text) {
    this.text = text;
  }

  /** Five bits a character, low ones first; all but the last one have another bit. */
  private int number() {
    int n = 0;
    for (int shift = 0; ; shift += 5) {
      int digit = text.charAt(at++) - '0';
      n |= (digit & 31) << shift;
      if (digit < 32) return n;
    }
  }

  private int signed() {
    int n = number();
    return n >>> 1 ^ -(n & 1);
  }

  /**
   * All points.
   *
   * @param parts of the text; none: they are the elements
   * @param elements which were reached
   */
  static boolean[] inflate(Object[] parts, boolean[] elements) {
    Rules of = of(parts);
    if (of.text.isEmpty()) return elements;
    of.probes();
    return of.inflate(elements);
  }

  /** Those of them that are JaCoCo's probes. */
  static boolean[] probes(Object[] parts, boolean[] elements) {
    Rules of = of(parts);
    if (of.text.isEmpty()) return elements;
    int probes = of.probes();
    boolean[] all = of.inflate(elements);
    return probes < 0 ? all : Arrays.copyOf(all, probes);
  }

  private static Rules of(Object[] parts) {
    String all = "";
    for (Object part : parts) all = all.concat((String) part);
    return new Rules(all);
  }

  /** How many points are probes; -1 if all are. */
  private int probes() {
    if (text.charAt(0) != '!') return -1;
    at = 1;
    return number();
  }

  private boolean[] inflate(boolean[] elements) {
    boolean[] points = new boolean[number()];
    int[][] from = new int[points.length][];
    int element = -1;
    for (int p = 0; p < points.length; p++) {
      int head = number();
      if ((head & 3) != 0) {
        element = (head & 3) == 1 ? element + 1 : number();
        points[p] = elements[element];
      }
      from[p] = new int[head >>> 2];
      for (int i = 0; i < from[p].length; i++) from[p][i] = p + signed();
    }
    // What implies a probe mostly comes behind it.
    for (boolean isDone = false; !isDone; ) {
      isDone = true;
      for (int p = points.length - 1; p >= 0; p--)
        for (int q : from[p])
          if (!points[p] && points[q]) {
            points[p] = true;
            isDone = false;
          }
    }
    return points;
  }
}
