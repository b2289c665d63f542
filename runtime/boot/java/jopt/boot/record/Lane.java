// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Where a thread writes its events. A platform thread has a lane of its own; virtual threads share
 * some, one at a time.
 *
 * <p>A lane is found without a line of the JDK's Java code, and is busy while it is used: a probe in
 * code that the recorder itself uses finds it so, and records nothing.
 */
final class Lane extends Chunk {
  static final int THREAD_EVENT = 9;

  private static final AtomicReferenceFieldUpdater<Lane, Thread> USER =
      AtomicReferenceFieldUpdater.newUpdater(Lane.class, Thread.class, "user");
  private static final Class<?> VIRTUAL = virtualThreads();
  private static final int RECENT = 64;

  /** By the hashes of their threads; a power of two long, at most half of it used. */
  private static volatile Lane[] lanes;

  private static int count;
  private static int sweepAt = 32;
  private static volatile Lane[] shared;

  static {
    // Last: as long as there are none, a probe in what these initialisers use finds no lane.
    Recorder.now();
    lanes = new Lane[64];
  }

  private final Thread thread;
  private volatile Thread user;
  private boolean busy;
  private Thread writer;

  /** The time of the last event. */
  long clock;

  // The rows that this thread created last: what, when, from where to where.
  final long[] row = new long[RECENT];
  final long[] since = new long[RECENT];
  final int[] from = new int[RECENT];
  final int[] to = new int[RECENT];
  final int[] in = new int[RECENT];

  /** Hashes of strings that were met. */
  private final int[] met = new int[256];

  private Lane(Thread thread) {
    super(ROWS);
    this.thread = thread;
    writer = thread;
  }

  private static Class<?> virtualThreads() {
    try {
      // Not initialised: whether it is, tells the agent that there may be such threads.
      return Class.forName("java.lang.VirtualThread", false, null);
    } catch (Throwable e) {
      return null;
    }
  }

  /** The lane of the current thread, for it alone until it leaves; null if it may not record. */
  static Lane enter() {
    Lane[] all = lanes;
    if (all == null || Recorder.isOff) return null;
    Thread current = Thread.currentThread();
    if (current.getClass() == VIRTUAL) return enterShared(current);
    Lane lane = find(all, current);
    if (lane == null) lane = add(current);
    if (lane.busy) return null;
    lane.busy = true;
    return lane;
  }

  /** Gives the lane back. */
  void leave() {
    if (thread == null) user = null;
    else busy = false;
  }

  private static int hash(Thread thread) {
    int h = System.identityHashCode(thread) * 0x9e3779b1;
    return h ^ h >>> 16;
  }

  private static Lane find(Lane[] all, Thread thread) {
    for (int i = hash(thread); ; i++) {
      Lane lane = all[i & all.length - 1];
      if (lane == null || lane.thread == thread) return lane;
    }
  }

  /** Nothing in here waits or calls the JDK, so it may be done wherever a probe may be. */
  private static synchronized Lane add(Thread thread) {
    if (count >= sweepAt) sweep();
    Lane lane = new Lane(thread);
    insert(lanes, lane);
    count++;
    return lane;
  }

  private static void insert(Lane[] all, Lane lane) {
    int i = hash(lane.thread);
    while (all[i & all.length - 1] != null) i++;
    all[i & all.length - 1] = lane;
  }

  /** Takes out the lanes of threads that ended; their chunks are for others. */
  private static void sweep() {
    Lane[] old = lanes;
    int alive = 0;
    for (Lane lane : old) {
      if (lane != null && lane.thread.isAlive()) alive++;
    }
    int size = 64;
    while (size < alive * 4) size *= 2;
    Lane[] all = new Lane[size];
    count = 0;
    for (Lane lane : old) {
      if (lane == null) continue;
      if (!lane.thread.isAlive()) {
        Recorder.give(lane);
      } else {
        insert(all, lane);
        count++;
      }
    }
    sweepAt = size / 2;
    lanes = all;
  }

  private static synchronized Lane[] makeShared() {
    if (shared != null) return shared;
    int n = 2;
    while (n < Runtime.getRuntime().availableProcessors() * 2) n *= 2;
    Lane[] made = new Lane[n];
    for (int i = 0; i < n; i++) made[i] = new Lane(null);
    return shared = made;
  }

  private static Lane enterShared(Thread current) {
    Lane[] all = shared;
    if (all == null) all = makeShared();
    for (Lane lane : all) {
      if (lane.user == current) return null;
    }
    for (int i = hash(current), tries = 1; ; i++, tries++) {
      Lane lane = all[i & all.length - 1];
      if (lane.user == null && USER.compareAndSet(lane, null, current)) {
        lane.become(current);
        return lane;
      }
      if (tries % all.length == 0) Thread.yield();
    }
  }

  private void become(Thread next) {
    if (writer == next) return;
    writer = next;
    for (int i = 0; i < RECENT; i++) row[i] = 0;
    if (at != null && room(NAME + 12)) begun();
  }

  private static final int NAME = 3 * 256;

  @Override
  long threadId() {
    return id(writer);
  }

  @SuppressWarnings("deprecation") // Java 8 has no other.
  private static long id(Thread of) {
    return of.getId();
  }

  @Override
  void begun() {
    String name = writer.getName();
    int end = text(position + 12, name, 0, Math.min(name.length(), NAME / 3));
    at.putInt(position, head(THREAD_EVENT, thread == null ? 1 : 0, end - position));
    at.putLong(position + 4, id(writer));
    publish(end);
  }

  /** Was a string with this hash written lately? */
  boolean meets(int hash) {
    int i = (hash ^ hash >>> 8) & met.length - 1;
    if (met[i] == hash) return true;
    met[i] = hash;
    return false;
  }

  /** Where what is known of a row is, if it is. */
  static int slot(int table, int row) {
    return row * 31 + table & RECENT - 1;
  }
}
