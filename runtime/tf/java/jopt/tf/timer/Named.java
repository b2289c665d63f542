// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

/** Something of a {@link TimerFactory} that has a name. */
public abstract class Named {
  private final TimerFactory factory;
  private final String name;

  /** The factory of a factory is itself: null stands for that. */
  Named(TimerFactory factory, String name) {
    if (name == null) {
      throw new IllegalArgumentException("the name is null");
    }
    this.factory = factory == null ? (TimerFactory) this : factory;
    this.name = name;
  }

  /**
   * What made this.
   *
   * @return the factory; of a factory itself
   */
  public final TimerFactory factory() {
    return factory;
  }

  /**
   * The name.
   *
   * @return the name
   */
  public final String name() {
    return name;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + factory.name() + ":" + name + "]";
  }
}
