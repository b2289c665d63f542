// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import jopt.boot.record.Recorder;

/**
 * The state of a thread: its activations, and where its events go. Lookup runs no Java code of the JDK.
 * A lane is busy while it calls code of the JDK, whose events do not belong to the program.
 */
final class Lane {
  private static final Class<?> VIRTUAL = virtualThreads();

  /** What belongs to the next event. */
  static final class Values {
    boolean hasValue;
    boolean hasIndex;
    int value;
    int index;
    int length;

    /** The names of the classes of arguments: of the activation, while some are awaited, else of a call. */
    String[] types = new String[8];

    int typeCount;

    /** Arguments of the activation that are still to come. */
    int awaited;

    /** Another argument came. */
    void add(Object argument) {
      if (typeCount == types.length) {
        String[] more = new String[2 * typeCount];
        System.arraycopy(types, 0, more, 0, typeCount);
        types = more;
      }
      types[typeCount++] = argument == null ? null : argument.getClass().getName();
    }
  }

  /** By the hashes of their threads; a power of two long, at most half of it used. */
  private static volatile Lane[] lanes = new Lane[64];

  private static int count;
  private static int sweepAt = 32;
  private static int last;

  /** What virtual threads write to. Each has one for good: so its events are in order there. */
  private static Stream[] shared;

  private static boolean isAdding;

  /** In place of one that is not there. */
  private static final Lane EMPTY = new Lane();

  /**
   * Some that are looked at first: to compare threads takes less time than to hash one, and the hash of an
   * object whose lock somebody waits for, as for a thread's end, takes very long.
   */
  private static final Lane[] recent = {EMPTY, EMPTY, EMPTY, EMPTY};

  private static int nextRecent;

  /** So often another place is looked at before a lane is among the recent ones. */
  private static final int OFTEN = 1 << 10;

  final Thread thread;
  final Stream out;
  final boolean isVirtual;

  /** Threads have numbers in the order in which they came. */
  final int number;

  /** No level. */
  static final int NOBODY = -1;

  /** More levels than a stack has frames: exceptions ended them, and nothing that is traced is below. */
  static final int MOST = 1 << 17;

  /** Above all levels. */
  private static final int NOTHING = Integer.MAX_VALUE;

  /** By their levels; level 0 is below the first, and no event is of it. */
  Activation[] levels;

  // While the stream has one whose events need nothing but themselves, its level is there, and the next
  // three are not kept; settle() gets them.

  /** The level of the innermost activation. */
  int top;

  /** That of the last event in the record; NOBODY if the reader is to be told anew. */
  int recorded = NOBODY;

  /** The record has the activations up to this level; those from {@code low} on in this chunk. */
  private int told;

  private int low = NOTHING;

  /** The level of the innermost activation whose exits close the guard; 0 if there is none. */
  private int watched;

  /** The chunk of the last event. */
  int generation = -1;

  boolean busy;

  /** An event could not be written, and so the reader does not know where the thread is. */
  boolean isBroken;

  /** How often it was not among the recent ones. */
  private int misses;

  final Values values = new Values();

  private Lane() {
    thread = null;
    number = 0;
    isVirtual = true;
    out = null;
  }

  private Lane(Thread thread, int number) {
    this.thread = thread;
    this.number = number;
    isVirtual = thread.getClass() == VIRTUAL;
    out = isVirtual && Requests.memory == null ? shared(number) : new Stream(false);
    levels = new Activation[isVirtual ? 4 : 16];
    fill(levels, 0);
    if (!out.isShared) out.writer = this;
  }

  private static Class<?> virtualThreads() {
    try {
      // Not initialised: whether it is, tells the agent that there may be such threads.
      return Class.forName("java.lang.VirtualThread", false, null);
    } catch (Throwable e) {
      return null;
    }
  }

  private static Stream shared(int number) {
    if (shared == null) {
      int n = 4;
      while (n < Runtime.getRuntime().availableProcessors() * 4) n *= 2;
      shared = new Stream[n];
      for (int i = 0; i < n; i++) shared[i] = new Stream(true);
    }
    return shared[number & shared.length - 1];
  }

  /** That of the current thread; null if it can have none now. */
  static Lane current() {
    Lane[] first = recent;
    if (first == null) return null; // what the initialiser of this class calls is traced
    Thread current = Thread.currentThread();
    // No loop: it would be one in each method that is traced.
    Lane lane = first[0];
    if (lane.thread == current) return lane;
    lane = first[1];
    if (lane.thread == current) return lane;
    lane = first[2];
    if (lane.thread == current) return lane;
    lane = first[3];
    return lane.thread == current ? lane : find(current);
  }

  private static Lane find(Thread current) {
    Lane[] all = lanes;
    for (int i = hash(current); ; i++) {
      Lane lane = all[i & all.length - 1];
      if (lane == null) return add(current);
      if (lane.thread != current) continue;
      if (++lane.misses % OFTEN == 0 && !lane.isVirtual) setRecent(lane);
      return lane;
    }
  }

  private static synchronized void setRecent(Lane lane) {
    recent[nextRecent++ & recent.length - 1] = lane;
  }

  private static int hash(Thread thread) {
    int h = System.identityHashCode(thread) * 0x9e3779b1;
    return h ^ h >>> 16;
  }

  private static synchronized Lane add(Thread thread) {
    if (isAdding) return null; // what is called here is traced
    isAdding = true;
    try {
      if (count >= sweepAt) sweep();
      Lane lane = new Lane(thread, ++last);
      insert(lanes, lane);
      count++;
      if (!lane.isVirtual && thread != Clock.thread && nextRecent < recent.length) setRecent(lane);
      return lane;
    } finally {
      isAdding = false;
    }
  }

  private static void insert(Lane[] all, Lane lane) {
    int i = hash(lane.thread);
    while (all[i & all.length - 1] != null) i++;
    all[i & all.length - 1] = lane;
  }

  /** Takes out the lanes of threads that ended; their chunks are for others. */
  private static void sweep() {
    for (int i = 0; i < recent.length; i++)
      if (recent[i] != EMPTY && !recent[i].thread.isAlive()) recent[i] = EMPTY;
    Lane[] old = lanes;
    int alive = 0;
    for (Lane lane : old) if (lane != null && lane.thread.isAlive()) alive++;
    int size = 64;
    while (size < alive * 4) size *= 2;
    Lane[] all = new Lane[size];
    count = 0;
    for (Lane lane : old) {
      if (lane == null) continue;
      if (lane.thread.isAlive() || lane.thread == Thread.currentThread()) {
        insert(all, lane);
        count++;
      } else if (lane.out.hasMemory()) {
        lane.out.release();
      } else if (!lane.out.isShared && lane.out.at != null) {
        lane.out.settle();
        lane.out.publish(lane.out.position);
        Recorder.give(lane.out);
      }
    }
    sweepAt = size / 2;
    lanes = all;
  }

  @SuppressWarnings("deprecation") // Java 8 has no other.
  long threadId() {
    return thread.getId();
  }

  String name() {
    return thread.getName();
  }

  /** Nothing is recorded in memory any more. */
  static synchronized void takeMemoryAway() {
    for (Lane lane : lanes) if (lane != null) lane.out.takeAway();
  }

  /** The reader knows nothing of what was recorded before. */
  void forget() {
    isBroken = false;
    told = 0;
  }

  /** Makes activations from a level on, of which virtual threads have those that they need. */
  private void fill(Activation[] levels, int from) {
    int end = isVirtual ? from + 1 : levels.length;
    for (int i = from; i < end; i++) levels[i] = new Activation(this, i);
  }

  /** The activation of a level. */
  Activation at(int level) {
    Activation[] more = levels;
    if (level == more.length) {
      more = new Activation[2 * level];
      System.arraycopy(levels, 0, more, 0, level);
    }
    if (more[level] == null) fill(more, level);
    levels = more;
    return more[level];
  }

  /**
   * Takes the thread's turn to tell something; {@code busy} is to be false again then.
   *
   * @return false if the thread has it already: the event does not belong to the program
   */
  boolean take() {
    if (busy || out.state == Stream.BUSY) return false;
    settle();
    busy = true;
    return true;
  }

  private void settle() {
    int level = isVirtual ? NOBODY : out.settle();
    if (level >= 0) top = recorded = told = level;
    if (!isBroken) return;
    isBroken = false;
    recorded = NOBODY;
    low = NOTHING;
    if (told >= top && top > 0) told = top - 1;
  }

  /** The next event may go the quick way, if the reader knows where the thread is. */
  void rest() {
    if (isVirtual || recorded != top || told < top || top > Stream.HIGHEST || isWatched(top)) return;
    while (watched > 0 && !isWatched(watched)) watched--;
    out.floor = watched == 0 ? low : Math.max(low, watched + 1);
    out.rest(top);
  }

  private boolean isWatched(int level) {
    return level > 0 && level <= top && levels[level].method().isWatched;
  }

  /** Control is at the level of an activation: those above have ended. */
  void back(int level) {
    top = level;
    if (watched > level) watched = level;
  }

  /** An activation begins at the next level. */
  void begin(boolean isWatched) {
    top++;
    if (told >= top) told = top - 1;
    if (isWatched) watched = top;
  }

  /** Ends the activation; {@code isTold}: its end was recorded. */
  void leave(boolean isTold) {
    back(top - 1);
    if (told > top) told = top;
    if (isTold) recorded = top >= low ? top : NOBODY;
  }

  /** The activation of a level, if it is none of 0, has ended without an event. */
  void ended(int level) {
    if (level == 0) return;
    back(level - 1);
    if (told > top) told = top;
    recorded = NOBODY;
  }

  /** What the record has of an activation is not all that there is. */
  void tellAgain(int level) {
    if (told >= level) told = level - 1;
  }

  /** A chunk begins, of which the reader may know nothing else. */
  void begin(int generation) {
    this.generation = generation;
    low = NOTHING;
    recorded = NOBODY;
  }

  /**
   * Tells the reader, if it does not know, that an activation is the innermost one.
   *
   * @return false if there is no room to
   */
  boolean announce(int level) {
    if (recorded == level && told >= level) return true;
    if (level == 0 || recorded > level && told >= level && level >= low) {
      out.seal(Stream.BACK, out.number(out.position + 1, level));
      setTold(level);
      return true;
    }
    // It began before the guard was opened, or in an earlier chunk.
    for (int from = Math.min(told + 1, level); from <= level; from++) {
      if (!out.hasRoom()) return false;
      levels[from].write(Stream.ACTIVE);
      setTold(from);
    }
    return true;
  }

  /** The reader knows that the activation of a level is the innermost one. */
  void setTold(int level) {
    recorded = told = level;
    // Who knows the first knows what is below it.
    if (level < low) low = level == 1 ? 0 : level;
  }
}
