// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Lets only so many events through: some a second, some in all, or one of so many. */
public final class RateLimit {
  private static final long SECOND = 1_000_000_000L;

  private final long most, span;
  private final AtomicLong state = new AtomicLong();
  private final LongAdder refused = new LongAdder();
  private final long start = System.nanoTime();

  private RateLimit(long most, long span) {
    this.most = most;
    this.span = span;
  }

  /**
   * So many in each second.
   *
   * @param most how many
   * @return a limit
   */
  public static RateLimit perSecond(int most) {
    return new RateLimit(most, SECOND);
  }

  /**
   * So many in all.
   *
   * @param most how many
   * @return a limit
   */
  public static RateLimit first(long most) {
    return new RateLimit(most, 0);
  }

  /**
   * The first of each so many.
   *
   * @param of how many
   * @return a limit
   */
  public static RateLimit oneOf(int of) {
    return new RateLimit(of, -1);
  }

  /**
   * Does one more go through?
   *
   * @return false: leave it out; it is counted
   */
  public boolean take() {
    boolean goes = span < 0 ? state.getAndIncrement() % most == 0 : span == 0 ? takeFirst() : takeInSecond();
    if (!goes) refused.increment();
    return goes;
  }

  /**
   * Begins anew, as if none had gone through. For {@code onAttach}: probes of classes of the JDK that come
   * again have their fields of before.
   */
  public void again() {
    state.set(0);
    refused.reset();
  }

  private boolean takeFirst() {
    // Once all are taken nobody writes any more.
    return state.get() < most && state.getAndIncrement() < most;
  }

  private boolean takeInSecond() {
    return takeIn((System.nanoTime() - start) / span);
  }

  /**
   * The upper half of the state is the second, the lower how many went through in it. Who comes late,
   * after others have begun a later second, is counted in that one.
   */
  boolean takeIn(long second) {
    while (true) {
      long was = state.get();
      int then = (int) (was >>> 32), in = (int) second - then > 0 ? (int) second : then;
      long taken = in == then ? was & 0xffffffffL : 0;
      if (taken >= most) return false;
      if (state.compareAndSet(was, (long) in << 32 | taken + 1)) return true;
    }
  }

  /**
   * How many did not go through.
   *
   * @return their number so far
   */
  public long refused() {
    return refused.sum();
  }
}
