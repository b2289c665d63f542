// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.Collections;
import java.util.Set;

/** A timing point. */
public final class Timer extends Controllable {
  private volatile boolean activated;

  Timer(int id, TimerFactory factory, String name, String description) {
    super(id, factory, name, description);
  }

  @Override
  public Set<Controllable> contents() {
    return Collections.emptySet();
  }

  /**
   * Whether events of this timer are passed on: it or a group that it is in is
   * switched on.
   *
   * @return true if they are
   */
  public boolean isActivated() {
    return activated;
  }

  void setActivated(boolean value) {
    activated = value;
  }
}
