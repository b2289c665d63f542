// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tests;

import java.util.function.Function;

/**
 * Where tests begin and end, for whatever runs them. Without covered classes nothing is done. Never
 * throws; from any thread.
 */
public final class Tests {
  private static volatile Function<Object[], Object> recorder;

  private Tests() {}

  /**
   * A test begins.
   *
   * @param test its name, as {@code p.ATest#method[1]}; of tests of one name what they reached is added up
   */
  public static void begin(String test) {
    next(null, test, false);
  }

  /**
   * A test ends.
   *
   * @param test the same name
   */
  public static void end(String test) {
    next(test, null, false);
  }

  /** One ends and another begins; {@code isAround}: that is what goes on around the tests of a class. */
  static void next(String ended, String begun, boolean isAround) {
    if (ended != null || begun != null) say("next", ended, begun, isAround);
  }

  /** Tests will begin, so probes are not to leave. */
  static void expect() {
    say("expect");
  }

  private static void say(Object... what) {
    try {
      Function<Object[], Object> known = recorder;
      if (known == null) recorder = known = find();
      if (known != null) known.apply(what);
    } catch (Throwable e) {
      // Tests go on.
    }
  }

  /** What covered classes record with; null if there is nothing, or nothing yet. */
  @SuppressWarnings("unchecked")
  private static Function<Object[], Object> find() throws ReflectiveOperationException {
    ClassLoader[] loaders = {
      null, // that of the agent
      Tests.class.getClassLoader(),
      Thread.currentThread().getContextClassLoader(),
      ClassLoader.getSystemClassLoader(),
    };
    for (ClassLoader loader : loaders)
      try {
        Class<?> found = Class.forName("jopt.boot.coverage.Tests", true, loader);
        return (Function<Object[], Object>) found.getDeclaredConstructor().newInstance();
      } catch (ClassNotFoundException e) {
        // The next one.
      }
    return null;
  }
}
