// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import jopt.boot.record.Recorder;

/**
 * What is known of a thread: its activations, and where its events go. It is found without a line of
 * the JDK's Java code, and is busy while something of the JDK is called for it: what that tells is
 * not of the program.
 */
final class Lane {
  private static final Class<?> VIRTUAL = virtualThreads();

  /** By the hashes of their threads; a power of two long, at most half of it used. */
  private static volatile Lane[] lanes = new Lane[64];

  private static int count;
  private static int sweepAt = 32;
  private static int last;

  /** What virtual threads write to. Each has one for good: so its events are in order there. */
  private static Stream[] shared;

  private static boolean isAdding;

  final Thread thread;
  final Stream out;
  final boolean isVirtual;

  /** Threads have numbers in the order in which they came. */
  final int number;

  /** No level. */
  static final int NOBODY = -1;

  /** By their levels; level 0 is below the first, and no event is of it. */
  Activation[] levels = new Activation[8];

  /** The level of the innermost activation. */
  int top;

  /** That of the last event in the record; NOBODY if the reader is to be told anew. */
  int recorded = NOBODY;

  /** The chunk of the last event. */
  int generation = -1;

  /** Counts the chunks: activations that were written in an earlier one are written again. */
  int epoch = 1;

  boolean busy;

  /** Some event could not be written. */
  boolean isGap;

  // What belongs to the next event.
  boolean hasValue;
  boolean hasIndex;
  int value;
  int index;
  int length;

  private Lane(Thread thread, int number) {
    this.thread = thread;
    this.number = number;
    isVirtual = thread.getClass() == VIRTUAL;
    out = isVirtual ? shared(number) : new Stream();
    levels[0] = new Activation(this, 0);
    if (!isVirtual) out.writer = this;
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
      for (int i = 0; i < n; i++) shared[i] = new Stream();
    }
    return shared[number & shared.length - 1];
  }

  /** That of the current thread; null if it can have none now. */
  static Lane current() {
    Lane[] all = lanes;
    if (all == null) return null; // what the initialiser of this class calls is traced
    Thread current = Thread.currentThread();
    for (int i = hash(current); ; i++) {
      Lane lane = all[i & all.length - 1];
      if (lane == null) return add(current);
      if (lane.thread == current) return lane;
    }
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
      } else if (!lane.isVirtual && lane.out.at != null) {
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

  /** A chunk begins, of which the reader may know nothing else. */
  void begin(int generation) {
    this.generation = generation;
    epoch++;
    recorded = NOBODY;
  }

  /** Makes the activation of a level; null if there is no memory for it. */
  Activation add(int level) {
    try {
      Activation[] more = levels;
      if (level == more.length) {
        more = new Activation[2 * level];
        System.arraycopy(levels, 0, more, 0, level);
      }
      more[level] = new Activation(this, level);
      levels = more;
      return more[level];
    } catch (VirtualMachineError e) {
      return null;
    }
  }
}
