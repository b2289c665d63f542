// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.internal;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/** Finds the columns of a table. Not for users. */
public final class Columns {
  private Columns() {}

  /**
   * The values of the fields of {@code table} that are columns: those of superclasses first, else in
   * the order of declaration.
   *
   * @param table the table
   * @param base the superclass at which to stop
   * @param type what columns extend
   * @return the columns, each once
   */
  public static List<Object> of(Object table, Class<?> base, Class<?> type) {
    List<Object> found = new ArrayList<>();
    add(table, table.getClass(), base, type, found);
    return found;
  }

  private static void add(
      Object table, Class<?> cls, Class<?> base, Class<?> type, List<Object> found) {
    if (cls == null || cls == base) return;
    add(table, cls.getSuperclass(), base, type, found);
    for (Field field : cls.getDeclaredFields()) {
      if (!type.isAssignableFrom(field.getType())) continue;
      try {
        field.setAccessible(true);
        Object column = field.get(table);
        if (column != null && !contains(found, column)) found.add(column);
      } catch (IllegalAccessException | RuntimeException e) {
        System.err.println(
            "jopt: the column " + cls.getName() + "." + field.getName() + " is left out: " + e);
      }
    }
  }

  private static boolean contains(List<Object> found, Object column) {
    for (Object other : found) {
      if (other == column) return true;
    }
    return false;
  }
}
