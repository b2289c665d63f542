// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

/** The monitor that does nothing. */
final class NoOp extends MethodMonitorBase implements LeanMethodMonitor {
  NoOp(Class<?> cls, MethodMonitorFactory factory) {
    super("NoOp", cls, factory);
  }

  @Override
  public void enter(int ident) {}

  @Override
  public void info(int callerIdent, int selfIdent) {}

  @Override
  public void exit(int ident) {}

  @Override
  public void exception(int ident, Throwable thrown) {}

  @Override
  public void clear() {}
}
