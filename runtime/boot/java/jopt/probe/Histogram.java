// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAccumulator;
import jopt.probe.hdr.ConcurrentHistogram;

/**
 * How values are distributed: their number, mean and percentiles, to two digits, and the largest itself. Values
 * are numbers from 0 on, of any size and unit; smaller ones count as 0.
 *
 * <p>Each thread records for itself, up to {@value #OWN} threads; further ones, and virtual ones, share
 * counts that are atomic. It takes some 25 KB for each where values are times of up to a second.
 */
public final class Histogram extends Metric {
  private static final int OWN = 64;

  /**
   * What a thread recorded: counts by the exponent and the first bits of values, in the order of those of
   * HdrHistogram, which gets them where somebody reads. Its own have sums beside that each event writes, and
   * nothing at their ends: where a collection puts those of two threads side by side, each waits for the
   * line of the cache that the other wrote.
   */
  private static final class Cell {
    /** So many elements at both ends are not used. */
    private static final int APART = 16;

    /** So many bits of a value are told apart. */
    private final int bits;

    private long[] counts;

    /** The largest so far, which events seldom write. */
    private long max;

    Cell(int digits) {
      int units = 2;
      for (int i = 0; i < digits; i++) units *= 10;
      bits = Integer.SIZE - Integer.numberOfLeadingZeros(units - 1);
      counts = new long[(1 << bits) + 2 * APART];
    }

    void record(long value) {
      if (value > max) max = value;
      int shift = Long.SIZE - bits - Long.numberOfLeadingZeros(value | (1 << bits) - 1);
      int at = APART + (shift << bits - 1) + (int) (value >>> shift);
      long[] all = counts;
      if (at < all.length - APART) all[at]++;
      else recordLarger(at, shift);
    }

    private synchronized void recordLarger(int at, int shift) {
      long[] all = Arrays.copyOf(counts, (shift + 2 << bits - 1) + 2 * APART);
      all[at]++;
      counts = all;
    }

    synchronized void addTo(jopt.probe.hdr.Histogram sum) {
      long[] all = counts;
      for (int i = 0; i < all.length - 2 * APART; i++) {
        long count = all[i + APART];
        if (count != 0) sum.recordValueWithCount(valueAt(i), count);
      }
    }

    private long valueAt(int index) {
      if (index < 1 << bits) return index;
      int shift = (index >> bits - 1) - 1;
      return (long) (index - (shift << bits - 1)) << shift;
    }
  }

  private final int digits, most;
  private volatile Cell[] cells = {};
  private volatile ConcurrentHistogram shared;

  /** The largest of those that are shared. */
  private final LongAccumulator sharedMax = new LongAccumulator(Math::max, 0);

  private Histogram(String name) {
    this(name, 2, OWN);
  }

  Histogram(String name, int digits, int most) {
    super(name);
    this.digits = digits;
    this.most = most;
  }

  /**
   * The histogram of that name, which is made if there is none.
   *
   * @param name what is measured; with the unit at its end, as of {@code query.ms}
   * @return always the same
   */
  public static Histogram named(String name) {
    return Registry.get(name, Histogram.class, Histogram::new);
  }

  /**
   * Records a value.
   *
   * @param value which
   */
  public void record(long value) {
    if (value < 0) value = 0;
    int slot = Slots.current();
    Cell[] all = cells;
    Cell cell = slot >= 0 && slot < all.length ? all[slot] : null;
    if (cell != null) cell.record(value);
    else recordFirst(slot, value);
  }

  private void recordFirst(int slot, long value) {
    if (slot < 0 || slot >= most) {
      sharedMax.accumulate(value);
      shared().recordValue(value);
      return;
    }
    Cell cell = new Cell(digits);
    cell.record(value);
    synchronized (this) {
      Cell[] all = cells;
      if (slot >= all.length) all = Arrays.copyOf(all, Math.min(most, Math.max(slot + 1, all.length * 2)));
      all[slot] = cell;
      cells = all;
    }
  }

  private ConcurrentHistogram shared() {
    ConcurrentHistogram there = shared;
    return there != null ? there : makeShared();
  }

  private synchronized ConcurrentHistogram makeShared() {
    if (shared == null) shared = new ConcurrentHistogram(digits);
    return shared;
  }

  /**
   * The values so far.
   *
   * @return as it is now: later values are not in it
   */
  public Distribution distribution() {
    jopt.probe.hdr.Histogram sum = new jopt.probe.hdr.Histogram(digits);
    Cell[] all = cells;
    for (Cell cell : all) if (cell != null) cell.addTo(sum);
    ConcurrentHistogram more = shared;
    if (more != null) sum.add(more);
    // After the counts: a value whose count is there has been compared.
    long max = more == null ? 0 : sharedMax.get();
    for (Cell cell : all) if (cell != null) max = Math.max(max, cell.max);
    return new Distribution(sum, max);
  }

  @Override
  void tell(String key, Samples to) {
    to.distribution(name(), key, distribution());
  }

  @Override
  synchronized void reset() {
    // What a thread records at this moment may be lost.
    cells = new Cell[0];
    shared = null;
    sharedMax.reset();
  }

  @Override
  long size() {
    return distribution().count();
  }
}
