// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Restricts a probe class to methods of the named class or interface, and of classes that extend or
 * implement it. The type is named, so the probe needs it on no class path.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.CLASS)
public @interface InstanceOf {
  /**
   * The type.
   *
   * @return the full name, with {@code $} before the name of a nested class
   */
  String value();
}
