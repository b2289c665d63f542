// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.Collection;

/** Makes the monitors of classes. What is registered is a factory. */
public interface MethodMonitorFactory {
  /**
   * Makes a monitor. Any thread may call this, none holds a lock of the
   * registry; of two monitors made at once for one class the registry uses one.
   *
   * @param cls the class whose methods are to be monitored
   * @return the monitor; null for none
   */
  MethodMonitor create(Class<?> cls);

  /**
   * The factories that this one is composed of.
   *
   * @return the parts; of a simple factory itself
   */
  Collection<MethodMonitorFactory> contents();

  /**
   * A name for people.
   *
   * @return the name
   */
  String name();
}
