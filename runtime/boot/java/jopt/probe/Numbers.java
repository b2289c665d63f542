// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

/** Numbers of the language, which no program can extend. */
final class Numbers {
  private Numbers() {}

  static boolean isPlain(Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Double
        || value instanceof Float
        || value instanceof Short
        || value instanceof Byte;
  }

  /** As {@link Json#put} takes a value of the program: all its digits, and what JSON has no number for as text. */
  static Object json(Object number) {
    if (!(number instanceof Double) && !(number instanceof Float)) return number;
    double d = ((Number) number).doubleValue();
    return Double.isNaN(d) || Double.isInfinite(d) ? number.toString() : Json.exact((Number) number);
  }
}
