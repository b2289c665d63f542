// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Where a thread writes its events. A platform thread has a lane of its own; virtual threads share
 * some, one at a time.
 *
 * <p>A lane is found without a line of the JDK's Java code (the JVM has its own for references), and
 * is busy while it is used: a probe in code that the recorder itself uses finds it so, and records
 * nothing. It keeps no thread that ended.
 */
final class Lane extends Chunk {
  static final int THREAD_EVENT = 9;

  private static final AtomicReferenceFieldUpdater<Lane, Thread> USER =
      AtomicReferenceFieldUpdater.newUpdater(Lane.class, Thread.class, "user");
  private static final Class<?> VIRTUAL = virtualThreads();
  private static final int RECENT = 64;

  /** By the hashes of their threads; a power of two long, at most half of it used. */
  private static volatile Owner[] owners;

  /** Some of them, which are looked at first: the hash of an object whose lock is in use takes long. */
  private static volatile Owner[] first = {};

  private static final int FIRST = 8;
  private static int nextFirst;

  /** So often a lane is found elsewhere before it is among them. */
  private static final int OFTEN = 1 << 10;

  private static int count;
  private static int sweepAt = 32;
  private static volatile Lane[] shared;

  static {
    // Last: as long as there are none, a probe in what these initialisers use finds no lane.
    Recorder.now();
    owners = new Owner[64];
  }

  /**
   * Whose a lane is. Who looks for a lane reads those of other threads, so nothing in here is written,
   * nor does it lie beside what they write: that would cost both threads a cache miss an event.
   */
  static final class Owner extends WeakReference<Thread> {
    final Lane lane;
    long a, b, c, d, e, f, g, h;

    Owner(Thread thread, Lane lane) {
      super(thread);
      this.lane = lane;
    }

    /** The thread, unless it has ended. */
    Thread living() {
      Thread thread = get();
      return thread != null && thread.isAlive() ? thread : null;
    }
  }

  /** Do virtual threads share it? */
  private final boolean isShared;

  private boolean busy;

  /** How often it was not among the first. */
  private int misses;

  /** Who has a shared lane. */
  private volatile Thread user;

  /** Who had it last. */
  private long writer;

  /** The time of the last event. */
  long clock;

  // The numbers that it took for rows of a table: the table, when, the last that is used, all.
  int numbersOf;
  long numbersSince;
  int number;
  int lastNumber;

  // The rows that this thread created last: what, when, from where to where in this chunk.
  final long[] row = new long[RECENT];
  final long[] since = new long[RECENT];
  final int[] from = new int[RECENT];
  final int[] to = new int[RECENT];

  /** Hashes of strings that were met. */
  private final int[] met = new int[256];

  private Lane(boolean isShared) {
    super(ROWS);
    this.isShared = isShared;
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
    Owner[] all = owners;
    if (all == null || Recorder.isOff) return null;
    Thread current = Thread.currentThread();
    if (current.getClass() == VIRTUAL) return enterShared(current);
    Lane lane = find(all, first, current);
    if (lane == null) lane = add(current);
    if (lane.busy) return null;
    lane.busy = true;
    return lane;
  }

  /** Gives the lane back. */
  void leave() {
    if (isShared) user = null;
    else busy = false;
  }

  private static int hash(Thread thread) {
    int h = System.identityHashCode(thread) * 0x9e3779b1;
    return h ^ h >>> 16;
  }

  private static Lane find(Owner[] all, Owner[] first, Thread thread) {
    for (Owner owner : first) {
      if (owner.get() == thread) return owner.lane;
    }
    for (int i = hash(thread); ; i++) {
      Owner owner = all[i & all.length - 1];
      if (owner == null) return null;
      if (owner.get() != thread) continue;
      if (++owner.lane.misses % OFTEN == 0) prefer(owner);
      return owner.lane;
    }
  }

  /** From now on it is among the first, for one of them if there are as many as may be. */
  private static synchronized void prefer(Owner owner) {
    int n = first.length;
    boolean isMore = n < FIRST;
    Owner[] all = new Owner[isMore ? n + 1 : n];
    System.arraycopy(first, 0, all, 0, n);
    all[isMore ? n : nextFirst++ & FIRST - 1] = owner;
    first = all;
  }

  /** Nothing in here waits or calls the JDK, so it may be done wherever a probe may be. */
  private static synchronized Lane add(Thread thread) {
    if (count >= sweepAt) sweep();
    Lane lane = new Lane(false);
    insert(owners, new Owner(thread, lane), thread);
    count++;
    return lane;
  }

  private static void insert(Owner[] all, Owner owner, Thread thread) {
    int i = hash(thread);
    while (all[i & all.length - 1] != null) i++;
    all[i & all.length - 1] = owner;
    if (first.length < FIRST) prefer(owner);
  }

  /** Takes out the lanes of threads that ended; their chunks are for others. */
  private static void sweep() {
    Owner[] old = owners;
    int alive = 0;
    for (Owner owner : old) {
      if (owner != null && owner.living() != null) alive++;
    }
    int size = 64;
    while (size < alive * 4) size *= 2;
    Owner[] all = new Owner[size];
    first = new Owner[0];
    count = 0;
    for (Owner owner : old) {
      if (owner == null) continue;
      Thread thread = owner.living();
      if (thread == null) {
        Recorder.give(owner.lane);
      } else {
        insert(all, owner, thread);
        count++;
      }
    }
    sweepAt = size / 2;
    owners = all;
  }

  private static synchronized Lane[] makeShared() {
    if (shared != null) return shared;
    int n = 2;
    while (n < Runtime.getRuntime().availableProcessors() * 2) n *= 2;
    Lane[] made = new Lane[n];
    for (int i = 0; i < n; i++) made[i] = new Lane(true);
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

  private void become(Thread current) {
    long next = id(current);
    if (writer == next) return;
    writer = next;
    for (int i = 0; i < RECENT; i++) row[i] = 0;
    if (at != null && room(NAME + 12)) begun();
  }

  private static final int NAME = 3 * 256;

  @Override
  protected long threadId() {
    return id(Thread.currentThread());
  }

  @SuppressWarnings("deprecation") // Java 8 has no other.
  private static long id(Thread of) {
    return of.getId();
  }

  @Override
  protected void begun() {
    for (int i = 0; i < RECENT; i++) to[i] = 0;
    String name = Thread.currentThread().getName();
    // Its own constructor runs, as of a thread that native code attaches.
    if (name == null) name = "";
    int end = text(position + 12, name, 0, cut(name, 0, NAME / 3));
    at.putInt(position, head(THREAD_EVENT, isShared ? 1 : 0, end - position));
    at.putLong(position + 4, threadId());
    publish(end);
  }

  /** Was a string with this hash written lately? */
  boolean meets(int hash) {
    int i = (hash ^ hash >>> 8) & met.length - 1;
    if (met[i] == hash) return true;
    met[i] = hash;
    return false;
  }

  /** The slot for data of a row, if they are kept. */
  static int slot(int table, int row) {
    return row * 31 + table & RECENT - 1;
  }
}
