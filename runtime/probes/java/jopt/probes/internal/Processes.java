// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.internal;

import java.util.ArrayList;
import java.util.List;

/** Processes that somebody waits for. Not for users. */
public final class Processes {
  private static final List<Process> watched = new ArrayList<>();
  private static final List<Integer> rows = new ArrayList<>();

  private Processes() {}

  /**
   * Lets {@link #exited} tell when {@code process} has ended.
   *
   * @param process the process
   * @param row the row that identifies it
   */
  public static synchronized void watch(Process process, int row) {
    if (process == null || row <= 0) return;
    watched.add(process);
    rows.add(row);
  }

  /**
   * The processes that ended, each once.
   *
   * @return pairs of a row and an exit code; null if there are none
   */
  public static synchronized int[] exited() {
    int[] pairs = null;
    for (int i = watched.size(); i-- > 0; ) {
      if (watched.get(i).isAlive()) continue;
      int n = pairs == null ? 0 : pairs.length;
      int[] more = new int[n + 2];
      if (pairs != null) System.arraycopy(pairs, 0, more, 0, n);
      more[n] = rows.remove(i);
      more[n + 1] = watched.remove(i).exitValue();
      pairs = more;
    }
    return pairs;
  }
}
