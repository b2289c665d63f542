// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import jopt.tf.TimingPointType;

/**
 * Marks a private instance method without result and with an empty body. Its
 * calls from monitored methods tell the monitor what happens inside them.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface InfoMethod {
  /**
   * Whether a call begins or ends a timing point.
   *
   * @return the type; {@link TimingPointType#NONE} for neither
   */
  TimingPointType tpType() default TimingPointType.NONE;

  /**
   * The name of the timing point; required unless the type is NONE.
   *
   * @return the name
   */
  String tpName() default "";
}
