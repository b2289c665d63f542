// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.RecordedTable;

/** What columns have in common. */
abstract class AbstractColumn {
  final String title;
  final char type;

  /** The table; null as long as it has no rows. */
  RecordedTable table;

  /** Which of the table's columns this is. */
  int index;

  AbstractColumn(String title, char type) {
    this.title = title;
    this.type = type;
  }

  void belongsTo(RecordedTable data) {
    index = data.addColumn(title, type, null);
    table = data;
  }

  /** Is there such a row, so that a value may be set? */
  final boolean has(int row) {
    return row > 0 && table != null;
  }
}
