// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import jopt.boot.record.OurThread;
import jopt.boot.record.Recorder;

/**
 * The time of events, in milliseconds since recording began, and the guard. A thread of its own
 * counts them, so that an event compares two numbers and reads no clock; while the guard is closed
 * the time is one that no event can have, and so the same comparison finds that.
 */
final class Clock implements Runnable {
  static final int CLOSED = -1;

  /** The time in the higher half; nothing in the lower one. */
  static volatile long now = (long) CLOSED << 32;

  /** That which counts; null until then. */
  static Thread thread;

  private static boolean isOpen;

  /** The thread is to end while the guard is closed. */
  private static boolean isResting;

  private Clock() {}

  /** Events are recorded. */
  static boolean isOpen() {
    return now >= 0;
  }

  static int tick() {
    return (int) (now >> 32);
  }

  private static void read() {
    now = Recorder.now() / 1_000_000 << 32;
  }

  /** Opens the guard. */
  static synchronized void open() {
    if (Recorder.isOff) return;
    Definitions.begin();
    Ending.opened();
    isOpen = true;
    isResting = false;
    read();
    if (thread != null) return;
    thread = OurThread.make(new Clock(), "jopt trace clock");
    thread.start();
  }

  /** Closes the guard. */
  static synchronized void close() {
    isOpen = false;
    now = (long) CLOSED << 32;
  }

  /** Closes the guard, and ends the thread; the next who opens it starts another. */
  static synchronized void rest() {
    close();
    isResting = true;
  }

  private static synchronized boolean step() {
    if (isOpen) read();
    else if (isResting) thread = null;
    return thread == Thread.currentThread();
  }

  @Override
  public void run() {
    Lane lane = Lane.current();
    if (lane != null) lane.take(); // What it calls is not the program's.
    while (!Recorder.isOff) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        // Somebody interrupts all threads there are.
      }
      if (!step()) return;
    }
    close();
  }
}
