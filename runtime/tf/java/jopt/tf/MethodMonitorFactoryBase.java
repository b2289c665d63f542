// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.Collection;
import java.util.Collections;

/** What most factories have in common. */
public abstract class MethodMonitorFactoryBase implements MethodMonitorFactory {
  private final String name;
  private final Collection<MethodMonitorFactory> contents;

  /**
   * Makes a simple factory.
   *
   * @param name its name
   */
  protected MethodMonitorFactoryBase(String name) {
    this(name, null);
  }

  MethodMonitorFactoryBase(
      String name, Collection<MethodMonitorFactory> contents) {
    this.name = name;
    this.contents =
        contents == null
            ? Collections.<MethodMonitorFactory>singleton(this)
            : Collections.unmodifiableCollection(contents);
  }

  @Override
  public final Collection<MethodMonitorFactory> contents() {
    return contents;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public String toString() {
    return "Factory[" + name + "]";
  }
}
