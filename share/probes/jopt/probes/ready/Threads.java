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

  private static void end(Thread thread) {
    int row = rows.remove(thread);
    if (Table.shouldIgnoreRow(row)) return;
    lives.ended.setValue(row, thread.getName());
    lives.closeRow(row);
  }

  /** What a thread that ends goes through, before Java 19. */
  @MethodPattern("java.lang.ThreadGroup:threadTerminated(java.lang.Thread)")
  public static final class EndOfMember {
    public static void onEnter(@Param(1) Thread thread) {
      end(thread);
    }
  }

  /** What a thread that ends goes through, from then on. */
  @MethodPattern("java.lang.Thread:clearReferences()")
  public static final class End {
    public static void onEnter(@This Object thread) {
      end((Thread) thread);
    }
  }
}
