// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.LinkedHashSet;
import java.util.Set;

/** A set of timers and groups. Groups may contain each other. */
public class TimerGroup extends Controllable {
  /** Guarded by the factory. */
  private final Set<Controllable> contents = new LinkedHashSet<>();

  TimerGroup(int id, TimerFactory factory, String name, String description) {
    super(id, factory, name, description);
  }

  @Override
  public final Set<Controllable> contents() {
    synchronized (factory()) {
      return new LinkedHashSet<>(contents);
    }
  }

  /**
   * Puts something into the group.
   *
   * @param member a timer or group of the same factory
   * @return true if it was not in it
   * @throws IllegalArgumentException if it is of another factory
   */
  public final boolean add(Controllable member) {
    if (member.factory() != factory()) {
      throw new IllegalArgumentException(
          member + " is not of the factory of " + this);
    }
    synchronized (factory()) {
      boolean added = contents.add(member);
      factory().updateActivation();
      return added;
    }
  }

  /**
   * Takes something out of the group.
   *
   * @param member a timer or group
   * @return true if it was in it
   */
  public final boolean remove(Controllable member) {
    synchronized (factory()) {
      boolean removed = contents.remove(member);
      factory().updateActivation();
      return removed;
    }
  }

  /** Under the lock of the factory. */
  final Set<Controllable> members() {
    return contents;
  }
}
