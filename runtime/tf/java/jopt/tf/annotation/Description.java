// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A text for people; of a method it describes the method's timer. */
@Documented
@Target({ElementType.METHOD, ElementType.FIELD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Description {
  /**
   * The text.
   *
   * @return the text
   */
  String value();

  /**
   * A key under which a translation of the text is found. The tools do not use
   * it.
   *
   * @return the key, empty if there is none
   */
  String key() default "";
}
