// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

/** What is recorded of a table of probes. */
public final class RecordedTable {
  /** A row that is not there. */
  public static final int NO_ROW = -1;

  // Two bits for each: sources join constants by `+` as well, and may name one twice.
  /** Rows are closed. */
  public static final long LASTING = 1;

  /** Rows have a thread. */
  public static final long THREAD = 1 << 2;

  /** Rows have a stack trace. */
  public static final long STACK = 1 << 4;

  /** The same. */
  public static final long STACK_AT_CREATION = 1 << 6;

  /** Rows have the stack trace of where they were closed. */
  public static final long STACK_AT_CLOSE = 1 << 8;

  /** Nothing. */
  public static final long THREAD_CPU = 1 << 10;

  /** Types of columns. */
  public static final char INT = 'I', LONG = 'J', TEXT = 'S', CLASS = 'C', ROW = 'R';

  /**
   * A table.
   *
   * @param parent the table to whose rows its rows belong; null for none
   * @param holder the binary name of the class it belongs to; null for none
   * @param title what people call it
   * @param mask what is recorded of each row
   */
  public RecordedTable(RecordedTable parent, String holder, String title, long mask) {}

  /**
   * Adds a column.
   *
   * @param title what people call it; null if it has the title of {@code other}
   * @param type what its values are
   * @param other the table whose rows they are; null if they are none
   * @return its number
   */
  public int addColumn(String title, char type, RecordedTable other) {
    return 0;
  }

  /** The table has all its columns. */
  public void declare() {}

  /**
   * Now, for {@link #createSince}.
   *
   * @return nanoseconds
   */
  public static long now() {
    return System.nanoTime();
  }

  /**
   * Adds a row.
   *
   * @param parent the row it belongs to, if that is one
   * @return its number, or {@link #NO_ROW}
   */
  public int create(int parent) {
    return NO_ROW;
  }

  /**
   * Adds a row whose event began before.
   *
   * @param since when
   * @param parent the row it belongs to, if that is one
   * @return its number, or {@link #NO_ROW}
   */
  public int createSince(long since, int parent) {
    return NO_ROW;
  }

  /**
   * Ends the event of a row.
   *
   * @param row the row
   * @param exception what it ended with; may be null
   */
  public void close(int row, Throwable exception) {}

  /**
   * Sets the exception of a row.
   *
   * @param row the row
   * @param exception the exception
   */
  public void fail(int row, Throwable exception) {}

  /**
   * Takes a row out.
   *
   * @param row the row
   */
  public void delete(int row) {}

  /**
   * Events that are shorter are taken out when they are closed.
   *
   * @param milliseconds the shortest that are kept
   */
  public void setMinimumTime(int milliseconds) {}

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value
   */
  public void setInt(int row, int column, int value) {}

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value
   */
  public void setLong(int row, int column, long value) {}

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value; null is none
   */
  public void setText(int row, int column, String value) {}

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value a row of the other table
   */
  public void setRow(int row, int column, int value) {}
}
