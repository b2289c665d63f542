// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready.shared;

import jopt.probes.ForeignKeyColumn;
import jopt.probes.Table;

/** Calls: events that last, with the test in which they happened. */
public abstract class CallTable extends Table {
  private final ForeignKeyColumn test = Tests.column();

  /**
   * A table at the top.
   *
   * @param holder the class of probes that the table belongs to
   * @param title what people call it
   * @param mask what is recorded of each row
   */
  protected CallTable(Class<?> holder, String title, long mask) {
    super(holder, title, mask);
  }

  /**
   * A table below another.
   *
   * @param parent the other
   * @param title what people call it
   * @param mask what is recorded of each row
   */
  protected CallTable(Table parent, String title, long mask) {
    super(parent, title, mask);
  }

  @Override
  public int createRow() {
    return marked(super.createRow());
  }

  @Override
  public int createRow(int parentRow) {
    return marked(super.createRow(parentRow));
  }

  private int marked(int row) {
    Tests.mark(test, row);
    return row;
  }
}
