// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready.shared;

import jopt.probes.Table;

/**
 * How many calls of probed methods each thread is in. One of them calls others, of the same object
 * or of another; the outermost is what the program called.
 */
public final class Nesting {
  /** Depth and row. What threads keep is of no class of probes, which may have to go. */
  private final ThreadLocal<int[]> states =
      new ThreadLocal<int[]>() {
        @Override
        protected int[] initialValue() {
          return new int[] {0, Table.NO_ROW};
        }
      };

  /** No thread is in any. */
  public Nesting() {}

  /**
   * A call begins. It is followed by one of {@link #leave}.
   *
   * @return true if it is the outermost one
   */
  public boolean enter() {
    return states.get()[0]++ == 0;
  }

  /** A call ends. */
  public void leave() {
    --states.get()[0];
  }

  /**
   * The row that was last set for this thread.
   *
   * @return the row
   */
  public int row() {
    return states.get()[1];
  }

  /**
   * Sets the row of this thread.
   *
   * @param row the row
   * @return the one of before
   */
  public int setRow(int row) {
    int[] state = states.get();
    int before = state[1];
    state[1] = row;
    return before;
  }
}
