// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.reflect.Array;

/** Values of the program as text: short, on one line, whatever their toString() does. */
public final class Show {
  private static final int MOST = 200, ELEMENTS = 10, KEY = 1000;

  private Show() {}

  /**
   * A value as text: strings in quotes, arrays with their first elements.
   *
   * @param value any
   * @return one line of no more than some 200 characters
   */
  public static String value(Object value) {
    if (value == null) return "null";
    if (value instanceof CharSequence) return '"' + cut(text(value)) + '"';
    if (value.getClass().isArray()) return array(value);
    return cut(text(value));
  }

  /**
   * Values with commas between them.
   *
   * @param values any
   * @return one line
   */
  public static String values(Object... values) {
    StringBuilder all = new StringBuilder();
    for (Object v : values) all.append(all.length() == 0 ? "" : ", ").append(value(v));
    return all.toString();
  }

  private static String array(Object array) {
    StringBuilder all = new StringBuilder("[");
    int n = Array.getLength(array);
    for (int i = 0; i < n && all.length() < MOST; i++) {
      if (i > 0) all.append(", ");
      if (i == ELEMENTS) return all.append("... ").append(n).append(" elements]").toString();
      all.append(value(Array.get(array, i)));
    }
    return all.append(']').toString();
  }

  /** What toString() says, or that it fails. */
  static String text(Object value) {
    try {
      return String.valueOf(value.toString());
    } catch (Throwable e) {
      return value.getClass().getName() + ", whose toString() throws " + e.getClass().getName();
    }
  }

  /** A key of a table: long enough to tell apart what differs late. */
  static String key(Object value) {
    if (value == null) return "null";
    return value.getClass().isArray() ? array(value) : cut(text(value), KEY);
  }

  private static String cut(String text) {
    return cut(text, MOST);
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? SafeText.line(text) : SafeText.line(text.substring(0, most)) + "...";
  }
}
