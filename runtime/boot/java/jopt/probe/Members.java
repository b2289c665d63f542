// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/** Fields and methods of objects by their names, for expressions. */
final class Members {
  /** There is no such thing. */
  static final Object NONE = new Object();

  /** A class whose static members are meant. */
  static final class Static {
    final Class<?> type;

    Static(Class<?> type) {
      this.type = type;
    }
  }

  private Members() {}

  /** For messages. */
  static String typeOf(Object value) {
    return value == null ? "null" : value instanceof Static ? ((Static) value).type.getName() : value.getClass().getName();
  }

  /** The class of that full name, or of java.lang; null if there is none. It is not initialised. */
  static Class<?> findClass(String name, ClassLoader loader) {
    for (String full : new String[] {name, "java.lang." + name}) {
      if (full == name && name.indexOf('.') < 0 && !Character.isUpperCase(name.charAt(0))) continue;
      try {
        return Class.forName(full, false, loader);
      } catch (ClassNotFoundException | LinkageError e) {
        if (name.indexOf('.') >= 0) return null;
      }
    }
    return null;
  }

  /** A class, or one that it extends or implements, has that name, with its package or without. */
  static boolean isOf(Class<?> type, String name) {
    for (Class<?> c : ancestors(type)) {
      String full = c.getName();
      if (full.equals(name) || full.replace('$', '.').equals(name)) return true;
      if (full.endsWith(name) && ".$".indexOf(full.charAt(full.length() - name.length() - 1)) >= 0) return true;
    }
    return false;
  }

  /** A field by its name, whoever may see it. It knows where it found the last one. For any number of threads. */
  static final class FieldOf {
    private final String name;
    private volatile Found last;

    private static final class Found {
      private final Class<?> type;
      private final Field field; // null: there is none

      Found(Class<?> type, Field field) {
        this.type = type;
        this.field = field;
      }
    }

    FieldOf(String name) {
      this.name = name;
    }

    /** Its value, boxed; {@link #NONE} if there is no such field. */
    Object in(Object of) {
      Class<?> type = of instanceof Static ? ((Static) of).type : of.getClass();
      Found found = last;
      if (found == null || found.type != type) last = found = new Found(type, find(type));
      Field f = found.field;
      if (f == null || of instanceof Static && !Modifier.isStatic(f.getModifiers())) return NONE;
      try {
        return f.get(of);
      } catch (IllegalAccessException e) {
        throw new Expression.Wrong("the field '" + name + "' of " + f.getDeclaringClass().getName() + " is closed to others");
      }
    }

    private Field find(Class<?> type) {
      for (Class<?> c : ancestors(type)) {
        try {
          Field f = c.getDeclaredField(name);
          try {
            Expanded.open(f);
          } catch (RuntimeException e) {
            // Its module is closed, which its value is asked for in vain.
          }
          return f;
        } catch (NoSuchFieldException | LinkageError e) {
          // Perhaps one above has it.
        }
      }
      return null;
    }
  }

  private static Set<Class<?>> ancestors(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    Deque<Class<?>> next = new ArrayDeque<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      all.add(c);
      next.add(c);
    }
    while (!next.isEmpty()) {
      for (Class<?> i : next.remove().getInterfaces()) if (all.add(i)) next.add(i);
    }
    all.add(Object.class);
    return all;
  }

  /** Calls a method. Throws what it throws. */
  static Object call(Object of, String name, Object[] arguments) {
    boolean isStatic = of instanceof Static;
    Class<?> type = isStatic ? ((Static) of).type : of.getClass();
    boolean isThere = false;
    Method best = null;
    for (Class<?> c : ancestors(type)) {
      Method[] all;
      try {
        all = c.getDeclaredMethods();
      } catch (LinkageError e) {
        continue;
      }
      for (Method m : all) {
        if (!m.getName().equals(name) || isStatic && !Modifier.isStatic(m.getModifiers())) continue;
        if (m.getParameterCount() != arguments.length || !fits(m.getParameterTypes(), arguments)) continue;
        isThere = true;
        if (!isOpen(m)) continue;
        if (best == null || best.getDeclaringClass() == c && isCloser(m, best, arguments)) best = m;
      }
      if (best != null) break;
    }
    if (best == null)
      throw new Expression.Wrong(
          isThere
              ? "the method '" + name + "' of " + type.getName() + " is closed to others"
              : type.getName() + " has no method '" + name + "' for such arguments");
    Class<?>[] types = best.getParameterTypes();
    Object[] given = new Object[arguments.length];
    for (int i = 0; i < given.length; i++) given[i] = widened(arguments[i], types[i]);
    try {
      return best.invoke(Modifier.isStatic(best.getModifiers()) ? null : of, given);
    } catch (InvocationTargetException e) {
      throw Members.<RuntimeException>sneaky(e.getCause());
    } catch (IllegalAccessException e) {
      throw new Expression.Wrong("the method '" + name + "' of " + type.getName() + " is closed to others");
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T sneaky(Throwable e) throws T {
    throw (T) e;
  }

  private static boolean isOpen(Method m) {
    try {
      Expanded.open(m);
      return true;
    } catch (RuntimeException e) { // InaccessibleObjectException, of Java 9
      return Modifier.isPublic(m.getModifiers()) && Modifier.isPublic(m.getDeclaringClass().getModifiers())
          && isExported(m.getDeclaringClass());
    }
  }

  private static boolean isExported(Class<?> c) {
    return c.getName().startsWith("java.") || c.getName().startsWith("javax.");
  }

  /** The types of one are those of the other or more special: for f(int) before f(long), f(Object). */
  private static boolean isCloser(Method m, Method than, Object[] arguments) {
    Class<?>[] own = m.getParameterTypes(), other = than.getParameterTypes();
    for (int i = 0; i < own.length; i++) {
      if (own[i] == other[i]) continue;
      if (own[i].isPrimitive() && (!other[i].isPrimitive() || rank(own[i]) < rank(other[i]))) continue;
      if (!own[i].isPrimitive() && other[i].isAssignableFrom(own[i])) continue;
      return false;
    }
    // A bridge has the same types, and another result.
    return !java.util.Arrays.equals(own, other) || than.isBridge();
  }

  private static boolean fits(Class<?>[] types, Object[] arguments) {
    for (int i = 0; i < types.length; i++) {
      Object a = arguments[i];
      if (!types[i].isPrimitive()) {
        if (a != null && !types[i].isInstance(a)) return false;
      } else if (types[i] == boolean.class) {
        if (!(a instanceof Boolean)) return false;
      } else if (types[i] == char.class) {
        if (!(a instanceof Character)) return false;
      } else if (a instanceof Character) {
        if (rank(types[i]) < rank(int.class)) return false;
      } else if (!Numbers.isPlain(a) || rank(types[i]) < rank(a)) {
        return false;
      }
    }
    return true;
  }

  private static int rank(Class<?> type) {
    return type == byte.class ? 0 : type == short.class ? 1 : type == int.class ? 2 : type == long.class ? 3 : type == float.class ? 4 : 5;
  }

  private static int rank(Object number) {
    return number instanceof Byte ? 0 : number instanceof Short ? 1 : number instanceof Integer ? 2 : number instanceof Long ? 3 : number instanceof Float ? 4 : 5;
  }

  private static Object widened(Object value, Class<?> type) {
    if (!type.isPrimitive() || value instanceof Boolean || type == char.class) return value;
    Number n = value instanceof Character ? (Number) (int) (Character) value : (Number) value;
    return type == byte.class ? (Object) n.byteValue()
        : type == short.class ? (Object) n.shortValue()
        : type == int.class ? (Object) n.intValue()
        : type == long.class ? (Object) n.longValue()
        : type == float.class ? (Object) n.floatValue()
        : (Object) n.doubleValue();
  }
}
