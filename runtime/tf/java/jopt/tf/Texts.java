// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.Arrays;

/** How monitors print values. */
final class Texts {
  private Texts() {}

  /**
   * The text of a value: arrays by their elements. A monitor must not fail
   * because a traced program's toString does, so that is printed instead.
   */
  static String of(Object value) {
    if (value == null) {
      return "<NULL>";
    }
    try {
      if (!value.getClass().isArray()) {
        return value.toString();
      }
      if (value instanceof Object[]) {
        return Arrays.toString((Object[]) value);
      }
      // An array of a primitive type is what only deepToString looks into.
      String text = Arrays.deepToString(new Object[] {value});
      return text.substring(1, text.length() - 1);
    } catch (RuntimeException thrown) {
      return "<" + value.getClass().getName() + ".toString: " + thrown + ">";
    }
  }
}
