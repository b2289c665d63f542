// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Of {@code onEnter}, {@code onUncaughtExceptionExt}, or a method with {@link Catch}: the probed
 * method returns what it gives, there and then: in place of its body, of the exception that leaves
 * it, or of what the handler does. The probe is for methods that return exactly the type that it
 * returns.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.CLASS)
public @interface ReturnWhen {
  /**
   * A public static method of the same class that returns a boolean, with annotated parameters of
   * its own: it is asked first, and where it says false the probed method goes on.
   *
   * @return its name
   */
  String value();
}
