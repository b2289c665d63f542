// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.RecordedTable;
import jopt.probes.internal.Columns;

/**
 * A table that probes fill: what happened, a row each. A subclass declares the columns as fields,
 * and is a singleton of the class of probes that uses it.
 *
 * <p>Rows have numbers from 1 on. Any method takes a row that is to be ignored, and does nothing
 * with it. All methods may be called by any thread; they throw nothing and wait for nobody.
 */
public class Table {
  /** A row that is not there. */
  public static final int NO_ROW = RecordedTable.NO_ROW;

  /** Events have a beginning and an end: rows are closed, and have a duration. */
  public static final long LASTING_EVENTS = RecordedTable.LASTING;

  /** The thread that created a row is recorded. */
  public static final long RECORD_THREAD = RecordedTable.THREAD;

  /** The stack of the thread that created a row is recorded. */
  public static final long RECORD_STACK_TRACE = RecordedTable.STACK;

  /** As {@link #RECORD_STACK_TRACE}. */
  public static final long RECORD_STACKTRACE_ON_ROW_CREATION = RecordedTable.STACK_AT_CREATION;

  /** The stack of the thread that closed a row is recorded. */
  public static final long RECORD_STACKTRACE_ON_ROW_CLOSE = RecordedTable.STACK_AT_CLOSE;

  /** The processor time is recorded that a thread took which created a row and closed it. */
  public static final long RECORD_THREAD_CPU_TIME = RecordedTable.THREAD_CPU;

  /** Events that last, with thread and stack trace. */
  public static final long MASK_FOR_LASTING_EVENTS =
      LASTING_EVENTS | RECORD_THREAD | RECORD_STACK_TRACE;

  /** Events without a duration, with thread and stack trace. */
  public static final long MASK_FOR_POINT_EVENTS = RECORD_THREAD | RECORD_STACK_TRACE;

  /** The older name: events that begin and end in one call of a method. */
  public static final long MASK_FOR_SINGLE_METHOD_CALL_LASTING_EVENTS =
      MASK_FOR_LASTING_EVENTS | RECORD_THREAD_CPU_TIME;

  /** The older name: events that may end elsewhere than where they began. */
  public static final long MASK_FOR_GENERIC_LASTING_EVENTS =
      MASK_FOR_LASTING_EVENTS | RECORD_STACKTRACE_ON_ROW_CLOSE;

  /** Records this table. */
  final RecordedTable data;

  /** The column that has the parent; null if the table has a parent, or no such column. */
  private ForeignKeyColumn above;

  private volatile boolean complete;
  private boolean gathering;
  private boolean gathered;

  /**
   * A table at the top.
   *
   * @param holder the class of probes that the table belongs to
   * @param title what people call it
   * @param mask what is recorded of each row: constants of this class, joined by {@code |}
   */
  public Table(Class<?> holder, String title, long mask) {
    this(new RecordedTable(null, holder.getName(), title, mask));
  }

  /**
   * A table whose rows belong to rows of another.
   *
   * @param parent the other table
   * @param title what people call it
   * @param mask what is recorded of each row: constants of this class, joined by {@code |}
   */
  public Table(Table parent, String title, long mask) {
    this(new RecordedTable(parent.data, null, title, mask));
  }

  /**
   * A table at the top that belongs to no class.
   *
   * @param title what people call it
   * @param mask what is recorded of each row: constants of this class, joined by {@code |}
   */
  public Table(String title, long mask) {
    this(new RecordedTable(null, null, title, mask));
  }

  /** A table that records into {@code data}. */
  Table(RecordedTable data) {
    this.data = data;
  }

  /** This table; its columns are known, which they are not while its constructors run. */
  final Table complete() {
    if (!complete) gather();
    return this;
  }

  private synchronized void gather() {
    // A probe in what is used here may come back; it gets no row.
    if (complete || gathering) return;
    gathering = true;
    if (!gathered) {
      for (Object column : Columns.of(this, Table.class, AbstractColumn.class)) {
        ((AbstractColumn) column).belongsTo(data);
        boolean isAbove = data.parent() == null && above == null;
        if (isAbove && column instanceof ForeignKeyColumn) above = (ForeignKeyColumn) column;
      }
      gathered = true;
    }
    complete = data.declare();
    gathering = false;
  }

  /**
   * Adds a row.
   *
   * @return its number, or a row that is to be ignored
   */
  public int createRow() {
    return complete().data.create(NO_ROW);
  }

  /**
   * Adds a row that belongs to a row of the parent table; of a table without a parent, to the row of
   * the table that its {@link ForeignKeyColumn} names.
   *
   * @param parentRow the row it belongs to
   * @return its number; if {@code parentRow} is to be ignored, so is this one
   */
  public int createRow(int parentRow) {
    if (shouldIgnoreRow(parentRow)) return NO_ROW;
    int row = complete().data.create(parentRow);
    if (above != null) above.setValue(row, parentRow);
    return row;
  }

  /**
   * The event has come to its end.
   *
   * @param row a row of a table of lasting events
   */
  public void closeRow(int row) {
    closeRow(row, null);
  }

  /**
   * The event has come to its end.
   *
   * @param row a row of a table of lasting events
   * @param exception what it ended with; null if all went well
   */
  public void closeRow(int row, Throwable exception) {
    if (!shouldIgnoreRow(row)) data.close(row, exception);
  }

  /**
   * Takes a row out. Those that belong to it stay, without a parent.
   *
   * @param row a row of this table
   */
  public void deleteRow(int row) {
    if (!shouldIgnoreRow(row)) data.delete(row);
  }

  /**
   * Sets the exception of a row, which may be one of a table of point events.
   *
   * @param row a row of this table
   * @param exception the exception
   */
  public void setEventTableRowException(int row, Throwable exception) {
    if (!shouldIgnoreRow(row) && exception != null) data.fail(row, exception);
  }

  /**
   * Events that are shorter are taken out when they are closed.
   *
   * @param milliseconds the shortest that are kept; 0 keeps all
   */
  public void setMinimumRecordedLastingEventTime(int milliseconds) {
    data.setMinimumTime(milliseconds);
  }

  /**
   * Is this no row of a table? It is {@link #NO_ROW}, or one that a table at its limit gave.
   *
   * @param row what a table gave
   * @return true for a row that methods of tables ignore
   */
  public static boolean shouldIgnoreRow(int row) {
    return row <= 0;
  }
}
