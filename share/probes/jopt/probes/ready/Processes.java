// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.io.File;
import java.util.List;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/** Processes that a program starts, from start to end. */
public final class Processes {
  private Processes() {}

  private static final class Lives extends CallTable {
    final StringColumn command = new StringColumn("Command");
    final StringColumn directory = new StringColumn("Directory");
    final LongColumn id = new LongColumn("PID");
    final IntColumn status = new IntColumn("Exit Code");

    Lives() {
      super(Processes.class, "Process", MASK_FOR_LASTING_EVENTS);
    }
  }

  private static final Lives lives = new Lives();
  private static final Nesting nesting = new Nesting();
  private static final Getter pid = new Getter("pid", "java.lang.Process");

  /** Of each process its row, or the exit code of one that was faster than its start. */
  private static final WeakKeyMap<Object, int[]> running = new WeakKeyMap<>();

  private static final int STARTED = 0;
  private static final int EXITED = 1;

  /** Arguments may be secrets. */
  private static String commandLine(List<String> command) {
    if (command.isEmpty()) return "";
    if (Settings.VALUES) return String.join(" ", command);
    return command.size() == 1 ? command.get(0) : command.get(0) + " ...";
  }

  private static void ended(int row, int status) {
    lives.status.setValue(row, status);
    lives.closeRow(row);
  }

  /** {@code Runtime.exec} comes to these, and one of them calls the other. */
  @MethodPattern("java.lang.ProcessBuilder:start(*)")
  public static final class Start {
    public static int onEnter(@This Object object) {
      if (!nesting.enter()) return Table.NO_ROW;
      ProcessBuilder builder = (ProcessBuilder) object;
      int row = lives.createRow();
      lives.command.setValue(row, commandLine(builder.command()));
      File directory = builder.directory();
      lives.directory.setValue(row, directory == null ? null : directory.getPath());
      return row;
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Process process, @ThrownException Throwable thrown) {
      nesting.leave();
      if (Table.shouldIgnoreRow(row)) return;
      if (process == null) {
        lives.closeRow(row, thrown);
        return;
      }
      Object id = pid.get(process);
      if (id instanceof Long) lives.id.setValue(row, (Long) id);
      synchronized (running) {
        int[] state = running.remove(process);
        if (state == null) running.put(process, new int[] {STARTED, row});
        else ended(row, state[1]);
      }
    }
  }

  private static void exited(Object process, int status) {
    synchronized (running) {
      int[] state = running.remove(process);
      if (state == null) running.put(process, new int[] {EXITED, status});
      else if (state[0] == STARTED) ended(state[1], status);
    }
  }

  /** Where the JDK hears that a process has ended; that of Java 8 waits for it there. */
  @MethodPattern({
    "java.lang.ProcessImpl:lambda$initStreams$*(java.lang.Integer, java.lang.Throwable)",
    "java.lang.UNIXProcess:lambda$initStreams$*()"
  })
  public static final class End {
    public static void onEnter(@This Object process, @Param(1) Integer status) {
      if (status != null) exited(process, status);
    }

    public static void onReturn(@This Object process, @Param(1) Integer status) {
      if (status != null) return;
      try {
        exited(process, ((Process) process).exitValue());
      } catch (IllegalThreadStateException e) {
        // Nobody knows how it ended.
      }
    }
  }
}
