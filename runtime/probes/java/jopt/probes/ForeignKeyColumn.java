// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.RecordedTable;

/** A column whose values are rows of another table. It has that table's title. */
public class ForeignKeyColumn extends AbstractColumn {
  private final Table other;

  /**
   * A column.
   *
   * @param other the table whose rows are the values
   */
  public ForeignKeyColumn(Table other) {
    super(null, RecordedTable.ROW);
    this.other = other;
  }

  @Override
  void belongsTo(RecordedTable data) {
    index = data.addColumn(null, type, other.data);
    table = data;
  }

  /**
   * Sets the value of a row.
   *
   * @param row the row; one that is to be ignored is ignored
   * @param otherRow the row of the other table; one that is to be ignored is no value
   */
  public void setValue(int row, int otherRow) {
    if (has(row) && otherRow > 0) table.setRow(row, index, otherRow);
  }
}
