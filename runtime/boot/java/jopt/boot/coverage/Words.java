// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

/**
 * Elements that are bits of words: reached. Words change under the monitor of their array alone ({@code
 * Link.reach}), so a thread that sets some loses none of another's.
 */
final class Words {
  final long[] words;
  private final int elements;

  Words(int elements) {
    words = new long[elements + 63 >>> 6];
    this.elements = elements;
  }

  private static void read(long word, boolean[] to, int first) {
    for (; word != 0; word &= word - 1) to[first + Long.numberOfTrailingZeros(word)] = true;
  }

  /** Which elements were reached up to now. */
  boolean[] elements() {
    boolean[] all = new boolean[elements];
    synchronized (words) {
      for (int w = 0; w < words.length; w++) read(words[w], all, w << 6);
    }
    return all;
  }

  boolean isReached() {
    synchronized (words) {
      for (long word : words) if (word != 0) return true;
      return false;
    }
  }

  /** Which elements were reached: they are forgotten. */
  boolean[] take() {
    boolean[] taken = new boolean[elements];
    synchronized (words) {
      for (int w = 0; w < words.length; w++) {
        read(words[w], taken, w << 6);
        words[w] = 0;
      }
    }
    return taken;
  }
}
