// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

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

  // Events of chunks of rows.
  private static final int CREATE = 1, SET_INT = 2, SET_LONG = 3, SET_REF = 4, SET_TEXT = 5;
  private static final int MORE_TEXT = 6, CLOSE = 7, DELETE = 8;

  // What else rows have; columns have numbers below.
  private static final int MOST_COLUMNS = 250, CLOSE_STACK = 253, STACK_TRACE = 254;
  private static final int EXCEPTION = 255;

  /** Characters of a text in one event. */
  private static final int PIECE = 2000;

  private static final AtomicIntegerFieldUpdater<RecordedTable> NEXT =
      AtomicIntegerFieldUpdater.newUpdater(RecordedTable.class, "next");
  private static final AtomicIntegerFieldUpdater<RecordedTable> GONE =
      AtomicIntegerFieldUpdater.newUpdater(RecordedTable.class, "gone");

  private static final AtomicInteger TABLES = new AtomicInteger();

  private final RecordedTable parent;
  private final String holder;
  private final String title;
  private final int limit;
  private final long mask;
  private final List<Object[]> columns = new ArrayList<>();

  private final int id = TABLES.incrementAndGet();
  private volatile boolean isDeclared;
  private long minimum;
  private boolean isFull;
  private boolean isMisused;

  /** The last row's number. */
  private volatile int next;

  /** How many numbers are of rows that are not there. */
  private volatile int gone;

  /**
   * A table.
   *
   * @param parent the table to whose rows its rows belong; null for none
   * @param holder the binary name of the class it belongs to; null for none
   * @param title what people call it
   * @param mask what is recorded of each row
   */
  public RecordedTable(RecordedTable parent, String holder, String title, long mask) {
    this.parent = parent;
    this.holder = holder;
    this.title = title == null ? "" : title;
    this.mask =
        (has(mask, LASTING) ? LASTING : 0)
            | (has(mask, THREAD) ? THREAD : 0)
            | (has(mask, STACK) || has(mask, STACK_AT_CREATION) ? STACK : 0)
            | (has(mask, LASTING) && has(mask, STACK_AT_CLOSE) ? STACK_AT_CLOSE : 0);
    limit = rowLimit();
  }

  private static boolean has(long mask, long bit) {
    return (mask & bit * 3) != 0;
  }

  private static int rowLimit() {
    try {
      Integer given = Integer.getInteger("jopt.probetablelengthlimit");
      return given == null || given <= 0 ? Integer.MAX_VALUE : given;
    } catch (SecurityException e) {
      return Integer.MAX_VALUE;
    }
  }

  /**
   * Adds a column.
   *
   * @param name what people call it; null if it has the title of {@code other}
   * @param type what its values are
   * @param other the table whose rows they are; null if they are none
   * @return its number
   */
  public synchronized int addColumn(String name, char type, RecordedTable other) {
    if (columns.size() < MOST_COLUMNS) {
      columns.add(new Object[] {other == null ? name : other.title, type, other});
      return columns.size() - 1;
    }
    return MOST_COLUMNS;
  }

  /**
   * The table has all its columns.
   *
   * @return false if it is to be told again, as the recorder itself led here
   */
  public synchronized boolean declare() {
    if (isDeclared) return true;
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane == null || !define()) return Recorder.isOff;
      for (int i = 0; i < columns.size(); i++) {
        Object[] column = columns.get(i);
        RecordedTable other = (RecordedTable) column[2];
        Definitions.column(
            id, i, (Character) column[1], other == null ? 0 : other.id, (String) column[0]);
      }
      isDeclared = true;
      return true;
    } catch (Throwable e) {
      Recorder.failed(e);
      return Recorder.isOff;
    } finally {
      if (lane != null) lane.leave();
    }
  }

  private boolean define() {
    return Definitions.table(
        id, parent == null ? 0 : parent.id, holder, title, mask, (int) (minimum / 1000000));
  }

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
   * @param parentRow the row it belongs to, if that is one
   * @return its number, or {@link #NO_ROW}
   */
  public int create(int parentRow) {
    return add(Recorder.now(), parentRow);
  }

  /**
   * Adds a row whose event began before.
   *
   * @param since when
   * @param parentRow the row it belongs to, if that is one
   * @return its number, or {@link #NO_ROW}
   */
  public int createSince(long since, int parentRow) {
    return add(since - Recorder.start, parentRow);
  }

  private int add(long time, int parentRow) {
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane == null || !isDeclared) return NO_ROW;
      int row = takeNumber();
      if (row < 0) return NO_ROW;
      int stack = (mask & STACK) != 0 ? Definitions.stack() : 0;
      if (!lane.room(24)) return NO_ROW;
      int at = lane.position;
      lane.at.putLong(at, Chunk.pair(Chunk.head(CREATE, 0, 24), id));
      lane.at.putLong(at + 8, Chunk.pair(row, parentRow > 0 ? parentRow : 0));
      lane.at.putLong(at + 16, time);
      lane.publish(at + 24);
      lane.clock = time;
      int slot = Lane.slot(id, row);
      lane.row[slot] = Chunk.pair(id, row);
      lane.since[slot] = time;
      lane.from[slot] = at;
      lane.to[slot] = at + 24;
      lane.in[slot] = lane.generation;
      if (stack != 0) write(lane, SET_INT, STACK_TRACE, row, stack);
      return row;
    } catch (Throwable e) {
      Recorder.failed(e);
      return NO_ROW;
    } finally {
      if (lane != null) lane.leave();
    }
  }

  /** The number of a new row; negative at the limit. */
  private int takeNumber() {
    if (limit == Integer.MAX_VALUE) return NEXT.incrementAndGet(this);
    if (next - gone < limit) {
      int row = NEXT.incrementAndGet(this);
      if (row - gone <= limit) return row;
      GONE.incrementAndGet(this); // others were faster
    }
    if (!isFull) {
      isFull = true;
      Definitions.note("table " + title + ": no rows are recorded beyond " + limit);
    }
    return NO_ROW;
  }

  /**
   * Writes an event that sets something to four bytes. The thread that created the row lately needs no
   * time: its events are in order.
   */
  private void write(Lane lane, int event, int column, int row, int value) {
    int slot = Lane.slot(id, row);
    boolean isRecent = lane.row[slot] == Chunk.pair(id, row);
    int length = isRecent ? 16 : 24;
    if (!lane.room(length)) return;
    int at = lane.position;
    lane.at.putLong(at, Chunk.pair(Chunk.head(event, column, length), id));
    lane.at.putLong(at + 8, Chunk.pair(row, value));
    if (!isRecent) lane.at.putLong(at + 16, Recorder.now());
    lane.publish(at + length);
    if (isRecent) extend(lane, slot, at);
  }

  /** An event of the row in {@code slot} was written at {@code at}. */
  private static void extend(Lane lane, int slot, int at) {
    if (lane.to[slot] == at && lane.in[slot] == lane.generation) lane.to[slot] = lane.position;
  }

  private void writeText(Lane lane, int column, int row, String value) {
    int slot = Lane.slot(id, row);
    boolean isRecent = lane.row[slot] == Chunk.pair(id, row);
    long time = isRecent ? lane.clock : Recorder.now();
    int event = SET_TEXT;
    int from = 0;
    do {
      int end = Math.min(value.length(), from + PIECE);
      if (!lane.room(20 + 3 * (end - from))) return;
      int at = lane.position;
      int to = lane.text(at + 20, value, from, end);
      lane.at.putLong(at, Chunk.pair(Chunk.head(event, column, to - at), id));
      lane.at.putInt(at + 8, row);
      lane.at.putLong(at + 12, time);
      lane.publish(to);
      if (isRecent) extend(lane, slot, at);
      from = end;
      event = MORE_TEXT;
    } while (from < value.length());
  }

  /**
   * Ends the event of a row.
   *
   * @param row the row
   * @param exception what it ended with; may be null
   */
  public void close(int row, Throwable exception) {
    if ((mask & LASTING) == 0) {
      misuse();
      return;
    }
    String text = exception == null ? null : toString(exception);
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane == null) return;
      long time = Recorder.now();
      if (minimum > 0 && isTooShort(lane, row, time)) return;
      if (text != null) writeText(lane, EXCEPTION, row, text);
      if ((mask & STACK_AT_CLOSE) != 0) write(lane, SET_INT, CLOSE_STACK, row, Definitions.stack());
      end(lane, CLOSE, row, time);
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      if (lane != null) lane.leave();
    }
  }

  private void end(Lane lane, int event, int row, long time) {
    if (!lane.room(20)) return;
    int at = lane.position;
    lane.at.putLong(at, Chunk.pair(Chunk.head(event, 0, 20), id));
    lane.at.putInt(at + 8, row);
    lane.at.putLong(at + 12, time);
    lane.publish(at + 20);
    lane.clock = time;
  }

  /** Takes a row that ends at {@code time} back, if this thread created it lately, too late. */
  private boolean isTooShort(Lane lane, int row, long time) {
    int slot = Lane.slot(id, row);
    if (lane.row[slot] != Chunk.pair(id, row) || time - lane.since[slot] >= minimum) return false;
    GONE.incrementAndGet(this);
    lane.row[slot] = 0;
    // The last that this thread wrote may be written over.
    if (lane.to[slot] == lane.position && lane.in[slot] == lane.generation) {
      lane.publish(lane.from[slot]);
      lane.order();
    } else {
      end(lane, DELETE, row, time);
    }
    return true;
  }

  private void misuse() {
    if (isMisused) return;
    isMisused = true;
    System.err.println("jopt: table " + title + ": its events do not last, so rows are not closed");
  }

  /** What an exception says; its class if it cannot. */
  private static String toString(Throwable exception) {
    try {
      String text = exception.toString();
      if (text != null) return text;
    } catch (Throwable e) {
      // It is the program's own code.
    }
    return exception.getClass().getName();
  }

  /**
   * Sets the exception of a row.
   *
   * @param row the row
   * @param exception the exception
   */
  public void fail(int row, Throwable exception) {
    put(row, EXCEPTION, toString(exception), false);
  }

  /**
   * Takes a row out.
   *
   * @param row the row
   */
  public void delete(int row) {
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane == null) return;
      GONE.incrementAndGet(this);
      end(lane, DELETE, row, Recorder.now());
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      if (lane != null) lane.leave();
    }
  }

  /**
   * Events that are shorter are taken out when they are closed.
   *
   * @param milliseconds the shortest that are kept
   */
  public synchronized void setMinimumTime(int milliseconds) {
    minimum = Math.max(0, milliseconds) * 1000000L;
    if (!isDeclared) return;
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane != null) define();
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      if (lane != null) lane.leave();
    }
  }

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value
   */
  public void setInt(int row, int column, int value) {
    put(row, column, SET_INT, value);
  }

  private void put(int row, int column, int event, int value) {
    if (column >= MOST_COLUMNS) return;
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane != null) write(lane, event, column, row, value);
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      if (lane != null) lane.leave();
    }
  }

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value
   */
  public void setLong(int row, int column, long value) {
    if (column >= MOST_COLUMNS) return;
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane == null) return;
      int slot = Lane.slot(id, row);
      boolean isRecent = lane.row[slot] == Chunk.pair(id, row);
      int length = isRecent ? 20 : 28;
      if (!lane.room(length)) return;
      int at = lane.position;
      lane.at.putLong(at, Chunk.pair(Chunk.head(SET_LONG, column, length), id));
      lane.at.putInt(at + 8, row);
      lane.at.putLong(at + 12, value);
      if (!isRecent) lane.at.putLong(at + 20, Recorder.now());
      lane.publish(at + length);
      if (isRecent) extend(lane, slot, at);
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      if (lane != null) lane.leave();
    }
  }

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value; null is none
   */
  public void setText(int row, int column, String value) {
    if (column < MOST_COLUMNS) put(row, column, value, true);
  }

  private void put(int row, int column, String value, boolean mayRepeat) {
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane == null) return;
      if (value == null) {
        write(lane, SET_REF, column, row, 0);
        return;
      }
      int string = 0;
      if (mayRepeat && value.length() <= Definitions.LONGEST) {
        // What was met twice is worth a definition.
        string = Definitions.string(value, lane.meets(value.hashCode()));
      }
      if (string != 0) write(lane, SET_REF, column, row, string);
      else writeText(lane, column, row, value);
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      if (lane != null) lane.leave();
    }
  }

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value a row of the other table
   */
  public void setRow(int row, int column, int value) {
    put(row, column, SET_INT, value);
  }
}
