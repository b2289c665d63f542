// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** Strings, stacks and tables, which are written once into a record and referred to by numbers. */
final class Definitions extends Chunk {
  static final int STRING = 1, FRAME = 2, STACK = 3, TABLE = 4, COLUMN = 5, NOTE = 6;

  /** Strings that are longer, or come when there are that many, stand where they are used. */
  static final int LONGEST = 500;

  private static final int STRINGS = 1 << 16;
  private static final int STACKS = 1 << 18;
  private static final int FRAMES = 256;
  private static final int TITLE = 4000;

  private static final AtomicBoolean lock = new AtomicBoolean();
  private static final Definitions all = new Definitions();
  private static final Interned strings = new Interned();
  private static final Interned frames = new Interned();
  private static final Interned stacks = new Interned();
  private static boolean manyStacks;

  /** The frames of a stack, innermost first. */
  private static final class Stack {
    final int[] frames;

    Stack(int[] frames) {
      this.frames = frames;
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(frames);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Stack && Arrays.equals(frames, ((Stack) other).frames);
    }
  }

  private Definitions() {
    super(DEFINITIONS);
  }

  /** The number of a value; 0 if it is to be written where it is used. */
  static int string(String text, boolean known) {
    int hash = text.hashCode();
    int id = strings.find(text, hash);
    if (id != 0 || !known || strings.count() >= STRINGS) return id;
    if (!Recorder.acquire(lock)) return 0;
    try {
      return define(text);
    } finally {
      lock.set(false);
    }
  }

  /** The number of a string, which is defined if need be. Callers have the lock. */
  private static int define(String text) {
    if (text == null) return 0;
    int hash = text.hashCode();
    int id = strings.find(text, hash);
    if (id != 0) return id;
    int cut = cut(text, 0, TITLE);
    if (!all.room(8 + 3 * cut)) return 0;
    int end = all.text(all.position + 8, text, 0, cut);
    all.at.putLong(
        all.position, pair(head(STRING, 0, end - all.position), strings.count() + 1));
    all.publish(end);
    return strings.add(text, hash);
  }

  private static int frame(StackTraceElement e) {
    int hash = e.hashCode();
    int id = frames.find(e, hash);
    if (id != 0) return id;
    int type = define(e.getClassName());
    int method = define(e.getMethodName());
    int file = define(e.getFileName());
    if (type == 0 || method == 0 || !all.room(24)) return 0;
    all.at.putLong(all.position, pair(head(FRAME, 0, 24), frames.count() + 1));
    all.at.putLong(all.position + 8, pair(type, method));
    all.at.putLong(all.position + 16, pair(file, e.getLineNumber()));
    all.publish(all.position + 24);
    return frames.add(e, hash);
  }

  /** The number of the stack of the thread that calls the recorder; 0 if it cannot be recorded. */
  static int stack() {
    StackTraceElement[] trace = new Throwable().getStackTrace();
    int from = 0;
    while (from < trace.length && isOurs(trace[from].getClassName())) from++;
    if (!Recorder.acquire(lock)) return 0;
    try {
      int[] ids = new int[Math.min(trace.length - from, FRAMES)];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = frame(trace[from + i]);
        if (ids[i] == 0) return 0;
      }
      return define(new Stack(ids));
    } finally {
      lock.set(false);
    }
  }

  private static boolean isOurs(String name) {
    return name.startsWith("jopt.boot.")
        || name.startsWith("jopt.probes.")
        || name.startsWith("com.yourkit.probes.");
  }

  private static int define(Stack stack) {
    int hash = stack.hashCode();
    int id = stacks.find(stack, hash);
    if (id != 0) return id;
    if (stacks.count() >= STACKS) {
      if (!manyStacks) write("stack traces that came after " + STACKS + " others are left out");
      manyStacks = true;
      return 0;
    }
    int length = 8 + 4 * stack.frames.length;
    if (!all.room(length)) return 0;
    all.at.putLong(all.position, pair(head(STACK, 0, length), stacks.count() + 1));
    for (int i = 0; i < stack.frames.length; i++) {
      all.at.putInt(all.position + 8 + 4 * i, stack.frames[i]);
    }
    all.publish(all.position + length);
    return stacks.add(stack, hash);
  }

  /** Says something about the record. */
  static void note(String text) {
    if (!Recorder.acquire(lock)) return;
    try {
      write(text);
    } finally {
      lock.set(false);
    }
  }

  private static void write(String text) {
    int cut = cut(text, 0, TITLE);
    if (!all.room(4 + 3 * cut)) return;
    int end = all.text(all.position + 4, text, 0, cut);
    all.at.putInt(all.position, head(NOTE, 0, end - all.position));
    all.publish(end);
  }

  /** Defines a table, or says anew what holds of it; false if it cannot be. */
  static boolean table(int id, int parent, String holder, String title, long mask, int minimum) {
    if (!Recorder.acquire(lock)) return false;
    try {
      if (!all.room(28 + 6 * TITLE)) return false;
      int at = all.position;
      int end = all.text(at + 28, nonNull(holder), 0, cut(nonNull(holder), 0, TITLE));
      int length = end - at - 28;
      end = all.text(end, title, 0, cut(title, 0, TITLE));
      all.at.putLong(at, pair(head(TABLE, 0, end - at), id));
      all.at.putLong(at + 8, mask);
      all.at.putLong(at + 16, pair(parent, minimum));
      all.at.putInt(at + 24, length);
      all.publish(end);
      return true;
    } finally {
      lock.set(false);
    }
  }

  /** Defines a column. */
  static void column(int table, int index, char type, int other, String title) {
    if (!Recorder.acquire(lock)) return;
    try {
      String text = nonNull(title);
      int cut = cut(text, 0, TITLE);
      if (!all.room(16 + 3 * cut)) return;
      int at = all.position;
      int end = all.text(at + 16, text, 0, cut);
      all.at.putLong(at, pair(head(COLUMN, type, end - at), table));
      all.at.putLong(at + 8, pair(index, other));
      all.publish(end);
    } finally {
      lock.set(false);
    }
  }

  private static String nonNull(String text) {
    return text == null ? "" : text;
  }
}
