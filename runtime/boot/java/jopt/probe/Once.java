// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.ref.WeakReference;

/** Knows what a thread saw last: an exception that goes through many methods is one. */
public final class Once {
  private final PerThread<Object[]> last = PerThread.of(() -> new Object[1]);

  /** One that has seen nothing. */
  public Once() {}

  /**
   * Is it another object than the last that this thread asked about? It is not kept alive. A value
   * object always is another.
   *
   * @param seen not null
   * @return false: it was just there
   */
  public boolean isNew(Object seen) {
    Object[] of = last.get();
    if (of[0] instanceof WeakReference && ((WeakReference<?>) of[0]).get() == seen) return false;
    try {
      of[0] = new WeakReference<>(seen);
    } catch (RuntimeException e) { // IdentityException, since Java 28
      of[0] = null;
    }
    return true;
  }
}
