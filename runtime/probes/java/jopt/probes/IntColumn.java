// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.RecordedTable;

/** A column of {@code int} values. */
public class IntColumn extends AbstractColumn {
  /**
   * A column.
   *
   * @param title what people call it
   */
  public IntColumn(String title) {
    super(title, RecordedTable.INT);
  }

  /**
   * Sets the value of a row.
   *
   * @param row the row; one that is to be ignored is ignored
   * @param value the value
   */
  public void setValue(int row, int value) {
    if (has(row)) table.setInt(row, index, value);
  }

  /**
   * Sets the value of a row, if it is greater than 0.
   *
   * @param row the row; one that is to be ignored is ignored
   * @param value the value
   */
  public void setValueIfPositive(int row, int value) {
    if (value > 0) setValue(row, value);
  }
}
