// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import jopt.boot.Link;
import jopt.boot.record.OurThread;
import jopt.boot.record.Recorder;

/** Writes into the record what is in the array of each covered class, nearly each second and at the end. */
final class Writer implements Runnable {
  /** Milliseconds between two looks: what a kill takes away is less than a second. */
  private static final long PAUSE = 900;

  /** The same once the program ends: shutdown hooks may cover more. */
  private static final long LAST_PAUSE = 10;

  /**
   * Nanoseconds that the end of the program waits for a thread that is writing. The first write makes a
   * folder, which takes long on a busy machine; a short program has only that write.
   */
  private static final long LAST_PATIENCE = 15_000_000_000L;

  /** Guards the fields below. No code that links takes it, so its holder may run any code. */
  private static final AtomicBoolean lock = new AtomicBoolean();

  private static final Map<Object, CoveredClass> classes = new HashMap<>();

  /** The same in the order in which they came. */
  private static CoveredClass[] all = new CoveredClass[256];

  private static int count;

  /** The one that is asked next whether it is to lose probes. */
  private static int nextLook;

  /** When a session began, in milliseconds since 1970. */
  private static long since = System.currentTimeMillis();

  private static volatile boolean isRunning;
  private static boolean isBegun;
  private static volatile boolean hasEnding;

  /** What runs is to end: a number of rests. */
  private static volatile int rests;

  private final int turn = rests;
  private static volatile boolean isEnding;
  private static final Object pause = new Object();

  private Writer() {}

  private static synchronized boolean take() {
    if (isBegun) return false;
    return isBegun = true;
  }

  /** Sees to it that somebody writes. */
  static void begin() {
    if (isRunning || !take()) return;
    try {
      start();
      isRunning = true;
    } catch (Throwable e) {
      isBegun = false; // No stack, no memory, no thread: the next link may have more.
    }
  }

  private static void start() {
    OurThread.make(new Writer(), "jopt coverage").start();
    if (hasEnding) return;
    hasEnding = true;
    Remote.begin();
    try {
      Runtime.getRuntime().addShutdownHook(OurThread.make(new Ending(), "jopt coverage end"));
    } catch (IllegalStateException e) {
      isEnding = true;
    }
  }

  /**
   * No class has probes any more: writes what there is and ends the thread. What old activations still
   * cover is written at the end; the next class that is linked starts another thread.
   */
  static void rest() {
    if (!isRunning) return;
    rests++;
    synchronized (pause) {
      pause.notifyAll();
    }
    write();
    isBegun = false;
    isRunning = false;
  }

  /** There may be something to write again: classes that were linked before are not linked anew. */
  static void wake() {
    if (hasEnding) begin();
  }

  /** The program ends. */
  static void end() {
    isEnding = true;
    synchronized (pause) {
      pause.notifyAll();
    }
    write();
    Recorder.check();
    Remote.end();
  }

  @Override
  public void run() {
    while (!Recorder.isOff && turn == rests) {
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
    if (!(isEnding ? Recorder.acquire(lock, LAST_PATIENCE) : Recorder.acquire(lock))) return;
    try {
      takeNew();
      for (int i = 0; i < count; i++) all[i].write();
      Tests.write();
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      lock.set(false);
    }
  }

  /**
   * A session and its classes as JaCoCo writes them; null if somebody else is busy with them for too
   * long. All of it is recorded, too.
   *
   * @param isReset the next one begins here
   */
  static byte[] collect(boolean isReset) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream to = new DataOutputStream(bytes);
    if (!Recorder.acquire(lock)) return null;
    try {
      takeNew();
      long now = System.currentTimeMillis();
      Exec.session(to, since, now);
      // A reset is not to take anything from a test.
      if (Tests.isAnyRunning()) Touched.take();
      for (int i = 0; i < count; i++) all[i].write(to, isReset);
      if (isReset) since = now;
    } finally {
      lock.set(false);
    }
    return bytes.toByteArray();
  }

  /** Something is covered. Called with the lock. */
  static boolean hasClasses() {
    return count > 0;
  }

  /** One test ends and another begins; either may be null. */
  static void nextTest(String ended, String begun, boolean isAround) {
    if (!Recorder.acquire(lock)) return;
    try {
      takeNew();
      Touched.take();
      if (ended != null) Tests.end(ended);
      if (begun != null) beginTest(begun, isAround);
      if (!Tests.isAnyRunning()) for (int i = 0; i < count; i++) all[i].restore();
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      lock.set(false);
    }
  }

  private static void beginTest(String name, boolean isAround) {
    if (!Tests.isWarned()) {
      int lost = 0;
      for (int i = 0; i < count; i++) lost += all[i].lost();
      Tests.tellLost(lost, Link.pointsLink());
    }
    if (!Recorder.isOff) Tests.begin(name, isAround);
  }

  /** Classes that are to lose probes, at most that many; the next call goes on behind them. */
  static Class<?>[] takeSettled(int most) {
    List<Class<?>> found = new ArrayList<>();
    if (!Recorder.acquire(lock)) return new Class<?>[0];
    try {
      takeNew();
      for (int i = 0; i < count && found.size() < most; i++) {
        if (nextLook >= count) nextLook = 0;
        all[nextLook++].takeSettled(found, most);
      }
    } finally {
      lock.set(false);
    }
    return found.toArray(new Class<?>[0]);
  }

  private static void takeNew() {
    for (CoveredArray a = CoveredArray.takeNew(), next; a != null; a = next) {
      next = a.next();
      a.taken();
      add(a);
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
