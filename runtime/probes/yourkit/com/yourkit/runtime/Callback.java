// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package com.yourkit.runtime;

import com.yourkit.probes.builtin.Messages;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Reaches what probe classes cannot be compiled against: fields and methods by their names, however
 * they are protected.
 */
public final class Callback {
  private Callback() {}

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Field f : c.getDeclaredFields()) {
        if (f.getName().equals(name)) {
          f.setAccessible(true);
          return f;
        }
      }
    }
    throw new NoSuchFieldException(type.getName() + "." + name);
  }

  /**
   * The value of a field.
   *
   * @param object whose field
   * @param name the field's name
   * @param type what the value is; of another type it is null
   * @param <T> what the value is
   * @return the value
   * @throws Exception if there is no such field, or the JVM refuses it
   */
  public static <T> T getFieldObjectValue(Object object, String name, Class<T> type)
      throws Exception {
    Object value = field(object.getClass(), name).get(object);
    return type.isInstance(value) ? type.cast(value) : null;
  }

  /**
   * The value of a field of type {@code long}.
   *
   * @param type the class that declares the field, or one that extends it
   * @param object whose field; null for a static one
   * @param name the field's name
   * @return the value
   * @throws Exception if there is no such field, or the JVM refuses it
   */
  public static long getFieldLongValue(Class<?> type, Object object, String name)
      throws Exception {
    return field(type, name).getLong(object);
  }

  private static void describe(Class<?> type, StringBuilder text) {
    if (type == void.class) {
      text.append('V');
    } else if (type.isPrimitive()) {
      String name = java.lang.reflect.Array.newInstance(type, 0).getClass().getName();
      text.append(name.charAt(1));
    } else if (type.isArray()) {
      text.append(type.getName().replace('.', '/'));
    } else {
      text.append('L').append(type.getName().replace('.', '/')).append(';');
    }
  }

  private static String descriptor(Method method) {
    StringBuilder text = new StringBuilder("(");
    for (Class<?> type : method.getParameterTypes()) describe(type, text);
    describe(method.getReturnType(), text.append(')'));
    return text.toString();
  }

  private static Object call(
      Class<?> type, Object object, String name, String descriptor, Object... arguments)
      throws Exception {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Method m : c.getDeclaredMethods()) {
        if (m.getName().equals(name) && descriptor(m).equals(descriptor)) {
          m.setAccessible(true);
          return m.invoke(object, arguments);
        }
      }
    }
    throw new NoSuchMethodException(type.getName() + "." + name + descriptor);
  }

  /**
   * Calls a method without parameters.
   *
   * @param type the class that declares the method, or one that extends it
   * @param object whose method; null for a static one
   * @param name the method's name
   * @param descriptor the method's descriptor
   * @return what it returns; null if that is nothing
   * @throws Exception if there is no such method, the JVM refuses it, or it throws
   */
  public static Object callObjectMethod0(
      Class<?> type, Object object, String name, String descriptor) throws Exception {
    return call(type, object, name, descriptor);
  }

  /**
   * Calls a method with one parameter.
   *
   * @param type the class that declares the method, or one that extends it
   * @param object whose method; null for a static one
   * @param name the method's name
   * @param descriptor the method's descriptor
   * @param argument what it is given
   * @return what it returns; null if that is nothing
   * @throws Exception if there is no such method, the JVM refuses it, or it throws
   */
  public static Object callObjectMethod1(
      Class<?> type, Object object, String name, String descriptor, Object argument)
      throws Exception {
    return call(type, object, name, descriptor, argument);
  }

  /**
   * The number of a process.
   *
   * @param handle what the JDK's class of processes has for it
   * @return {@code handle}, where that is the number
   * @throws Exception if it is none
   */
  public static int getProcessID(long handle) throws Exception {
    if (handle != (int) handle) throw new IllegalArgumentException("no process: " + handle);
    return (int) handle;
  }

  /**
   * Tells whoever runs the program something, on standard error.
   *
   * @param text what
   */
  public static void messageToLogFile(String text) {
    System.err.println("jopt: " + text);
  }

  /**
   * Adds a row to the table of messages.
   *
   * @param category what it is about
   * @param message the message
   * @param detail more of it; may be null
   */
  public static void messageToTable(String category, String message, String detail) {
    Messages.message(category, message, detail);
  }

  /**
   * An exception with its stack trace, as text.
   *
   * @param exception the exception; may be null
   * @return the text; empty without an exception
   */
  public static String getExceptionStackTrace(Throwable exception) {
    if (exception == null) return "";
    StringWriter text = new StringWriter();
    exception.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  /**
   * A command line as text.
   *
   * @param command its parts; may be null
   * @return the parts, parted by blanks
   */
  public static String getCommandLineSpaceSeparated(String[] command) {
    return command == null ? "" : String.join(" ", command);
  }
}
