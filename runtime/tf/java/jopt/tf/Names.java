// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import jopt.tf.annotation.InfoMethod;
import jopt.tf.annotation.MethodMonitorGroup;
import jopt.tf.annotation.TracingName;

/** What the annotations of a loaded class say about names. */
final class Names {
  private Names() {}

  /** The TF annotations that the class itself carries, sorted by name. */
  static List<Class<? extends Annotation>> annotations(Class<?> cls) {
    List<Class<? extends Annotation>> found = new ArrayList<>();
    // Inherited ones are not among the declared ones: the enhancer sees the
    // class file, which has no others.
    for (Annotation annotation : cls.getDeclaredAnnotations()) {
      Class<? extends Annotation> type = annotation.annotationType();
      if (type.isAnnotationPresent(MethodMonitorGroup.class)) {
        found.add(type);
      }
    }
    found.sort((a, b) -> a.getName().compareTo(b.getName()));
    return found;
  }

  /** The name of a method for tracing; null if it is not traced. */
  private static String tracingName(
      Method method, Collection<Class<? extends Annotation>> annotations) {
    boolean traced = method.isAnnotationPresent(InfoMethod.class);
    for (Annotation annotation : method.getDeclaredAnnotations()) {
      traced |= annotations.contains(annotation.annotationType());
    }
    if (!traced) {
      return null;
    }
    TracingName name = method.getAnnotation(TracingName.class);
    return name == null || name.value().isEmpty()
        ? method.getName()
        : name.value();
  }

  /** The tracing names of a class, sorted, each once. */
  static List<String> methods(
      Class<?> cls, Collection<Class<? extends Annotation>> annotations) {
    TreeSet<String> names = new TreeSet<>();
    for (Method method : cls.getDeclaredMethods()) {
      String name = tracingName(method, annotations);
      if (name != null) {
        names.add(name);
      }
    }
    return new ArrayList<>(names);
  }

  /**
   * What the class says about the timers of {@code names}: types and timer
   * names are put into the lists, which are as long as {@code names} then.
   */
  static void timers(
      Class<?> cls,
      Collection<Class<? extends Annotation>> annotations,
      List<String> names,
      List<TimingPointType> types,
      List<String> timerNames) {
    types.addAll(Collections.nCopies(names.size(), TimingPointType.NONE));
    timerNames.addAll(names);
    for (Method method : cls.getDeclaredMethods()) {
      String name = tracingName(method, annotations);
      if (name == null) {
        continue;
      }
      InfoMethod info = method.getAnnotation(InfoMethod.class);
      for (int i = 0; i < names.size(); i++) {
        if (!names.get(i).equals(name)) {
          continue;
        }
        types.set(i, info == null ? TimingPointType.BOTH : info.tpType());
        if (info != null && info.tpType() != TimingPointType.NONE) {
          timerNames.set(i, info.tpName());
        }
      }
    }
  }
}
