// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

/**
 * How JaCoCo's probes follow from the elements of a class. {@code jopt::coverage::encodeRules} writes
 * the text: how many probes there are; for each of them a number whose lowest two bits say whether it has an
 * element (1: the one behind the last one that was given, 2: the one that follows), and whose others say how many probes
 * follow, each of which implies it, by how far they are from it.
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
   * JaCoCo's probes.
   *
   * @param parts of the text; none: they are the elements
   * @param elements which were reached
   */
  static boolean[] inflate(Object[] parts, boolean[] elements) {
    String all = "";
    for (Object part : parts) all = all.concat((String) part);
    return all.isEmpty() ? elements : new Rules(all).inflate(elements);
  }

  private boolean[] inflate(boolean[] elements) {
    boolean[] probes = new boolean[number()];
    int[][] from = new int[probes.length][];
    int element = -1;
    for (int p = 0; p < probes.length; p++) {
      int head = number();
      if ((head & 3) != 0) {
        element = (head & 3) == 1 ? element + 1 : number();
        probes[p] = elements[element];
      }
      from[p] = new int[head >>> 2];
      for (int i = 0; i < from[p].length; i++) from[p][i] = p + signed();
    }
    // What implies a probe mostly comes behind it.
    for (boolean isDone = false; !isDone; ) {
      isDone = true;
      for (int p = probes.length - 1; p >= 0; p--)
        for (int q : from[p])
          if (!probes[p] && probes[q]) {
            probes[p] = true;
            isDone = false;
          }
    }
    return probes;
  }
}
