// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

/**
 * A monitor that wants neither arguments nor results. Code that knows of it
 * passes none, and so makes no array and boxes nothing.
 */
public interface LeanMethodMonitor extends MethodMonitor {
  /**
   * A method begins.
   *
   * @param ident the method
   */
  void enter(int ident);

  /**
   * A monitored method called an info method.
   *
   * @param callerIdent the monitored method
   * @param selfIdent the info method
   */
  void info(int callerIdent, int selfIdent);

  /**
   * A method ends, with or without result, normally or by an exception.
   *
   * @param ident the method
   */
  @Override
  void exit(int ident);

  @Override
  default boolean isLean() {
    return true;
  }

  @Override
  default void enter(int ident, Object... args) {
    enter(ident);
  }

  @Override
  default void info(Object[] args, int callerIdent, int selfIdent) {
    info(callerIdent, selfIdent);
  }

  @Override
  default void exit(int ident, Object result) {
    exit(ident);
  }
}
