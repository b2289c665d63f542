// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.Collection;
import java.util.Collections;

/** What most monitors have in common: name, class and factory. */
public abstract class MethodMonitorBase implements MethodMonitor {
  private final String name;
  private final Class<?> cls;
  private final MethodMonitorFactory factory;
  private final Collection<MethodMonitor> contents;

  /**
   * Makes a simple monitor.
   *
   * @param name its name
   * @param cls the class whose methods it monitors
   * @param factory what makes it
   */
  protected MethodMonitorBase(
      String name, Class<?> cls, MethodMonitorFactory factory) {
    this(name, cls, factory, null);
  }

  /**
   * Makes a monitor that may have parts.
   *
   * @param name its name
   * @param cls the class whose methods it monitors
   * @param factory what makes it
   * @param contents its parts, null for itself
   */
  protected MethodMonitorBase(
      String name,
      Class<?> cls,
      MethodMonitorFactory factory,
      Collection<MethodMonitor> contents) {
    this.name = name;
    this.cls = cls;
    this.factory = factory;
    this.contents =
        contents == null
            ? Collections.<MethodMonitor>singleton(this)
            : Collections.unmodifiableCollection(contents);
  }

  @Override
  public final Class<?> myClass() {
    return cls;
  }

  @Override
  public final MethodMonitorFactory factory() {
    return factory;
  }

  @Override
  public final Collection<MethodMonitor> contents() {
    return contents;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public String toString() {
    return "MethodMonitor[" + name + "]";
  }
}
