// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.util.concurrent.atomic.AtomicLong;
import jopt.boot.record.Memory;
import jopt.boot.record.Recorder;

/**
 * While this is at work, a trace is recorded in memory of a bounded size, and only the events of chosen calls
 * are ever written. Classes are woven for it with the option {@value #OPTION} of traces. Each thread has its
 * events from the begin of its call on; what it did before is overwritten.
 */
public final class Requests {
  /** Of the trace of classes whose events are recorded this way. */
  static final String OPTION = "requests";

  /** Null: it is not at work. */
  static volatile Memory memory;

  /** Calls that are not recorded. */
  private static final AtomicLong MISSED = new AtomicLong();

  private Requests() {}

  /**
   * Begins to record.
   *
   * @param bytes that all events may take
   * @return null; or why it cannot be
   */
  public static synchronized String start(long bytes) {
    if (memory != null) return "another 'jopt record' is at work";
    if (Tracing.text != null || Stream.wasInFolder()) return "this JVM has recorded a trace already, since its start";
    if (Recorder.isOff) return "recording has ended in this JVM";
    memory = new Memory(bytes);
    Clock.open();
    return null;
  }

  /**
   * Records no more, and gives the memory back.
   *
   * @return the number of calls for which there was no memory
   */
  public static synchronized long stop() {
    Memory last = memory;
    if (last == null) return 0;
    Clock.rest(); // first: an event would go to the folder of a run otherwise
    memory = null;
    last.close();
    Lane.takeMemoryAway();
    return MISSED.getAndSet(0);
  }

  /**
   * A call begins, of which the events are wanted.
   *
   * @return its request; null inside of another one of the thread, and where there is no memory for it
   */
  public static Request begin() {
    Memory from = memory;
    Lane lane = Lane.current();
    if (from == null || lane == null || lane.out == null) return null;
    Request outer = lane.out.request();
    if (outer != null && outer.memory == from || !lane.take()) return null;
    try {
      lane.out.beforeEvent(0);
      Request begun = lane.out.isShared ? null : lane.out.beginRequest(lane, from);
      if (begun == null) MISSED.incrementAndGet();
      lane.rest();
      return begun;
    } catch (Throwable e) {
      return null; // No stack, no memory.
    } finally {
      lane.busy = false;
    }
  }

  /**
   * The call is about to end. What the thread does until {@link #complete} is not recorded.
   *
   * @param begun as {@link #begin} gave it
   * @return true if it was recorded; then {@link #complete} is to be called
   */
  public static boolean end(Request begun) {
    Lane lane = Lane.current();
    return lane != null && lane.out != null && lane.out.request() == begun && lane.take();
  }

  /**
   * The call ends.
   *
   * @param hasExit an event of its exit is still to come
   * @param next is done when all events of the request are there
   */
  public static void complete(boolean hasExit, Runnable next) {
    Lane lane = Lane.current();
    try {
      // An exception that leaves the call has no event; code that is not traced may catch it.
      if (!hasExit) lane.ended(lane.out.request().level);
      lane.out.endRequest(hasExit, next);
    } finally {
      lane.busy = false;
    }
  }
}
