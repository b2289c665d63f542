// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.util.concurrent.atomic.AtomicLongArray;

/** Elements that are bits of words: reached. A thread that sets some loses none of another's. */
final class Words extends AtomicLongArray {
  private static final long serialVersionUID = 1;

  private final int elements;

  Words(int elements) {
    super(elements + 63 >>> 6);
    this.elements = elements;
  }

  private static void read(long word, boolean[] to, int first) {
    for (; word != 0; word &= word - 1) to[first + Long.numberOfTrailingZeros(word)] = true;
  }

  /** Which elements were reached up to now. */
  boolean[] elements() {
    boolean[] all = new boolean[elements];
    for (int w = 0; w < length(); w++) read(get(w), all, w << 6);
    return all;
  }

  boolean isReached() {
    for (int w = 0; w < length(); w++) if (get(w) != 0) return true;
    return false;
  }

  /** Which elements were reached: they are forgotten. */
  boolean[] take() {
    boolean[] taken = new boolean[elements];
    for (int w = 0; w < length(); w++) if (get(w) != 0) read(getAndSet(w, 0), taken, w << 6);
    return taken;
  }
}
