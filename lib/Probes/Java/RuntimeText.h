//===- RuntimeText.h - Java that probes of a package share ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts of the class RuntimeClass, each in the source only if a probe needs
/// it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_JAVA_RUNTIMETEXT_H
#define JOPT_LIB_PROBES_JAVA_RUNTIMETEXT_H

#include "llvm/ADT/StringRef.h"

namespace jopt::java {

constexpr llvm::StringLiteral ParamRuntime =
    R"(  /// The value that is given when the program runs, or that which is known.
  static java.lang.String param(java.lang.String name, java.lang.String type,
      java.lang.String value) {
    java.lang.String given = java.lang.System.getProperty("jopt.param." + name);
    if (given == null)
      return value;
    try {
      if (type.equals("int"))
        java.lang.Integer.parseInt(given);
      else if (type.equals("long"))
        java.lang.Long.parseLong(given);
      else if (type.equals("double"))
        java.lang.Double.parseDouble(given);
      else if (type.equals("boolean") && !given.equals("true")
          && !given.equals("false"))
        throw new java.lang.NumberFormatException();
      return given;
    } catch (java.lang.NumberFormatException e) {
      java.lang.System.err.println("jopt: jopt.param." + name + ": '" + given
          + "' is no value of type " + type + "; it stays " + value);
      return value;
    }
  }

)";

constexpr llvm::StringLiteral GuardRuntime =
    R"(  private static final class Inside
      extends java.lang.ThreadLocal<boolean[]> {
    @Override protected boolean[] initialValue() { return new boolean[1]; }
  }
  private static final Inside INSIDE = new Inside();

  /// Whether a fragment runs on this thread; null if one does already.
  static boolean[] enter() {
    boolean[] inside = INSIDE.get();
    if (inside[0])
      return null;
    inside[0] = true;
    return inside;
  }
)";

/// The part of an array that the thread counts in. Calls nothing that could
/// have probes.
constexpr llvm::StringLiteral StripeRuntime =
    R"(  private static int stripe() {
    return (java.lang.System.identityHashCode(java.lang.Thread.currentThread())
        & STRIPES - 1) * STRIPE;
  }
)";

/// One in so many, exact on one thread. A window of a second is its number and,
/// in the lowest 20 bits, how many there were in it.
constexpr llvm::StringLiteral SampleRuntime =
    R"(
  static boolean every(long[] seen, int every) {
    return seen[stripe()]++ % every == 0;
  }

  /// One in so many, which is changed so that there are target in a second:
  /// after each tenth of that, or a second. Behind what the first stripe counts
  /// stand how many there were since, since when, and one in how many.
  static boolean adapt(long[] seen, int target) {
    int at = stripe();
    if (--seen[at] > 0)
      return false;
    long now = java.lang.System.nanoTime();
    long taken = ++seen[1], time = now - seen[2], every = seen[3];
    if (every == 0) {
      seen[3] = every = 1;
      seen[2] = now;
    } else if (taken > target / 10 || time > 1000000000L) {
      double wanted = every * 1e9 * taken / target / java.lang.Math.max(time, 1);
      every = (long) java.lang.Math.min(
          java.lang.Math.max(wanted, every / 4.0), every * 4.0);
      seen[3] = every = java.lang.Math.min(java.lang.Math.max(every, 1), 1 << 30);
      seen[2] = now;
      seen[1] = 0;
    }
    seen[at] = every;
    return true;
  }

  static boolean perSecond(java.util.concurrent.atomic.AtomicLong window,
      int most) {
    while (true) {
      long second = java.lang.Math.floorDiv(java.lang.System.nanoTime(),
          1000000000L) << 20;
      long old = window.get();
      boolean same = (old & ~0xfffffL) == second && old != 0;
      if (same && (old & 0xfffff) >= most)
        return false;
      if (window.compareAndSet(old, same ? old + 1 : second | 1))
        return true;
    }
  }
)";

/// Adds without a lock: threads that share a stripe may lose an event. Calls
/// nothing that could have probes.
constexpr llvm::StringLiteral EventRuntime =
    R"(
  /// Counts an event. When it began, if its time is measured: that of the
  /// first MEASURED since the count was taken, with the bit 2, and then of one
  /// in MEASURED, with the bit 1. Else 0.
  static long count(long[] events) {
    int at = stripe();
    long number = ++events[at];
    boolean rare = number - events[at + 2] <= MEASURED;
    return rare || number % MEASURED == 0
        ? java.lang.System.nanoTime() & ~3L | (rare ? 2 : 1) : 0;
  }

  /// What a look at the clock takes, which is more than most fragments do.
  private static final long CLOCK = clock();

  private static long clock() {
    long least = 1000;
    for (int i = 0; i < 200; i++) {
      long begin = java.lang.System.nanoTime();
      least = java.lang.Math.min(least, java.lang.System.nanoTime() - begin);
    }
    return least;
  }

  /// One that stands for others counts a millisecond at most: the thread was
  /// not running then.
  static void took(long[] events, long begin) {
    long time = java.lang.Math.max(0,
        java.lang.System.nanoTime() - begin - CLOCK);
    events[stripe() + 1] +=
        (begin & 1) == 0 ? time : (time > 1000000 ? 1000000 : time) * MEASURED;
  }
)";

} // namespace jopt::java

#endif
