// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.annotation;

import java.lang.annotation.Annotation;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes an annotation a <em>TF annotation</em>: one that says which methods of
 * which classes are monitored. A class carries the TF annotations that its
 * methods use; a monitored method carries exactly one of them.
 */
@Documented
@Target(ElementType.ANNOTATION_TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface MethodMonitorGroup {
  /**
   * The TF annotations below this one: what is attached to this annotation is
   * attached to them too, and to all below them.
   *
   * @return the sub-groups
   */
  Class<? extends Annotation>[] value() default {};

  /**
   * What the group is about; it becomes the description of its timer group.
   *
   * @return the description, empty for a text made of the name
   */
  String description() default "";
}
