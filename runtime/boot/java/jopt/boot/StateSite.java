// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Yields the object of a probe for its host. */
final class StateSite extends Site {
  private final String text;

  StateSite(MethodType type, Class<?> host, String text, Request request) {
    super(type, host, request, "state", text);
    this.text = text;
  }

  @Override
  MethodHandle bind() {
    Cell cell = Store.of(host).cell(text);
    Class<?> result = type().returnType();
    Object value = cell.get(host, result == Object.class ? null : result);
    return cell.isDone() ? MethodHandles.constant(result, value) : null;
  }

  @Override
  String owner() {
    // That of the object may be of others.
    return request.key.substring(0, Math.max(0, request.key.lastIndexOf('.')));
  }

  @Override
  String name() {
    return request.owner;
  }
}
