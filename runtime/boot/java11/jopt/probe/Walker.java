// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.function.IntFunction;

/** The frames of this thread. It makes no more of them than the caller wants. */
final class Walker implements IntFunction<StackTraceElement[]> {
  private static final StackWalker WALKER = StackWalker.getInstance();

  Walker() {}

  @Override
  public StackTraceElement[] apply(int most) {
    return WALKER.walk(
        frames ->
            frames
                .limit(most)
                .map(StackWalker.StackFrame::toStackTraceElement)
                .toArray(StackTraceElement[]::new));
  }
}
