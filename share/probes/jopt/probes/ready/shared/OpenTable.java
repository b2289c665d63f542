// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready.shared;

import jopt.probes.ForeignKeyColumn;
import jopt.probes.ResourceTable;

/**
 * Things that a program opens and closes, with the test in which it opened them.
 *
 * @param <T> the things
 */
public final class OpenTable<T> extends ResourceTable<T> {
  private final ForeignKeyColumn test = Tests.column();

  /**
   * A table at the top.
   *
   * @param holder the class of probes that the table belongs to
   * @param title what people call it
   * @param nameColumn the title of the column with the names
   */
  public OpenTable(Class<?> holder, String title, String nameColumn) {
    super(holder, title, nameColumn);
  }

  /** Each row gets a name, once, when it is made. */
  @Override
  public void setResourceName(int row, String resourceName) {
    super.setResourceName(row, resourceName);
    Tests.mark(test, row);
  }
}
