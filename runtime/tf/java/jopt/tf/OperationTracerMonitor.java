// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

/** Tells {@link OperationTracer} of entries and exits. */
final class OperationTracerMonitor extends MethodMonitorBase {
  OperationTracerMonitor(Class<?> cls, MethodMonitorFactory factory) {
    super("OperationTracer", cls, factory);
  }

  @Override
  public void enter(int ident, Object... args) {
    OperationTracer.enter(
        MethodMonitorRegistry.getMethodName(myClass(), ident), args);
  }

  @Override
  public void info(Object[] args, int callerIdent, int selfIdent) {}

  @Override
  public void exit(int ident) {
    OperationTracer.exit();
  }

  @Override
  public void exit(int ident, Object result) {
    OperationTracer.exit();
  }

  @Override
  public void exception(int ident, Throwable thrown) {}

  @Override
  public void clear() {
    OperationTracer.clear();
  }
}
