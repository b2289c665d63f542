// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready.shared;

import jopt.probes.ForeignKeyColumn;
import jopt.probes.StringColumn;
import jopt.probes.Table;

/**
 * The tests that {@code lib:junit} records, for the tables of the other probes: what happens in a
 * test has its row.
 */
public final class Tests extends Table {
  /** The only one. */
  public static final Tests TABLE = new Tests();

  private static final boolean RECORDED = isRecorded();
  private static final Nesting current = new Nesting();

  /** "test", or "class" for what is around the tests of one. */
  public final StringColumn kind = new StringColumn("Kind");

  /** The class that has it. */
  public final StringColumn type = new StringColumn("Class");

  /** The method; null for a class. */
  public final StringColumn method = new StringColumn("Method");

  /** What people call it. */
  public final StringColumn name = new StringColumn("Name");

  /** "passed", "failed", "aborted", "skipped". */
  public final StringColumn result = new StringColumn("Result");

  private Tests() {
    super(Tests.class, "Test", LASTING_EVENTS | RECORD_THREAD);
  }

  private static boolean isRecorded() {
    try {
      Class.forName("jopt.probes.ready.JUnit", false, Tests.class.getClassLoader());
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  /**
   * This thread is in a test from now on.
   *
   * @param row its row; one that is to be ignored if it is in none
   * @return the row of before
   */
  public static int enter(int row) {
    return current.setRow(row);
  }

  /**
   * The test that this thread is in.
   *
   * @return its row; one that is to be ignored if it is in none
   */
  public static int current() {
    return RECORDED ? current.row() : NO_ROW;
  }

  /**
   * A column for the test in which something happened.
   *
   * @return the column; null if no tests are recorded
   */
  public static ForeignKeyColumn column() {
    return RECORDED ? new ForeignKeyColumn(TABLE) : null;
  }

  /**
   * What a row is about happens in the test that this thread is in.
   *
   * @param column what {@link #column} gave
   * @param row a row of its table
   */
  public static void mark(ForeignKeyColumn column, int row) {
    if (column != null) column.setValue(row, current());
  }
}
