//===- benchmarks/lab/java/program/Hello.java - nothing but a start --------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

public final class Hello {
  private Hello() {}

  public static long run(String[] args) { return "hello".hashCode(); }
}
