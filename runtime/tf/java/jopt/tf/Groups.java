// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.lang.annotation.Annotation;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import jopt.tf.annotation.MethodMonitorGroup;

/** The graph of TF annotations: an edge goes from a group to a sub-group. */
final class Groups {
  private Groups() {}

  /** Throws unless {@code annotation} is a TF annotation. */
  static void check(Class<? extends Annotation> annotation) {
    if (annotation == null) {
      throw new IllegalArgumentException("the annotation is null");
    }
    if (!annotation.isAnnotationPresent(MethodMonitorGroup.class)) {
      throw new IllegalArgumentException(
          "Annotation "
              + annotation
              + " does not have the MethodMonitorGroup annotation");
    }
  }

  /** {@code annotation} and everything below it; the graph may have cycles. */
  static Set<Class<? extends Annotation>> closure(
      Class<? extends Annotation> annotation) {
    Set<Class<? extends Annotation>> seen = new LinkedHashSet<>();
    Deque<Class<? extends Annotation>> work = new ArrayDeque<>();
    work.add(annotation);
    while (!work.isEmpty()) {
      Class<? extends Annotation> next = work.remove();
      if (!seen.add(next)) {
        continue;
      }
      MethodMonitorGroup group = next.getAnnotation(MethodMonitorGroup.class);
      if (group != null) {
        Collections.addAll(work, group.value());
      }
    }
    return seen;
  }
}
