// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.function.IntFunction;

/** Who called: seen from a fragment or a callback, of which the frames themselves are left out. */
public final class Stacks {
  /** Gives the frames of this thread, no more than so many, the innermost first. */
  private static final IntFunction<StackTraceElement[]> FRAMES = frames();

  /** Of this class, the fragment, and what isolates it. */
  private static final int OURS = 16;

  private Stacks() {}

  @SuppressWarnings("unchecked")
  private static IntFunction<StackTraceElement[]> frames() {
    try {
      return (IntFunction<StackTraceElement[]>)
          Class.forName("jopt.probe.Walker").getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      return most -> new Throwable().getStackTrace();
    }
  }

  /**
   * Who called the method that is probed.
   *
   * @return as {@code a.B.c(B.java:12)}; null if nobody did
   */
  public static String caller() {
    StackTraceElement[] all = FRAMES.apply(OURS);
    int at = method(all) + 1;
    return at < all.length ? all[at].toString() : null;
  }

  /**
   * The method that is probed, and those that called it.
   *
   * @param most no more than so many
   * @return the innermost first
   */
  public static StackTraceElement[] trace(int most) {
    StackTraceElement[] all = FRAMES.apply(OURS + most);
    int from = Math.min(method(all), all.length);
    int n = Math.min(most, all.length - from);
    StackTraceElement[] found = new StackTraceElement[n];
    System.arraycopy(all, from, found, 0, n);
    return found;
  }

  /**
   * The same in the form of which flame graphs are made: names with semicolons between them.
   *
   * @param most no more than so many
   * @return the outermost first, the probed method last
   */
  public static String folded(int most) {
    StackTraceElement[] all = trace(most);
    StringBuilder text = new StringBuilder();
    for (int i = all.length; i-- > 0; ) {
      text.append(all[i].getClassName()).append('.').append(all[i].getMethodName());
      if (i > 0) text.append(';');
    }
    return text.toString();
  }

  /** Where the probed method stands: behind the frames of the class that asks, and of those nested in it. */
  private static int method(StackTraceElement[] all) {
    int i = 0;
    while (i < all.length && isOurs(all[i].getClassName())) i++;
    if (i == all.length) return i;
    String asks = outermost(all[i].getClassName());
    while (i < all.length
        && (outermost(all[i].getClassName()).equals(asks) || isOurs(all[i].getClassName()))) i++;
    return i;
  }

  private static boolean isOurs(String name) {
    return name.startsWith("jopt.probe.") || name.startsWith("jopt.boot.") || name.startsWith("java.lang.invoke.");
  }

  private static String outermost(String name) {
    int nested = name.indexOf('$');
    return nested > 0 ? name.substring(0, nested) : name;
  }
}
