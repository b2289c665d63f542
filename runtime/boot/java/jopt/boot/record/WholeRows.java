// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A listener that reports whole rows. It reports a row that lasts when the row is closed. It reports
 * any other row when all its columns have a value, or else when its thread creates the next row, or in
 * {@link #tellAll}.
 *
 * @param <E> the data of a row that is not reported yet
 */
public abstract class WholeRows<E> extends RowListener {
  /** At most so many rows wait for their end; further ones are not reported. */
  private static final int MOST_OPEN = 100_000;

  private final boolean isLasting;
  private final int columns;

  /** By table and row, or by table and thread for rows that do not last. */
  private final Map<Long, Pending<E>> waiting = new ConcurrentHashMap<>();

  static final class Pending<E> {
    final E event;
    final int row;
    final long since = System.nanoTime();
    private final boolean[] isSet;
    private int missing;

    Pending(E event, int row, int columns) {
      this.event = event;
      this.row = row;
      isSet = new boolean[columns];
      missing = columns;
    }

    /** True if there is a value in each column. */
    boolean completes(int column) {
      if (!isSet[column]) missing--;
      isSet[column] = true;
      return missing == 0;
    }
  }

  /**
   * A listener.
   *
   * @param table the table, which has all its columns
   */
  protected WholeRows(RecordedTable table) {
    isLasting = (table.mask() & RecordedTable.LASTING) != 0;
    columns = table.columns();
  }

  /**
   * Does anybody want rows that are created now?
   *
   * @return false if not
   */
  protected abstract boolean isWanted();

  /**
   * A row was created.
   *
   * @param row its number
   * @param parent the row it belongs to; 0 for none
   * @return its data, to be reported later
   */
  protected abstract E begin(int row, int parent);

  /**
   * A value was set.
   *
   * @param event the row
   * @param column the column, or {@link RecordedTable#EXCEPTION}
   * @param value an Integer, a Long, a String or null
   */
  protected abstract void set(E event, int column, Object value);

  /**
   * Reports a row that is complete.
   *
   * @param event the row
   * @param time nanoseconds since it was created
   */
  protected abstract void tell(E event, long time);

  private long key(int table, int row) {
    return (long) table << 32 | (isLasting ? row : (int) Thread.currentThread().getId());
  }

  @Override
  public final boolean isOn() {
    return isWanted() || !waiting.isEmpty();
  }

  @Override
  public final void created(int table, int row, int parent) {
    if (!isWanted() || waiting.size() >= MOST_OPEN) return;
    Pending<E> pending = new Pending<>(begin(row, Math.max(parent, 0)), row, columns);
    if (!isLasting && columns == 0) {
      tell(pending.event, 0);
      return;
    }
    Pending<E> before = waiting.put(key(table, row), pending);
    if (before != null) tell(before.event, 0);
  }

  @Override
  public final void set(int table, int row, int column, Object value) {
    Long key = key(table, row);
    Pending<E> pending = waiting.get(key);
    if (pending == null || pending.row != row) return;
    if (column == RecordedTable.EXCEPTION) {
      set(pending.event, column, value);
    } else if (column < columns) {
      set(pending.event, column, value);
      if (pending.completes(column) && !isLasting) tell(key, pending, 0);
    }
  }

  @Override
  public final void closed(int table, int row, long shortest) {
    Long key = key(table, row);
    Pending<E> pending = waiting.get(key);
    if (pending == null) return;
    long time = System.nanoTime() - pending.since;
    if (time >= shortest) tell(key, pending, time);
    else waiting.remove(key, pending);
  }

  @Override
  public final void deleted(int table, int row) {
    Long key = key(table, row);
    Pending<E> pending = waiting.get(key);
    if (pending != null && pending.row == row) waiting.remove(key, pending);
  }

  /**
   * Reports waiting rows, incomplete as they are.
   *
   * @param age only rows that were created so many nanoseconds ago
   */
  protected final void tellAll(long age) {
    if (waiting.isEmpty()) return;
    long until = System.nanoTime() - age;
    for (Map.Entry<Long, Pending<E>> each : waiting.entrySet()) {
      if (each.getValue().since - until <= 0) tell(each.getKey(), each.getValue(), 0);
    }
  }

  /** Reports the row, unless another thread was first. */
  private void tell(Long key, Pending<E> pending, long time) {
    if (waiting.remove(key, pending)) tell(pending.event, time);
  }
}
