// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

/** Is told of events. */
public interface TimerEventHandler {
  /**
   * The name.
   *
   * @return the name
   */
  String name();

  /**
   * An event of an active timer, on the thread on which it happened.
   *
   * @param event the event
   */
  void notify(TimerEvent event);
}
