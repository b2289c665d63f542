// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.Set;

/** A timer or a group of them: what can be switched on and off. */
public abstract class Controllable extends Named {
  private final int id;
  private final String description;
  /** Written under the lock of the factory. */
  private volatile boolean enabled;

  Controllable(int id, TimerFactory factory, String name, String description) {
    super(factory, name);
    this.id = id;
    this.description = description;
  }

  /**
   * A number that is this one's alone in its factory, counted from 0 in the
   * order in which they were made.
   *
   * @return the number
   */
  public final int id() {
    return id;
  }

  /**
   * A text for people.
   *
   * @return the description
   */
  public final String description() {
    return description;
  }

  /**
   * The timers and groups directly in it.
   *
   * @return the contents, a copy; empty for a timer
   */
  public abstract Set<Controllable> contents();

  /**
   * Switches this on. A timer is active if it is switched on itself, or a group
   * that it is in, however deep.
   */
  public final void enable() {
    factory().enable(this, true);
  }

  /** Switches this off; what is in it may still be on by itself. */
  public final void disable() {
    factory().enable(this, false);
  }

  /**
   * Whether this itself is switched on.
   *
   * @return true if it is
   */
  public final boolean isEnabled() {
    return enabled;
  }

  final void setEnabled(boolean value) {
    enabled = value;
  }
}
