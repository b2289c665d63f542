// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated from include/jopt/Advice/Advice.td; see utils/gen_docs.py.

package jopt.probes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Of a static method of a probe class: it is called when the constructor of a new object has
 * returned; with {@code where="before"} at the instruction {@code new}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.CLASS)
public @interface New {
  /**
   * The class that the instruction names: a pattern, as {@code com.shop.*}.
   *
   * @return it; without it all
   */
  String owner() default "";

  /**
   * The how manieth in a method that all else selects, from 1; 0: all.
   *
   * @return it; without it all
   */
  int ordinal() default 0;

  /**
   * A line, or {@code 10-20}: only in these.
   *
   * @return it; without it all
   */
  String lines() default "";

  /**
   * {@code before} or {@code after} the instruction.
   *
   * @return it; without it all
   */
  String where() default "";
}
