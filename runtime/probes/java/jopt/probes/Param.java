// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value that a parameter had when the method was entered. The types must be the same exactly, or the
 * callback's {@link Object}, for which primitive values are boxed; else the value is null, 0 or false.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.CLASS)
public @interface Param {
  /**
   * Which parameter.
   *
   * @return its number, from 1 on
   */
  int value();
}
