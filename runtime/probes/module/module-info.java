// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What probe classes are written with: annotations, tables, registries. The packages {@code
 * jopt.probes} and {@code com.yourkit.probes} have the same types.
 */
module jopt.probes {
  // Under the agent, the boot loader has the classes of that module.
  requires static jopt.runtime;

  exports com.yourkit.probes;
  exports com.yourkit.probes.builtin;
  exports com.yourkit.runtime;
  exports jopt.probes;
}
