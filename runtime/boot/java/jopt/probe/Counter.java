// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts. Each thread has a count of its own, so counting takes no lock and no atomic operation;
 * virtual threads share some that have.
 */
public final class Counter extends Metric {
  /** The count of a thread, apart from those of others, which would cost both a cache miss each time. */
  private static final class Cell extends AtomicLong {
    private static final long serialVersionUID = 1;
    long a, b, c, d, e, f, g, h, i, j, k, l, m, n;
  }

  /** By the numbers of threads. */
  private volatile Cell[] cells = {};

  private final LongAdder shared = new LongAdder();

  /** The sum when it last began. */
  private volatile long base;

  Counter(String name) {
    super(name);
  }

  /**
   * The counter of that name, which is made if there is none.
   *
   * @param name what is counted
   * @return always the same
   */
  public static Counter named(String name) {
    return Registry.get(name, Counter.class, Counter::new);
  }

  /** Counts one. */
  public void add() {
    add(1);
  }

  /**
   * Counts several.
   *
   * @param n how many
   */
  public void add(long n) {
    int slot = Slots.current();
    Cell[] all = cells;
    if (slot >= 0 && slot < all.length) {
      Cell cell = all[slot];
      if (cell != null) {
        cell.lazySet(cell.get() + n);
        return;
      }
    }
    addFirst(slot, n);
  }

  private void addFirst(int slot, long n) {
    if (slot < 0) {
      shared.add(n);
      return;
    }
    Cell cell = new Cell();
    cell.set(n);
    synchronized (this) {
      Cell[] all = cells;
      if (slot >= all.length) all = Arrays.copyOf(all, Math.max(slot + 1, all.length * 2));
      all[slot] = cell;
      cells = all;
    }
  }

  /**
   * The count so far. It may include counts that other threads add just now.
   *
   * @return the sum
   */
  public long sum() {
    return all() - base;
  }

  private long all() {
    long sum = shared.sum();
    for (Cell cell : cells) if (cell != null) sum += cell.get();
    return sum;
  }

  @Override
  void tell(String key, Samples to) {
    to.count(name(), key, sum());
  }

  @Override
  void reset() {
    base = all();
  }

  @Override
  long size() {
    return sum();
  }
}
