// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.util.ArrayList;
import java.util.List;
import jopt.boot.record.Chunk;

/**
 * What events refer to by numbers: classes, each with its declarations, and methods. Before the guard
 * is first opened nothing is written: the program may not have begun.
 */
final class Definitions extends Chunk {
  private static final int CLASS = 16, METHOD = 17;

  /** Characters of a class's text in one event. */
  private static final int PIECE = 10_000;

  private static final Definitions all = new Definitions();

  /** Texts of classes, and methods, until then. */
  private static List<Object[]> waiting = new ArrayList<>();

  private static int methods;

  private Definitions() {
    super(DEFINITIONS);
  }

  /** Defines a class by its text. */
  static synchronized void type(int number, String text) {
    if (Tracing.text != null) return;
    if (waiting != null) waiting.add(new Object[] {number, text});
    else all.write(number, text);
  }

  /** Defines a method by its class and its enter event, and gives it a number. */
  static synchronized int method(int type, int event) {
    methods++;
    if (Tracing.text != null) return methods;
    if (waiting != null) waiting.add(new Object[] {methods, type, event});
    else all.write(methods, type, event);
    return methods;
  }

  /** From now on definitions are written. */
  static synchronized void begin() {
    if (waiting == null || Tracing.text != null) return;
    List<Object[]> before = waiting;
    waiting = null;
    for (Object[] d : before) {
      if (d.length == 2) all.write((Integer) d[0], (String) d[1]);
      else all.write((Integer) d[0], (Integer) d[1], (Integer) d[2]);
    }
  }

  private void write(int number, String text) {
    for (int from = 0; from < text.length(); ) {
      int end = Math.min(text.length(), from + PIECE);
      if (!room(8 + 3 * PIECE)) return;
      int to = text(position + 8, text, from, end);
      boolean isMore = end < text.length();
      at.putLong(position, pair(head(CLASS, isMore ? 1 : 0, to - position), number));
      publish(to);
      from = end;
    }
  }

  private void write(int number, int type, int event) {
    if (!room(16)) return;
    at.putLong(position, pair(head(METHOD, 0, 16), number));
    at.putLong(position + 8, pair(type, event));
    publish(position + 16);
  }
}
