// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

/** A measured value, and the name under which it is printed. */
public abstract class Metric {
  private final String name;

  /** The probes that used it are gone. Probe classes that come again may still have it. */
  volatile boolean isRetired;

  Metric(String name) {
    this.name = name;
  }

  /**
   * Its name.
   *
   * @return as it was given
   */
  public final String name() {
    return name;
  }

  /** Tells {@code to} what there is, under {@code key}, which may be null. */
  abstract void tell(String key, Samples to);

  /** Begins anew: at `off`. */
  abstract void reset();

  /** How large it is among others of its kind. */
  abstract long size();
}
