//===- benchmarks/overhead/Callbacks.java - Probe classes that are given exact types -===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package overhead;

import jopt.probes.MethodPattern;
import jopt.probes.OnEnterResult;
import jopt.probes.Param;
import jopt.probes.ReturnValue;
import jopt.probes.ThrownException;

/** Callbacks that do little, with all of their parameters. */
public final class Callbacks {
  static long sum, failures;

  @MethodPattern({"overhead.Called:add(int, long) long", "overhead.Called:fib(int, long) long"})
  public static final class Longs {
    public static long onEnter(@Param(1) int a, @Param(2) long b) { return a ^ b; }

    public static void onReturn(
        @OnEnterResult long kept, @Param(1) int a, @ReturnValue long result) {
      sum += kept + a + result;
    }

    public static void onUncaughtException(@OnEnterResult long kept, @ThrownException Throwable t) {
      failures += kept;
    }
  }

  @MethodPattern("overhead.Called:pick(String, int) String")
  public static final class Strings {
    public static String onEnter(@Param(1) String text) { return text; }

    public static void onExit(
        @OnEnterResult String kept, @Param(2) int n, @ReturnValue String result,
        @ThrownException Throwable t) {
      sum += kept == result ? n : 1;
      if (t != null)
        failures++;
    }
  }
}
