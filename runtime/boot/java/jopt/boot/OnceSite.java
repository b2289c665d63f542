// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** Calls the method of a fragment, if no site of its host has done so. */
final class OnceSite extends Site {
  private static final MethodHandle RUN = own(OnceSite.class, "run", void.class, Object[].class);

  private final Cell cell;
  private volatile MethodHandle method;

  OnceSite(MethodType type, Class<?> host, String text, Request request, String name) {
    super(type, host, request, name, text);
    this.cell = Store.of(host).cell(text);
  }

  @Override
  MethodHandle bind() throws Throwable {
    if (cell.isDone()) return empty(type());
    // Where it fails that is for this site alone: a thread with another context loader may come to
    // the next one first.
    method = Hosts.method(host, request.owner, name, request.descriptor);
    if (method == null) return null;
    return RUN.bindTo(this)
        .asCollector(Object[].class, type().parameterCount())
        .asType(type());
  }

  void run(Object[] arguments) throws Throwable {
    cell.run(method, arguments);
    if (cell.isDone()) setTarget(empty(type()));
  }
}
