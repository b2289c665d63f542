// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.ProbeControl;

/**
 * Puts probe classes into the running program, takes them out, and switches them. It takes the
 * agent: without it, only what was woven off-line has probes, and of that only what is called by
 * call sites can be switched; what cannot be is said on standard error.
 *
 * <p>A class that holds probe classes stands for all of them. Classes that are wrong are named on
 * standard error; nothing is thrown. All may be called by any thread at any time, by callbacks too.
 * They return when it is done; called by a callback or a class loader while the agent is at work
 * on this very thread, it is done after that.
 */
public final class Probes {
  /** What registered probes do. */
  public enum Mode {
    /** Their callbacks are called. */
    ON,
    /** Their callbacks are not called. */
    OFF,
    /** As {@link #OFF}: nothing measures the processor time of the program, with which it is on. */
    AUTO
  }

  private Probes() {}

  /**
   * Puts probes into all classes that they match, loaded or not.
   *
   * @param classes probe classes, or classes that hold some
   */
  public static void registerProbes(Class<?>... classes) {
    ProbeControl.register(classes);
  }

  /**
   * Puts probes into all classes that they match, loaded or not.
   *
   * @param names the binary names of probe classes, or of classes that hold some
   */
  public static void registerProbes(String... names) {
    ProbeControl.register(names);
  }

  /**
   * Takes probes out again; classes have their code of before. Those that are not registered are
   * left alone.
   *
   * @param classes probe classes, or classes that hold some
   */
  public static void unregisterProbes(Class<?>... classes) {
    ProbeControl.unregister(classes);
  }

  /**
   * Takes probes out again; classes have their code of before. Those that are not registered are
   * left alone.
   *
   * @param names the binary names of probe classes, or of classes that hold some
   */
  public static void unregisterProbes(String... names) {
    ProbeControl.unregister(names);
  }

  /**
   * Says what registered probes do.
   *
   * @param mode what
   * @param classes probe classes, or classes that hold some
   */
  public static void setMode(Mode mode, Class<?>... classes) {
    ProbeControl.setMode(mode.ordinal(), classes);
  }

  /**
   * Says what registered probes do.
   *
   * @param mode what
   * @param names the binary names of probe classes, or of classes that hold some
   */
  public static void setMode(Mode mode, String... names) {
    ProbeControl.setMode(mode.ordinal(), names);
  }
}
