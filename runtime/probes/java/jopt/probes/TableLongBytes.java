// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

/** A table of bytes read or written: events that belong to rows of resources. */
public class TableLongBytes extends Table {
  private final LongColumn bytes = new LongColumn("Bytes");

  /**
   * A table below that of a registry.
   *
   * @param registry whose resources are read or written
   * @param title what people call it
   * @param mask what is recorded of each row
   */
  public TableLongBytes(MasterResourceRegistry<?> registry, String title, long mask) {
    super(registry.getResourceTable(), title, mask);
  }

  /**
   * A table below that of a registry.
   *
   * @param registry whose resources are read or written
   * @param title what people call it
   * @param mask what is recorded of each row
   */
  public TableLongBytes(DependentResourceRegistry<?, ?> registry, String title, long mask) {
    super(registry.getResourceTable(), title, mask);
  }

  /**
   * Sets the number of bytes.
   *
   * @param row a row of this table
   * @param count how many; a negative number is no value
   */
  public void setBytes(int row, long count) {
    if (count >= 0) bytes.setValue(row, count);
  }
}
