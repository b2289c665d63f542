// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import jopt.boot.Client;

/**
 * The rows of a table as lines for whoever follows the probes: the title, the row's number, that of
 * the row it belongs to, how long it lasted, and its values.
 */
final class FollowedRows extends WholeRows<FollowedRows.Row> {
  /** Nanoseconds until a row is reported that does not last and lacks a value. */
  private static final long PATIENCE = 200_000_000;

  private static final List<FollowedRows> all = new CopyOnWriteArrayList<>();

  private final RecordedTable table;

  static final class Row {
    final int number;
    final int parent;
    final Object[] values;

    Row(int number, int parent, int columns) {
      this.number = number;
      this.parent = parent;
      values = new Object[columns + 1]; // last, the exception
    }
  }

  private FollowedRows(RecordedTable table) {
    super(table);
    this.table = table;
  }

  /** Gives listeners to tables once somebody follows; makes late rows come. */
  static final class Listeners implements Source, Runnable {
    @Override
    public RowListener of(RecordedTable table) {
      if (!Client.isFollowed()) return null;
      FollowedRows made = new FollowedRows(table);
      all.add(made);
      Client.beforeTaking(this);
      return made;
    }

    @Override
    public void run() {
      for (FollowedRows each : all) {
        if ((each.table.mask() & RecordedTable.LASTING) == 0) each.tellAll(PATIENCE);
      }
    }
  }

  @Override
  protected boolean isWanted() {
    return Client.isFollowed();
  }

  @Override
  protected Row begin(int row, int parent) {
    return new Row(row, parent, table.columns());
  }

  @Override
  protected void set(Row row, int column, Object value) {
    row.values[column == RecordedTable.EXCEPTION ? row.values.length - 1 : column] = value;
  }

  @Override
  protected void tell(Row row, long time) {
    StringBuilder line = new StringBuilder(table.title()).append(" #").append(row.number);
    if (row.parent > 0) {
      line.append(" of ").append(table.parent().title()).append(" #").append(row.parent);
    }
    if (time > 0) appendMillis(line.append(' '), time);
    for (int i = 0; i < row.values.length - 1; i++) {
      if (row.values[i] == null) continue;
      line.append(' ').append(table.columnTitle(i)).append('=');
      boolean isRow = table.columnType(i) == RecordedTable.ROW;
      append(isRow ? line.append('#') : line, row.values[i]);
    }
    Object exception = row.values[row.values.length - 1];
    if (exception != null) append(line.append(" exception="), exception);
    Client.println(line);
  }

  private static void appendMillis(StringBuilder to, long nanos) {
    long micros = (nanos + 500) / 1000;
    String rest = String.valueOf(1000 + micros % 1000);
    to.append(micros / 1000).append('.').append(rest, 1, 4).append(" ms");
  }

  /** Texts are quoted, so that a row is a line and its values can be told apart. */
  private static void append(StringBuilder to, Object value) {
    if (!(value instanceof String)) {
      to.append(value);
      return;
    }
    String text = (String) value;
    to.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') to.append('\\').append(c);
      else if (c == '\n') to.append("\\n");
      else if (c == '\t') to.append("\\t");
      else to.append(c < ' ' ? ' ' : c);
    }
    to.append('"');
  }
}
