// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.RecordedTable;

/** A column of names of classes. */
public class ClassNameColumn extends AbstractColumn {
  /**
   * A column.
   *
   * @param title what people call it
   */
  public ClassNameColumn(String title) {
    super(title, RecordedTable.CLASS);
  }

  /**
   * Sets the value of a row.
   *
   * @param row the row; one that is to be ignored is ignored
   * @param value the class; null is no value
   */
  public void setValue(int row, Class<?> value) {
    if (has(row)) table.setText(row, index, value == null ? null : value.getName());
  }
}
