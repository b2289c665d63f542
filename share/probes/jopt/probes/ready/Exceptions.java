// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.lang.ref.WeakReference;
import jopt.probes.*;
import jopt.probes.ready.shared.Failures;
import jopt.probes.ready.shared.Tests;

/**
 * Exceptions that the program throws, or that come to it: each once in a thread, however many methods
 * it leaves and however often it is thrown on.
 */
public final class Exceptions {
  private Exceptions() {}

  private static final class Thrown extends Table {
    final ClassNameColumn type = new ClassNameColumn("Class");
    final StringColumn text = new StringColumn("Text");
    final StringColumn made = new StringColumn("Made At");
    final StringColumn how = new StringColumn("Seen");
    final ForeignKeyColumn test = Tests.column();

    Thrown() {
      super(Exceptions.class, "Exception", MASK_FOR_POINT_EVENTS);
    }
  }

  private static final Thrown thrown = new Thrown();

  /** What a thread saw last: while one leaves, a `finally` may throw and catch others. */
  private static final class Seen {
    private static final int MOST = 8;
    private final WeakReference<?>[] last = new WeakReference<?>[MOST];
    private int next;

    /** Making the recorded values may throw in the program's code. */
    boolean isBusy;

    boolean isNew(Throwable t) {
      for (WeakReference<?> r : last) if (r != null && r.get() == t) return false;
      last[next++ % MOST] = new WeakReference<>(t);
      return true;
    }
  }

  private static final ThreadLocal<Seen> seen = new ThreadLocal<>();

  private static void record(Throwable t, String how) {
    if (t == null) return;
    Seen here = seen.get();
    if (here == null) seen.set(here = new Seen());
    if (here.isBusy || !here.isNew(t)) return;
    here.isBusy = true;
    try {
      add(t, how);
    } finally {
      here.isBusy = false;
    }
  }

  private static void add(Throwable t, String how) {
    int row = thrown.createRow();
    thrown.type.setValue(row, t.getClass());
    thrown.how.setValue(row, how);
    thrown.made.setValue(row, madeAt(t));
    thrown.text.setValue(row, text(t));
    Tests.mark(thrown.test, row);
  }

  /** Its text is made by the program, which may fail at that. */
  private static String text(Throwable t) {
    try {
      return String.valueOf(Failures.told(t));
    } catch (Throwable e) {
      return null;
    }
  }

  /** Some are made without a stack, and some keep others than their own. */
  private static String madeAt(Throwable t) {
    try {
      StackTraceElement[] stack = t.getStackTrace();
      return stack.length == 0 ? null : stack[0].toString();
    } catch (Throwable e) {
      return null;
    }
  }

  /** All methods of the program. */
  @MethodPattern("*:*(*)")
  public static final class Methods {
    /** A statement of the program throws it, maybe on. */
    @Throw
    public static void onThrow(@ThrownException Throwable t) {
      record(t, "thrown");
    }

    /** The JVM or a library threw it, in or below the method that catches it. */
    @Catch
    public static void onCatch(@ThrownException Throwable t) {
      record(t, "caught");
    }

    /** The JVM or a library threw it, and the method did not catch it. */
    public static void onUncaughtException(@ThrownException Throwable t) {
      record(t, "passed on");
    }
  }
}
