// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.Collection;

/**
 * Is told what the monitored methods of one class do. Methods and info methods
 * are named by identifiers, which {@link MethodMonitorRegistry#getMethodName}
 * turns into names. All methods may be called by many threads at once.
 *
 * <p>A monitored method reads its monitor once, at its beginning; so the calls
 * of one activation all reach the same monitor, whatever the registry does
 * meanwhile. What a monitor throws is thrown by the monitored method.
 *
 * @see LeanMethodMonitor
 */
public interface MethodMonitor {
  /**
   * The class whose methods are monitored.
   *
   * @return the class
   */
  Class<?> myClass();

  /**
   * A method begins.
   *
   * @param ident the method
   * @param args its arguments, without {@code this}
   */
  void enter(int ident, Object... args);

  /**
   * A monitored method called an info method.
   *
   * @param args the arguments of the info method
   * @param callerIdent the monitored method
   * @param selfIdent the info method
   */
  void info(Object[] args, int callerIdent, int selfIdent);

  /**
   * A method without result ends, normally or by an exception.
   *
   * @param ident the method
   */
  void exit(int ident);

  /**
   * A method with a result ends.
   *
   * @param ident the method
   * @param result its result; if it ends by an exception, null
   */
  void exit(int ident, Object result);

  /**
   * A method executes a {@code throw}. It may catch the exception itself. An
   * exit follows when the method ends.
   *
   * @param ident the method
   * @param thrown what is thrown
   */
  void exception(int ident, Throwable thrown);

  /**
   * Whether the monitor wants neither arguments nor results; then null may be
   * passed for all of them.
   *
   * @return whether it does not
   * @see LeanMethodMonitor
   */
  default boolean isLean() {
    return false;
  }

  /** Forgets what the monitor gathered. */
  void clear();

  /**
   * The monitors that this one is composed of.
   *
   * @return the parts; of a simple monitor itself
   */
  Collection<MethodMonitor> contents();

  /**
   * What made this monitor.
   *
   * @return the factory
   */
  MethodMonitorFactory factory();

  /**
   * A name for people.
   *
   * @return the name
   */
  String name();
}
