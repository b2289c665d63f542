// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import jopt.boot.record.Chunk;
import jopt.boot.record.KeptRun;
import jopt.boot.record.Recorder;

/**
 * What events refer to by numbers: classes, each with its declarations, and methods. Before the guard
 * is first opened nothing is written: the program may not have begun. Where there is no stack left to
 * write all of it, the next call goes on. Those of requests are written with each request that is.
 */
final class Definitions extends Chunk {
  private static final int CLASS = 16, METHOD = 17;

  /** Characters of a class's text in one event. */
  private static final int PIECE = 10_000;

  private static final Definitions all = new Definitions();

  /** One that is to be written: a class with its text, or a method of a class. */
  static final class Definition {
    final int number;

    /** Null for a method. */
    final String text;

    final int type;
    final int event;

    /** Characters of the text that are written. */
    int written;

    Definition next;

    Definition(int number, String text, int type, int event) {
      this.number = number;
      this.text = text;
      this.type = type;
      this.event = event;
    }
  }

  /** What waits to be written, in its order. */
  private static Definition first, last;

  /** Those of requests; they stay. */
  private static Definition firstOfRequests, lastOfRequests;

  private static boolean hasBegun;
  private static int methods;

  /** Chunks in memory, for one request; null: it writes to the folder. */
  private ByteBuffer[] chunks;

  private int[] ends;
  private int count;

  private Definitions() {
    super(DEFINITIONS);
  }

  /** Defines a class by its text. */
  static synchronized void type(int number, String text, boolean isForRequests) {
    if (Tracing.text != null) return;
    Definition type = new Definition(number, text, 0, 0);
    if (isForRequests) {
      addOfRequests(type);
      return;
    }
    add(type);
    write();
  }

  /**
   * Defines a method by its class and its enter event.
   *
   * @return its number; 0 if it cannot be written now
   */
  static synchronized int method(int type, int event, boolean isForRequests) {
    if (Tracing.text != null) return ++methods;
    if (isForRequests) {
      addOfRequests(new Definition(++methods, null, type, event));
      return methods;
    }
    if (!write()) return 0;
    Definition method = new Definition(++methods, null, type, event);
    add(method);
    return write() ? method.number : 0;
  }

  /** From now on definitions are written. */
  static synchronized void begin() {
    hasBegun = true;
    write();
  }

  private static void addOfRequests(Definition d) {
    if (firstOfRequests == null) firstOfRequests = d;
    else lastOfRequests.next = d;
    lastOfRequests = d;
  }

  /** Writes those of requests to a run. */
  static void write(KeptRun run) throws IOException {
    Definitions to = new Definitions();
    to.chunks = new ByteBuffer[1];
    to.ends = new int[1];
    to.renewInMemory();
    Definition d;
    synchronized (Definitions.class) {
      d = firstOfRequests;
    }
    for (; d != null; d = next(d)) {
      // Each writer counts what it has written in copies of its own.
      Definition own = new Definition(d.number, d.text, d.type, d.event);
      if (!(own.text == null ? to.writeMethod(own) : to.writeClass(own))) throw new IOException("there is no stack left");
    }
    to.ends[to.count - 1] = to.position;
    run.write("definitions", Arrays.copyOf(to.chunks, to.count), to.ends);
  }

  private static synchronized Definition next(Definition d) {
    return d.next;
  }

  @Override
  protected boolean isInMemory() {
    return chunks != null;
  }

  @Override
  protected boolean renewInMemory() {
    if (count > 0) ends[count - 1] = position;
    if (count == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    beginInMemory(chunks[count++] = ByteBuffer.allocate(SIZE));
    return true;
  }

  private static void add(Definition d) {
    if (first == null) first = d;
    else last.next = d;
    last = d;
  }

  /**
   * Writes what waits, if it is time.
   *
   * @return false if something has to wait for another call
   */
  private static boolean write() {
    if (!hasBegun) return true;
    for (; first != null; first = first.next) {
      boolean isWritten = first.text == null ? all.writeMethod(first) : all.writeClass(first);
      if (!isWritten) return Recorder.isOff;
    }
    return true;
  }

  private boolean writeClass(Definition d) {
    while (d.written < d.text.length()) {
      int end = Math.min(d.text.length(), d.written + PIECE);
      if (!room(8 + 3 * PIECE)) return false;
      int to = text(position + 8, d.text, d.written, end);
      boolean isMore = end < d.text.length();
      at.putLong(position, pair(head(CLASS, isMore ? 1 : 0, to - position), d.number));
      // Both, or none: no call stands between.
      position = to;
      d.written = end;
      publish(to);
    }
    return true;
  }

  private boolean writeMethod(Definition d) {
    if (!room(16)) return false;
    at.putLong(position, pair(head(METHOD, 0, 16), d.number));
    at.putLong(position + 8, pair(d.type, d.event));
    publish(position + 16);
    return true;
  }
}
