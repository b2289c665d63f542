//===- benchmarks/lab/java/program/Recursion.java - a method that calls itself ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

public final class Recursion {
  private Recursion() {}

  private static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

  public static long run(String[] args) { return fib(32); }
}
