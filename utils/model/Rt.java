//===- utils/model/Rt.java - what generated programs call ---------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What generated programs call: their output, and their fuel. Every loop and
 * every call spends fuel, so that each program ends. One thread only; the state
 * is that of the run that goes on.
 */
public final class Rt {
  /** The program's own output since the last reset. */
  static List<String> output = new ArrayList<>();
  private static int left;

  private Rt() {}

  static void reset(int fuel) {
    output = new ArrayList<>();
    left = fuel;
  }

  /** Takes up to n of the fuel that is left. */
  public static int fuel(int n) {
    int given = Math.max(0, Math.min(n, left));
    left -= n;
    if (left < -90)
      throw new UnsupportedOperationException();
    return given;
  }

  /** What a callback of a probe class was given; gives what it returns. */
  static Function<Object[], Object> callbacks;

  public static Object callback(Object[] event) {
    return callbacks.apply(event);
  }

  public static void out(int value) { output.add("I" + value); }

  public static void out(long value) { output.add("J" + value); }

  public static void out(double value) {
    output.add("D" + Double.doubleToRawLongBits(value));
  }

  /** Says of an object only of which class it is. */
  public static void out(Object value) {
    output.add(value == null ? "null" : value.getClass().getName());
  }

  /** Throws for one of thirteen numbers. */
  public static int maybe(int n) {
    if (n % 13 == 5)
      throw new UnsupportedOperationException();
    return n + 1;
  }

  /** Bootstrap method of an invokedynamic that calls maybe. */
  public static CallSite link(MethodHandles.Lookup lookup, String name,
                              MethodType type)
      throws ReflectiveOperationException {
    return new ConstantCallSite(
        MethodHandles.lookup().findStatic(Rt.class, "maybe", type));
  }
}
