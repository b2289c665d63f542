// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.Arrays;
import jopt.probe.hdr.ConcurrentHistogram;

/**
 * How values are distributed: their number, mean, percentiles, to two digits, and the largest. Values
 * are numbers from 0 on, of any size and unit; smaller ones count as 0.
 *
 * <p>Each thread records for itself, up to {@value #OWN} threads; further ones, and virtual ones, share
 * counts that are atomic. It takes some 25 KB for each where values are times of up to a second.
 */
public final class Histogram extends Metric {
  private static final int OWN = 64;

  /** What a thread recorded. */
  private static final class Cell {
    private final jopt.probe.hdr.Histogram values;

    Cell(int digits) {
      values = new jopt.probe.hdr.Histogram(digits);
    }

    void record(long value) {
      // It gets larger only where nobody reads it.
      if (value <= values.getHighestTrackableValue()) values.recordValue(value);
      else recordLarger(value);
    }

    private synchronized void recordLarger(long value) {
      values.recordValue(value);
    }

    synchronized void addTo(jopt.probe.hdr.Histogram sum) {
      sum.add(values);
    }
  }

  private final int digits, most;
  private volatile Cell[] cells = {};
  private volatile ConcurrentHistogram shared;

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
   * What was recorded so far.
   *
   * @return as it is now: later values are not in it
   */
  public Distribution distribution() {
    jopt.probe.hdr.Histogram sum = new jopt.probe.hdr.Histogram(digits);
    for (Cell cell : cells) if (cell != null) cell.addTo(sum);
    ConcurrentHistogram more = shared;
    if (more != null) sum.add(more);
    return new Distribution(sum);
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
  }

  @Override
  long size() {
    return distribution().count();
  }
}
