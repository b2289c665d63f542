// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

/** How often control came to places of probes that count that. The agent gives them their numbers. */
final class Places {
  private static final int PAGES = 1 << 12, PAGE = 1 << 12;
  private static final long[][] ALL = new long[PAGES][];

  private Places() {}

  /** The counts by page, with that of a place. */
  static synchronized long[][] with(int place) {
    int page = place / PAGE;
    if (ALL[page] == null) ALL[page] = new long[PAGE];
    return ALL;
  }

  /** The counts of a page, for the agent; null: of none of it. */
  static synchronized long[] page(int page) {
    return ALL[page];
  }
}
