// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import jopt.boot.Link;

/** Where in the array of a class tables of paths are, whose elements cannot be added one by one. */
final class PathTables {
  private static final String WORD = "paths ";

  /** Where they begin, ascending. */
  private final int[] starts;

  private PathTables(int[] starts) {
    this.starts = starts;
  }

  /** Those that the text names; null if there are none. */
  static PathTables of(Object[] parts) {
    String all = "";
    for (Object part : parts) all = all.concat((String) part);
    if (!all.startsWith(WORD)) return null;
    String[] words = all.split(" ");
    int[] starts = new int[words.length - 2];
    for (int i = 0; i < starts.length; i++) starts[i] = Integer.parseInt(words[i + 2]);
    return starts.length == 0 ? null : new PathTables(starts);
  }

  /** Adds all elements of another array. */
  void add(long[] to, long[] from) {
    int next = 0;
    for (int i = 0; i < to.length; ) {
      if (next < starts.length && starts[next] == i) {
        addTable(to, from, starts[next++]);
        i += Link.PATH_TABLE;
      } else {
        to[i] += from[i];
        i++;
      }
    }
  }

  private static void addTable(long[] to, long[] from, int table) {
    to[table] += from[table];
    for (int i = table + 1; i < table + Link.PATH_TABLE; i += 2)
      if (from[i] != 0) Link.countPath(to, table, (int) (from[i] - 1), from[i + 1]);
  }
}
