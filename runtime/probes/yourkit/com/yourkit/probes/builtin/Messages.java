// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package com.yourkit.probes.builtin;

import com.yourkit.probes.StringColumn;
import com.yourkit.probes.Table;

/** The table of messages that probes write. */
public final class Messages {
  private static final class MessageTable extends Table {
    private final StringColumn category = new StringColumn("Category");
    private final StringColumn message = new StringColumn("Message");
    private final StringColumn detail = new StringColumn("Detail");

    private MessageTable() {
      super(Messages.class, "Messages", MASK_FOR_POINT_EVENTS);
    }
  }

  private static final MessageTable table = new MessageTable();

  private Messages() {}

  /**
   * Adds a message.
   *
   * @param category what it is about
   * @param message the message
   * @param detail more of it; may be null
   */
  public static void message(String category, String message, String detail) {
    int row = table.createRow();
    table.category.setValue(row, category);
    table.message.setValue(row, message);
    table.detail.setValue(row, detail);
  }
}
