// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Calls a method of a probe that its host does not see, or says whether there is one. */
final class ProbeSite extends Site {
  private final boolean asks;
  private final String owner, name, descriptor;

  ProbeSite(
      MethodType type, Class<?> host, boolean asks, String owner, String name, String descriptor) {
    super(type, host);
    this.asks = asks;
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
  }

  @Override
  MethodHandle bind() throws ReflectiveOperationException {
    MethodHandle method = Hosts.method(host, owner, name, descriptor);
    if (method == null) return null;
    return asks ? MethodHandles.constant(boolean.class, true) : method.asType(type());
  }

  @Override
  String owner() {
    return owner;
  }

  @Override
  boolean asks() {
    return asks;
  }

  @Override
  String name() {
    return owner + "." + name;
  }
}
