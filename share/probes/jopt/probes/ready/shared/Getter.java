// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready.shared;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * A method without parameters of types that are in no class path of this one. The class of an object
 * is often hidden; what declares its methods for users is not.
 */
public final class Getter {
  private final String name;
  private final String[] packages;
  private final ClassValue<Method> methods =
      new ClassValue<Method>() {
        @Override
        protected Method computeValue(Class<?> type) {
          return find(type);
        }
      };

  /**
   * A method.
   *
   * @param name its name
   * @param packages how the names of the classes begin that declare it for users
   */
  public Getter(String name, String... packages) {
    this.name = name;
    this.packages = packages;
  }

  private Method find(Class<?> type) {
    if (type == null) return null;
    if (Modifier.isPublic(type.getModifiers())) {
      for (String each : packages) {
        if (!type.getName().startsWith(each)) continue;
        try {
          return type.getMethod(name);
        } catch (NoSuchMethodException e) {
          // That of another type.
        }
      }
    }
    Method found = find(type.getSuperclass());
    for (Class<?> each : type.getInterfaces()) {
      if (found == null) found = find(each);
    }
    return found;
  }

  /**
   * Calls it.
   *
   * @param object the object; may be null
   * @return what it returns; null if there is no such method, or it refuses
   */
  public Object get(Object object) {
    if (object == null) return null;
    try {
      Method method = methods.get(object.getClass());
      return method == null ? null : method.invoke(object);
    } catch (Throwable refused) {
      return null;
    }
  }

  /**
   * Calls it.
   *
   * @param object the object; may be null
   * @return what it returns, as text
   */
  public String text(Object object) {
    Object value = get(object);
    return value == null ? null : value.toString();
  }
}
