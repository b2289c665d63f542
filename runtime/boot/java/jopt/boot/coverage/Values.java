// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import jopt.boot.record.Chunk;

/**
 * The elements of covered classes. They are written where they stand as often as they change, so a
 * chunk of them stays what it is and where it is: it is never appended to a file. The writer alone
 * uses it.
 */
final class Values extends Chunk {
  private static final int BITS = 1, COUNTS = 2;
  private static final int HEAD = 16;

  private static final Values all = new Values();

  private Values() {
    super(COVERAGE);
  }

  /** Makes room for some elements, which are 0; null if there can be none. */
  static CoveredClass.Part add(int number, boolean isCounts, int first, int length) {
    return all.make(number, isCounts, first, length);
  }

  private CoveredClass.Part make(int number, boolean isCounts, int first, int length) {
    int bytes = isCounts ? 8 * length : length + 63 >> 6 << 3;
    // Another one, mapped for good.
    if (at != null && position + HEAD + bytes > SIZE) at = null;
    if (!room(HEAD + bytes)) return null;
    int to = position;
    at.putLong(to, pair(head(isCounts ? COUNTS : BITS, 0, HEAD + bytes), number));
    at.putLong(to + 8, pair(first, length));
    publish(to + HEAD + bytes);
    return new CoveredClass.Part(at, to + HEAD, first, length);
  }
}
