//===- benchmarks/agent/Hello.java - a JVM that ends at once --------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/** A program that is over before much could be measured of it. */
public final class Hello {
  private Hello() {}

  public static void main(String[] args) {
    System.out.println(greet("world") + count(10));
  }

  static String greet(String who) {
    return "Hello, " + who + ' ';
  }

  static int count(int n) {
    return n == 0 ? 0 : 1 + count(n - 1);
  }
}
