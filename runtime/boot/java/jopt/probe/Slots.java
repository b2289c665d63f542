// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.ref.WeakReference;

/**
 * Small numbers of threads, so that a measure has an element for each. A number goes to another thread
 * once its own has ended, and so does what stands under it: measures add up all elements anyway.
 *
 * <p>A number is found without Java code of the JDK, and keeps no thread. Virtual threads have none.
 */
final class Slots {
  /** Threads beyond that have no number. */
  static final int MOST = 1024;

  private static final int FIRST = 4;

  /** So often a thread is found elsewhere before it is among the first. */
  private static final int OFTEN = 1 << 10;

  private static final Class<?> VIRTUAL = virtualThreads();

  /** By the hashes of their threads; a power of two long, at most half of it used. */
  private static volatile Owner[] owners = new Owner[64];

  /** Some of them, which are looked at first: the hash of an object whose lock is in use takes long. */
  private static volatile Owner[] first = {};

  private static int nextFirst;
  private static int count;
  private static final Owner[] bySlot = new Owner[MOST];

  /** Who has a number. Read by all threads, so nothing lies beside it that others write. */
  private static final class Owner extends WeakReference<Thread> {
    final int slot;
    int misses;
    long a, b, c, d, e, f, g, h;

    Owner(Thread thread, int slot) {
      super(thread);
      this.slot = slot;
    }

    boolean lives() {
      Thread thread = get();
      return thread != null && thread.isAlive();
    }
  }

  private Slots() {}

  private static Class<?> virtualThreads() {
    try {
      return Class.forName("java.lang.VirtualThread", false, null);
    } catch (Throwable e) {
      return null;
    }
  }

  /** The number of the current thread; −1 if it has none. */
  static int current() {
    Thread thread = Thread.currentThread();
    for (Owner owner : first) if (owner.get() == thread) return owner.slot;
    return find(thread);
  }

  private static int hash(Thread thread) {
    int h = System.identityHashCode(thread) * 0x9e3779b1;
    return h ^ h >>> 16;
  }

  private static int find(Thread thread) {
    if (thread.getClass() == VIRTUAL) return -1;
    Owner[] all = owners;
    for (int i = hash(thread); ; i++) {
      Owner owner = all[i & all.length - 1];
      if (owner == null) return add(thread);
      if (owner.get() != thread) continue;
      if (++owner.misses % OFTEN == 0) prefer(owner);
      return owner.slot;
    }
  }

  private static synchronized void prefer(Owner owner) {
    int n = first.length, at = unused();
    Owner[] all = new Owner[Math.min(FIRST, Math.max(n, at + 1))];
    System.arraycopy(first, 0, all, 0, n);
    all[at < FIRST ? at : nextFirst++ & FIRST - 1] = owner;
    first = all;
  }

  /** The first place among the first whose thread has ended, or the end. */
  private static int unused() {
    int at = 0;
    while (at < first.length && first[at].lives()) at++;
    return at;
  }

  private static synchronized int add(Thread thread) {
    if (count == owners.length / 2) sweep();
    int slot = 0;
    while (slot < MOST && bySlot[slot] != null) slot++;
    if (slot == MOST) return -1;
    Owner made = bySlot[slot] = new Owner(thread, slot);
    insert(owners, made, thread);
    count++;
    if (unused() < FIRST) prefer(made);
    return slot;
  }

  private static void insert(Owner[] all, Owner owner, Thread thread) {
    int i = hash(thread);
    while (all[i & all.length - 1] != null) i++;
    all[i & all.length - 1] = owner;
  }

  /** Gives the numbers of threads that ended back. */
  private static void sweep() {
    int alive = 0;
    for (Owner owner : bySlot) if (owner != null && owner.lives()) alive++;
    int size = 64;
    while (size < alive * 4) size *= 2;
    Owner[] all = new Owner[Math.min(size, 4 * MOST)];
    count = 0;
    first = new Owner[0];
    for (int i = 0; i < MOST; i++) {
      Owner owner = bySlot[i];
      Thread thread = owner == null ? null : owner.get();
      if (thread == null || !thread.isAlive()) {
        bySlot[i] = null;
        continue;
      }
      insert(all, owner, thread);
      count++;
    }
    owners = all;
  }
}
