// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

/** Prints events to {@link System#out}. */
public final class TracingEventHandler extends Named
    implements TimerEventHandler {
  TracingEventHandler(TimerFactory factory, String name) {
    super(factory, name);
  }

  @Override
  public void notify(TimerEvent event) {
    System.out.println(Thread.currentThread().getName() + " TRACE " + event);
  }
}
