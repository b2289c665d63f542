// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

/**
 * An array of JaCoCo's agent, which reads it too: its elements come back after they were forgotten. The class has
 * no probes of jopt's, so none leave.
 */
final class AdoptedArray extends CoveredArray {
  private final boolean[] forgotten;

  AdoptedArray(Class<?> host, String strategy, long id, boolean[] array, Object[] rules) {
    super(host, System.identityHashCode(host), strategy, array, id, array.length, rules);
    forgotten = new boolean[array.length];
  }

  @Override
  boolean[] take() {
    boolean[] taken = super.take();
    for (int i = 0; i < length; i++) forgotten[i] |= taken[i];
    return taken;
  }

  /** Puts back what was forgotten. */
  void restore() {
    boolean[] elements = elements();
    for (int i = 0; i < length; i++) elements[i] |= forgotten[i];
  }
}
