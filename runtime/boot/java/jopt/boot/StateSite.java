// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Yields the object of a probe for its host. */
final class StateSite extends Site {
  private final String key, stateType;

  StateSite(MethodType type, Class<?> host, String key, String stateType) {
    super(type, host);
    this.key = key;
    this.stateType = stateType;
  }

  @Override
  MethodHandle bind() {
    Cell cell = Store.of(host).cell(key);
    Class<?> result = type().returnType();
    Object value = cell.get(host, result == Object.class ? null : result, stateType);
    return cell.isDone() ? MethodHandles.constant(result, value) : null;
  }

  @Override
  void close() {
    super.close();
    Store.of(host).forget(key);
  }

  @Override
  String owner() {
    // Keys begin with the class of the probe.
    return key.substring(0, key.lastIndexOf('.'));
  }

  @Override
  String name() {
    return stateType;
  }
}
