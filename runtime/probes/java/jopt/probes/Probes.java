// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.ProbeControl;

/**
 * Puts probe classes into the running program and takes them out. It takes the agent: without it,
 * only what was woven beforehand has probes, which is said on standard error.
 *
 * <p>A class that holds probe classes stands for all of them. Classes that are wrong are named on
 * standard error; nothing is thrown.
 */
public final class Probes {
  /** What registered probes do. */
  public enum Mode {
    /** Their callbacks are called. */
    ON,
    /** Their callbacks are not called. */
    OFF,
    /** Their callbacks are called while the processor time of the program is measured. */
    AUTO
  }

  private Probes() {}

  /**
   * Puts probes into all classes that they match, loaded or not.
   *
   * @param classes probe classes, or classes that hold some
   */
  public static void registerProbes(Class<?>... classes) {
    ProbeControl.register(ProbeControl.names(classes), classes);
  }

  /**
   * Puts probes into all classes that they match, loaded or not.
   *
   * @param names the binary names of probe classes, or of classes that hold some
   */
  public static void registerProbes(String... names) {
    ProbeControl.register(names, null);
  }

  /**
   * Takes probes out again; classes have their code of before. Those that are not registered are
   * left alone.
   *
   * @param classes probe classes, or classes that hold some
   */
  public static void unregisterProbes(Class<?>... classes) {
    ProbeControl.unregister(ProbeControl.names(classes));
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
    ProbeControl.setMode(mode.ordinal(), ProbeControl.names(classes));
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
