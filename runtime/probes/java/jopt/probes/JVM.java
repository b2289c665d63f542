// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.probes.internal.Processes;

/** What probes ask about the JVM they run in. */
public final class JVM {
  private JVM() {}

  /**
   * Has the JVM started?
   *
   * @return true: no callback runs before
   */
  public static boolean isLivePhase() {
    return true;
  }

  /**
   * The processes that ended since somebody asked last.
   *
   * @return pairs of a row and an exit code; null if there are none
   */
  public static int[] getExitedProcesses() {
    return Processes.exited();
  }

  /**
   * Lets {@link #getExitedProcesses} tell when a process has ended.
   *
   * @param process the process
   * @param row the row that identifies it
   */
  public static void registerProcessExitListener(Process process, int row) {
    Processes.watch(process, row);
  }
}
