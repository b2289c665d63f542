// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes factories, whose names are unique. */
public final class TimerFactoryBuilder {
  private TimerFactoryBuilder() {}

  private static final Map<String, TimerFactory> FACTORIES =
      new LinkedHashMap<>();

  /**
   * The name of the timer of a method.
   *
   * @param className the simple name of its class
   * @param methodName the name of the timing point
   * @return both, joined
   */
  public static String getTimerName(String className, String methodName) {
    return className + "__" + methodName;
  }

  /**
   * Makes a factory.
   *
   * @param name its name, not that of another factory
   * @param description a text for people
   * @return the factory
   * @throws IllegalArgumentException if the name is in use
   */
  public static TimerFactory make(String name, String description) {
    return make(ObjectRegistrationManager.NONE, name, description);
  }

  /**
   * Makes a factory.
   *
   * @param manager gets every object that the factory makes
   * @param name its name, not that of another factory
   * @param description a text for people
   * @return the factory
   * @throws IllegalArgumentException if the name is in use
   */
  public static synchronized TimerFactory make(
      ObjectRegistrationManager manager, String name, String description) {
    if (FACTORIES.containsKey(name)) {
      throw new IllegalArgumentException(
          "There is currently a TimerFactory named " + name);
    }
    TimerFactory factory = new TimerFactory(manager, name, description);
    FACTORIES.put(name, factory);
    return factory;
  }

  /**
   * Forgets a factory: its name is free again.
   *
   * @param factory the factory
   */
  public static synchronized void destroy(TimerFactory factory) {
    if (FACTORIES.remove(factory.name(), factory)) {
      factory.unmanageAll();
    }
  }

  /**
   * The factories there are.
   *
   * @return a copy, in the order of making
   */
  public static synchronized List<TimerFactory> contents() {
    return new ArrayList<>(FACTORIES.values());
  }
}
