// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.RecordedTable;

/** A column of {@code long} values. */
public class LongColumn extends AbstractColumn {
  /**
   * A column.
   *
   * @param title what people call it
   */
  public LongColumn(String title) {
    super(title, RecordedTable.LONG);
  }

  /**
   * Sets the value of a row.
   *
   * @param row the row; one that is to be ignored is ignored
   * @param value the value
   */
  public void setValue(int row, long value) {
    if (has(row)) table.setLong(row, index, value);
  }
}
