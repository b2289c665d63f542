// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

/** What registries of the tracing facility tell the agent, which binds this. */
final class Monitors {
  private Monitors() {}

  /** Returns when the code of the traced classes fits their monitors. */
  static native void changed(Class<?> registry, Class<?> traced);
}
