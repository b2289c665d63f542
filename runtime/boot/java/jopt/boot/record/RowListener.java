// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

/**
 * Receives the rows of a table while they are recorded, for another recorder that somebody may have
 * switched on. Any thread calls it, and records no rows meanwhile. It throws nothing.
 */
public abstract class RowListener {
  /** Finds listeners. */
  public interface Source {
    /**
     * The listener of a table.
     *
     * @param table the table, which has all its columns
     * @return null as long as nobody listens
     */
    RowListener of(RecordedTable table);
  }

  /** Those that may listen in this JVM. */
  static final Source[] SOURCES = find();

  /** A listener. */
  protected RowListener() {}

  private static Source[] find() {
    Source followed = new FollowedRows.Listeners();
    try {
      // Of Java 11, and with the module jdk.jfr.
      Class<?> source = Class.forName("jopt.boot.flight.FlightRows");
      return new Source[] {followed, (Source) source.getMethod("source").invoke(null)};
    } catch (Throwable e) {
      return new Source[] {followed};
    }
  }

  /**
   * Does somebody listen?
   *
   * @return false if nothing else needs to be called
   */
  public abstract boolean isOn();

  /**
   * A row was created.
   *
   * @param table the table's number
   * @param row its number
   * @param parent the row it belongs to; not positive for none
   */
  public abstract void created(int table, int row, int parent);

  /**
   * A value was set.
   *
   * @param table the table's number
   * @param row its number
   * @param column the column, or {@link RecordedTable#EXCEPTION}
   * @param value an Integer, a Long, a String or null
   */
  public abstract void set(int table, int row, int column, Object value);

  /**
   * The event of a row has ended.
   *
   * @param table the table's number
   * @param row its number
   * @param shortest events that took fewer nanoseconds are none
   */
  public abstract void closed(int table, int row, long shortest);

  /**
   * A row was taken out.
   *
   * @param table the table's number
   * @param row its number
   */
  public abstract void deleted(int table, int row);
}
