// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a class a probe class, and says to which methods its callbacks are applied: to those that at
 * least one pattern selects and no negative one.
 *
 * <p>A pattern is {@code [-][@annotation] class:[@annotation] method(parameters) [type]}, where
 * {@code *} in names is any characters. {@code -} in front makes it negative, {@code <init>} is a
 * constructor, {@code (*)} any parameters.
 *
 * <p>The annotation is in the class file, where the weaver reads it, and not seen by reflection; so
 * are all others of this package.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.CLASS)
public @interface MethodPattern {
  /**
   * The patterns.
   *
   * @return one pattern or several
   */
  String[] value();
}
