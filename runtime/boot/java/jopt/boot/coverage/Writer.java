// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import jopt.boot.record.Recorder;

/** Writes into the record what is in the array of each covered class, nearly each second and at the end. */
final class Writer extends Thread {
  /** Milliseconds between two looks: what a kill takes away is less than a second. */
  private static final long PAUSE = 900;

  /** The same once the program ends: shutdown hooks may cover more. */
  private static final long LAST_PAUSE = 10;

  /** Of what follows. Nothing that links takes it, so whoever has it may run any code. */
  private static final AtomicBoolean lock = new AtomicBoolean();

  private static final Map<Object, CoveredClass> classes = new HashMap<>();

  /** The same in the order in which they came. */
  private static CoveredClass[] all = new CoveredClass[256];

  private static int count;

  private static volatile boolean isRunning;
  private static boolean isBegun;
  private static volatile boolean isEnding;
  private static final Object pause = new Object();

  private Writer() {
    super(Recorder.rootGroup(), "jopt coverage");
    setDaemon(true);
    setContextClassLoader(null); // which would be kept
  }

  private static synchronized boolean take() {
    if (isBegun) return false;
    return isBegun = true;
  }

  /** Sees to it that somebody writes. */
  static void begin() {
    if (isRunning || !take()) return;
    try {
      // Else the thread would keep the loaders of all that are on the stack.
      AccessController.doPrivileged((PrivilegedAction<Object>) Writer::start0);
      isRunning = true;
    } catch (Throwable e) {
      isBegun = false; // No stack, no memory, no thread: the next link may have more.
    }
  }

  private static Object start0() {
    new Writer().start();
    try {
      Runtime.getRuntime().addShutdownHook(new Ending());
    } catch (IllegalStateException e) {
      isEnding = true;
    }
    return null;
  }

  /** The program ends. */
  static void end() {
    isEnding = true;
    synchronized (pause) {
      pause.notifyAll();
    }
    write();
  }

  @Override
  public void run() {
    while (!Recorder.isOff) {
      synchronized (pause) {
        try {
          pause.wait(isEnding ? LAST_PAUSE : PAUSE);
        } catch (InterruptedException e) {
          // Somebody interrupts all threads there are.
        }
      }
      write();
    }
  }

  /** Records what was covered since the last call. */
  static void write() {
    if (!Recorder.acquire(lock)) return;
    try {
      for (CoveredArray a = CoveredArray.takeNew(), next; a != null; a = next) {
        next = a.next();
        a.taken();
        add(a);
      }
      for (int i = 0; i < count; i++) all[i].write();
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      lock.set(false);
    }
  }

  private static void add(CoveredArray a) {
    if (Recorder.isOff) return;
    Object key = CoveredClass.key(a);
    CoveredClass known = classes.get(key);
    if (known == null) {
      known = CoveredClass.define(a);
      if (known == null) return;
      classes.put(key, known);
      if (count == all.length) all = java.util.Arrays.copyOf(all, count * 2);
      all[count++] = known;
    }
    known.add(a);
  }
}
