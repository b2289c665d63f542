// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Records a table of probes. */
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

  /** Rows have the processor time of their threads, from creation to close. */
  public static final long THREAD_CPU = 1 << 10;

  /** A column that all tables have. */
  public static final int EXCEPTION = 255;

  /** Types of columns. */
  public static final char INT = 'I', LONG = 'J', TEXT = 'S', CLASS = 'C', ROW = 'R';

  // Events of chunks of rows.
  private static final int CREATE = 1, SET_INT = 2, SET_LONG = 3, SET_REF = 4, SET_TEXT = 5;
  private static final int MORE_TEXT = 6, CLOSE = 7, DELETE = 8;

  // Actions that have no such event.
  private static final int DECLARE = 16, DEFINE = 17;

  // Numbers of other values of rows; those of columns are below.
  private static final int MOST_COLUMNS = 250, THREAD_TIME = 252, CLOSE_STACK = 253;
  private static final int STACK_TRACE = 254;

  /** Characters of a text in one event. */
  private static final int PIECE = 2000;

  /** Where {@link #numbers} has the last row's number, and how many are of rows that are not there. */
  private static final int LAST = 16, GONE = 32;

  /** Numbers that a thread takes at once where several create rows at the same moment. */
  private static final int BLOCK = 16;

  /** How long it has them: the numbers of several threads' rows are in their order, but for that. */
  private static final long BLOCK_TIME = 1_000_000;

  private static final AtomicInteger TABLES = new AtomicInteger();

  private final RecordedTable parent;
  private final String holder;
  private final String title;
  private final int limit;
  private final long mask;
  private final List<Object[]> columns = new ArrayList<>();

  private final int id = TABLES.incrementAndGet();
  private volatile boolean isDeclared;

  /** As {@link RowListener#SOURCES}; null as long as there is none at all. */
  private RowListener[] listeners;

  private long minimum;
  private boolean isFull;
  private boolean isMisused;

  /** Apart from what all read of a table, and from each other, by more than a line of a cache. */
  private final AtomicIntegerArray numbers = new AtomicIntegerArray(48);

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
            | (has(mask, LASTING) && has(mask, STACK_AT_CLOSE) ? STACK_AT_CLOSE : 0)
            | (has(mask, LASTING) && has(mask, THREAD_CPU) ? THREAD_CPU : 0);
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
    return isDeclared || record(DECLARE, 0, 0, null) || Recorder.isOff;
  }

  private boolean define(boolean withColumns) {
    int above = parent == null ? 0 : parent.id;
    int shortest = (int) (minimum / 1000000);
    if (!Definitions.table(id, above, holder, title, mask, shortest)) return false;
    if (!withColumns) return true;
    for (int i = 0; i < columns.size(); i++) {
      Object[] column = columns.get(i);
      RecordedTable other = (RecordedTable) column[2];
      Definitions.column(
          id, i, (Character) column[1], other == null ? 0 : other.id, (String) column[0]);
    }
    // What takes longer the first time.
    if ((mask & THREAD_CPU) != 0) ThreadTime.now();
    hasListener();
    isDeclared = true;
    return true;
  }

  /**
   * Does one thing in the lane of the calling thread, unless that is what led here.
   *
   * @param event what: an event of a chunk, or one of the constants behind them
   * @return false if it is not done
   */
  private boolean record(int event, int row, int column, String text) {
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane == null) return false;
      switch (event) {
        case SET_TEXT:
          setText(lane, column, row, text);
          break;
        case CLOSE:
          close(lane, row, text);
          break;
        case DELETE:
          numbers.incrementAndGet(GONE);
          end(lane, DELETE, row, Recorder.now());
          break;
        default:
          return define(event == DECLARE);
      }
      if (listeners != null) tell(event, row, column, 0, text);
      return true;
    } catch (Throwable e) {
      Recorder.failed(e);
      return false;
    } finally {
      if (lane != null) lane.leave();
    }
  }

  // The most frequent actions, all alike. They are separate methods, since a common one would be too
  // large to be inlined.

  private int addRow(long time, int parentRow) {
    Lane lane = null;
    try {
      lane = Lane.enter();
      return lane == null ? NO_ROW : add(lane, time, parentRow);
    } catch (Throwable e) {
      Recorder.failed(e);
      return NO_ROW;
    } finally {
      if (lane != null) lane.leave();
    }
  }

  private void setNumber(int event, int row, int column, long value) {
    Lane lane = null;
    try {
      lane = Lane.enter();
      if (lane == null) return;
      set(lane, event, column, row, value);
      if (listeners != null) tell(event, row, column, value, null);
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      if (lane != null) lane.leave();
    }
  }

  /** Tells {@link #listeners} what was recorded. */
  private void tell(int event, int row, int column, long value, String text) {
    for (RowListener listener : listeners) {
      if (listener != null && listener.isOn()) tell(listener, event, row, column, value, text);
    }
  }

  private void tell(
      RowListener listener, int event, int row, int column, long value, String text) {
    switch (event) {
      case CREATE:
        listener.created(id, row, (int) value);
        break;
      case SET_INT:
        listener.set(id, row, column, (int) value);
        break;
      case SET_LONG:
        listener.set(id, row, column, value);
        break;
      case SET_TEXT:
        listener.set(id, row, column, text);
        break;
      case CLOSE:
        if (text != null) listener.set(id, row, EXCEPTION, text);
        listener.closed(id, row, minimum);
        break;
      default:
        listener.deleted(id, row);
    }
  }

  /**
   * The table above.
   *
   * @return null if there is none
   */
  public RecordedTable parent() {
    return parent;
  }

  /**
   * What people call it.
   *
   * @return its title, which may be empty
   */
  public String title() {
    return title;
  }

  /**
   * The kinds of data that are recorded for each row.
   *
   * @return constants of this class, joined
   */
  public long mask() {
    return mask;
  }

  /**
   * How many columns it has.
   *
   * @return the number of columns, the last time that it was declared
   */
  public synchronized int columns() {
    return columns.size();
  }

  /**
   * What people call a column.
   *
   * @param column its number
   * @return its title, which may be empty
   */
  public synchronized String columnTitle(int column) {
    String name = (String) columns.get(column)[0];
    return name == null ? "" : name;
  }

  /**
   * What values a column has.
   *
   * @param column its number
   * @return one of the types
   */
  public synchronized char columnType(int column) {
    return (Character) columns.get(column)[1];
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
    return addRow(Recorder.now(), parent == null ? NO_ROW : parentRow);
  }

  /**
   * Adds a row whose event began before.
   *
   * @param since when
   * @param parentRow the row it belongs to, if that is one
   * @return its number, or {@link #NO_ROW}
   */
  public int createSince(long since, int parentRow) {
    return addRow(since - Recorder.start, parent == null ? NO_ROW : parentRow);
  }

  private int add(Lane lane, long time, int parentRow) {
    if (!isDeclared) return NO_ROW;
    int row = limit == Integer.MAX_VALUE ? takeNumber(lane, time) : takeNumber();
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
    if (minimum > 0) {
      lane.from[slot] = at;
      lane.to[slot] = at + 24;
    }
    if (stack != 0) set(lane, SET_INT, STACK_TRACE, row, stack);
    if ((mask & THREAD_CPU) != 0) set(lane, SET_LONG, THREAD_TIME, row, ThreadTime.now());
    if (hasListener()) tell(CREATE, row, 0, parentRow, null);
    return row;
  }

  /**
   * Somebody may begin to listen at any time. As long as nobody does nothing is written: that would cost
   * all threads a cache miss for whatever they read of the table next.
   */
  private boolean hasListener() {
    for (int i = 0; i < RowListener.SOURCES.length; i++) {
      if (listeners != null && listeners[i] != null) continue;
      RowListener found = RowListener.SOURCES[i].of(this);
      if (found == null) continue;
      RowListener[] all = new RowListener[RowListener.SOURCES.length];
      if (listeners != null) System.arraycopy(listeners, 0, all, 0, all.length);
      all[i] = found;
      listeners = all;
    }
    return listeners != null;
  }

  /** The number of a new row; where others take some at the same moment, one of a block of them. */
  private int takeNumber(Lane lane, long time) {
    long age = lane.numbersOf == id ? time - lane.numbersSince : -1;
    boolean lately = age >= 0 && age < BLOCK_TIME;
    if (lately && lane.number < lane.lastNumber) return ++lane.number;
    int last = numbers.get(LAST);
    int more = lately && last != lane.lastNumber ? BLOCK : 1;
    if (!numbers.compareAndSet(LAST, last, last + more)) last = numbers.getAndAdd(LAST, more = BLOCK);
    lane.numbersOf = id;
    lane.numbersSince = time;
    lane.lastNumber = last + more;
    return lane.number = last + 1;
  }

  /** The number of a new row; negative at the limit. */
  private int takeNumber() {
    if (numbers.get(LAST) - numbers.get(GONE) < limit) {
      int row = numbers.incrementAndGet(LAST);
      if (row - numbers.get(GONE) <= limit) return row;
      numbers.incrementAndGet(GONE); // others were faster
    }
    if (!isFull) {
      isFull = true;
      Definitions.note("table " + title + ": no rows are recorded beyond " + limit);
    }
    return NO_ROW;
  }

  /**
   * Writes an event that sets something to a number. The thread that created the row lately needs no
   * time: its events are in order.
   */
  private void set(Lane lane, int event, int column, int row, long value) {
    int slot = Lane.slot(id, row);
    boolean isRecent = lane.row[slot] == Chunk.pair(id, row);
    int end = event == SET_LONG ? 20 : 16;
    int length = isRecent ? end : end + 8;
    if (!lane.room(length)) return;
    int at = lane.position;
    lane.at.putLong(at, Chunk.pair(Chunk.head(event, column, length), id));
    if (event == SET_LONG) {
      lane.at.putInt(at + 8, row);
      lane.at.putLong(at + 12, value);
    } else {
      lane.at.putLong(at + 8, Chunk.pair(row, (int) value));
    }
    if (!isRecent) lane.at.putLong(at + end, Recorder.now());
    lane.publish(at + length);
    if (isRecent) extend(lane, slot, at);
  }

  /** An event of the row in {@code slot} was written at {@code at}. */
  private void extend(Lane lane, int slot, int at) {
    if (minimum > 0 && lane.to[slot] == at) lane.to[slot] = lane.position;
  }

  private void setText(Lane lane, int column, int row, String value) {
    int string = 0;
    // An exception hardly comes twice.
    if (value != null && column != EXCEPTION && value.length() <= Definitions.LONGEST) {
      // A text that comes twice is worth a definition.
      string = Definitions.string(value, lane.meets(value.hashCode()));
    }
    if (value == null || string != 0) set(lane, SET_REF, column, row, string);
    else writeText(lane, column, row, value);
  }

  private void writeText(Lane lane, int column, int row, String value) {
    int slot = Lane.slot(id, row);
    boolean isRecent = lane.row[slot] == Chunk.pair(id, row);
    long time = isRecent ? lane.clock : Recorder.now();
    int event = SET_TEXT;
    int from = 0;
    do {
      int end = Chunk.cut(value, from, PIECE);
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
    record(CLOSE, row, 0, exception == null ? null : toString(exception));
  }

  private void close(Lane lane, int row, String exception) {
    long time = Recorder.now();
    if (minimum > 0 && isTooShort(lane, row, time)) return;
    if (exception != null) writeText(lane, EXCEPTION, row, exception);
    if ((mask & THREAD_CPU) != 0) set(lane, SET_LONG, THREAD_TIME, row, ThreadTime.now());
    if ((mask & STACK_AT_CLOSE) != 0) set(lane, SET_INT, CLOSE_STACK, row, Definitions.stack());
    end(lane, CLOSE, row, time);
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
    numbers.incrementAndGet(GONE);
    lane.row[slot] = 0;
    // The last that this thread wrote may be written over.
    if (lane.to[slot] == lane.position) {
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
    record(SET_TEXT, row, EXCEPTION, toString(exception));
  }

  /**
   * Takes a row out.
   *
   * @param row the row
   */
  public void delete(int row) {
    record(DELETE, row, 0, null);
  }

  /**
   * Events that are shorter are taken out when they are closed.
   *
   * @param milliseconds the shortest that are kept
   */
  public synchronized void setMinimumTime(int milliseconds) {
    minimum = Math.max(0, milliseconds) * 1000000L;
    if (isDeclared) record(DEFINE, 0, 0, null);
  }

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value
   */
  public void setInt(int row, int column, int value) {
    if (column < MOST_COLUMNS) setNumber(SET_INT, row, column, value);
  }

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value
   */
  public void setLong(int row, int column, long value) {
    if (column < MOST_COLUMNS) setNumber(SET_LONG, row, column, value);
  }

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value the value; null is none
   */
  public void setText(int row, int column, String value) {
    if (column < MOST_COLUMNS) record(SET_TEXT, row, column, value);
  }

  /**
   * Sets a value.
   *
   * @param row the row
   * @param column the column's number
   * @param value a row of the other table
   */
  public void setRow(int row, int column, int value) {
    setInt(row, column, value);
  }
}
