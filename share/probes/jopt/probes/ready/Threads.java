// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import jopt.probes.*;

/**
 * Threads of the platform: a row from start to end. The thread and the stack trace of a row are those
 * of who started it.
 */
public final class Threads {
  private Threads() {}

  private static final class Lives extends Table {
    final StringColumn name = new StringColumn("Name");
    final StringColumn ended = new StringColumn("Name at the End");
    final LongColumn id = new LongColumn("Id");
    final StringColumn daemon = new StringColumn("Daemon");
    final StringColumn group = new StringColumn("Group");
    final ClassNameColumn type = new ClassNameColumn("Class");

    Lives() {
      super(Threads.class, "Thread", MASK_FOR_LASTING_EVENTS);
    }
  }

  private static final Lives lives = new Lives();
  private static final ObjectRowIndexMap<Thread> rows = new ObjectRowIndexMap<>();

  /** Threads that begin; pools have a start of their own. */
  @MethodPattern("java.lang.Thread:start(*)")
  public static final class Start {
    public static int onEnter(@This Object started) {
      Thread thread = (Thread) started;
      // A start fails the second time, and one of the two methods calls the other.
      if (thread.getState() != Thread.State.NEW || rows.containsKey(thread)) return Table.NO_ROW;
      int row = lives.createRow();
      lives.name.setValue(row, thread.getName());
      lives.id.setValue(row, thread.getId());
      lives.daemon.setValue(row, String.valueOf(thread.isDaemon()));
      ThreadGroup group = thread.getThreadGroup();
      lives.group.setValue(row, group == null ? null : group.getName());
      lives.type.setValue(row, thread.getClass());
      rows.put(thread, row);
      return row;
    }

    public static void onExit(
        @This Object started, @OnEnterResult int row, @ThrownException Throwable thrown) {
      if (thrown == null || Table.shouldIgnoreRow(row)) return;
      rows.remove((Thread) started);
      lives.closeRow(row, thrown);
    }
  }

  /** What a thread runs; the outermost one of several that call each other. */
  @MethodPattern({
    "java.lang.Thread:run()",
    "java.util.TimerThread:run()",
    "java.util.concurrent.ForkJoinWorkerThread:run()",
    "*:run()"
  })
  @InstanceOf("java.lang.Thread")
  public static final class Run {
    public static int onEnter(@This Object object) {
      Thread thread = (Thread) object;
      // Somebody may call it as any other method.
      return thread == Thread.currentThread() ? rows.remove(thread) : Table.NO_ROW;
    }

    public static void onExit(
        @This Object object, @OnEnterResult int row, @ThrownException Throwable thrown) {
      if (Table.shouldIgnoreRow(row)) return;
      lives.ended.setValue(row, ((Thread) object).getName());
      lives.closeRow(row, thrown);
    }
  }
}
