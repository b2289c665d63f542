// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Calls a method of a probe that its host does not see, or says whether there is one. */
final class ProbeSite extends Site {
  ProbeSite(MethodType type, Class<?> host, Request request, String name) {
    super(type, host, request, name, null);
  }

  @Override
  MethodHandle bind() throws ReflectiveOperationException {
    MethodHandle method = Hosts.method(host, request.owner, name, request.descriptor);
    if (method == null) return null;
    return asks() ? MethodHandles.constant(boolean.class, true) : method.asType(type());
  }

  @Override
  boolean asks() {
    return request.what.equals("found");
  }

  @Override
  boolean isSwitch() {
    return true;
  }
}
