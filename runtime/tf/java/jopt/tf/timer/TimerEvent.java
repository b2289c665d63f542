// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

/** A timing point begins or ends. */
public final class TimerEvent {
  /** Which of both. */
  public enum TimerEventType {
    /** It begins. */
    ENTER,
    /** It ends. */
    EXIT
  }

  private final Timer timer;
  private final TimerEventType type;
  private final long time;

  /**
   * An event that happens now.
   *
   * @param timer the timing point
   * @param type begin or end
   */
  public TimerEvent(Timer timer, TimerEventType type) {
    this(timer, type, System.nanoTime());
  }

  /**
   * An event.
   *
   * @param timer the timing point
   * @param type begin or end
   * @param time when, in nanoseconds of {@link System#nanoTime}
   */
  public TimerEvent(Timer timer, TimerEventType type, long time) {
    this.timer = timer;
    this.type = type;
    this.time = time;
  }

  /**
   * The timing point.
   *
   * @return the timer
   */
  public Timer timer() {
    return timer;
  }

  /**
   * Begin or end.
   *
   * @return the type
   */
  public TimerEventType type() {
    return type;
  }

  /**
   * When it happened.
   *
   * @return nanoseconds of {@link System#nanoTime}
   */
  public long time() {
    return time;
  }

  @Override
  public String toString() {
    return "TimerEvent[" + type + " " + timer.name() + "@" + time / 1000 + "]";
  }
}
