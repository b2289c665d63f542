// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

/** The same for numbers of bytes that are ints. */
public class TableIntBytes extends TableLongBytes {
  /**
   * A table below that of a registry.
   *
   * @param registry whose resources are read or written
   * @param title what people call it
   * @param mask what is recorded of each row
   */
  public TableIntBytes(MasterResourceRegistry<?> registry, String title, long mask) {
    super(registry, title, mask);
  }

  /**
   * A table below that of a registry.
   *
   * @param registry whose resources are read or written
   * @param title what people call it
   * @param mask what is recorded of each row
   */
  public TableIntBytes(DependentResourceRegistry<?, ?> registry, String title, long mask) {
    super(registry, title, mask);
  }

  /**
   * Sets the number of bytes.
   *
   * @param row a row of this table
   * @param count how many; a negative number is no value
   */
  public void setBytes(int row, int count) {
    setBytes(row, (long) count);
  }
}
