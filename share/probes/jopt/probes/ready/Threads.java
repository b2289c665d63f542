// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import jopt.probes.*;
import jopt.probes.ready.shared.CallTable;

/**
 * Threads: a row from start to end, of a virtual one from when it is made. The thread and the stack
 * trace of a row are those of who started it.
 */
public final class Threads {
  private Threads() {}

  private static final class Lives extends CallTable {
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

  private static int begin(Thread thread) {
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

  private static void end(int row, Thread thread, Throwable thrown) {
    if (Table.shouldIgnoreRow(row)) return;
    lives.ended.setValue(row, thread.getName());
    lives.closeRow(row, thrown);
  }

  /** Threads that begin; pools have a start of their own. */
  @MethodPattern("java.lang.Thread:start(*)")
  public static final class Start {
    public static int onEnter(@This Object started) {
      Thread thread = (Thread) started;
      // A start fails the second time, and one of the two methods calls the other.
      if (thread.getState() != Thread.State.NEW || rows.containsKey(thread)) return Table.NO_ROW;
      return begin(thread);
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
      end(row, (Thread) object, thrown);
    }
  }

  /** Virtual threads are made to be started; where they are, no probe may stand. */
  @MethodPattern("java.lang.ThreadBuilders:newVirtualThread(*)")
  public static final class VirtualSince21 {
    public static void onReturn(@ReturnValue Object made) {
      if (made instanceof Thread) begin((Thread) made);
    }
  }

  /** What a virtual thread runs; a thread of the platform has ended when it is through with this. */
  @MethodPattern("java.lang.Thread:runWith(java.lang.Object, java.lang.Runnable)")
  public static final class RunVirtualSince21 {
    public static int onEnter(@This Object object) {
      return object.getClass() == Thread.class ? Table.NO_ROW : rows.remove((Thread) object);
    }

    public static void onExit(
        @This Object object, @OnEnterResult int row, @ThrownException Throwable thrown) {
      end(row, (Thread) object, thrown);
    }
  }
}
