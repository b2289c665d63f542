//===- benchmarks/lab/java/program/Groovy.java - a script is compiled and run ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import groovy.lang.GroovyShell;

/** program.Groovy TIMES: a script that works on lists, maps and closures. */
public final class Groovy {
  private static final String SCRIPT =
      "def words = (1..400).collect { 'w' + (it * 7919 % 101) }\n" +
      "def counts = words.groupBy { it }.collectEntries { k, v -> [k, v.size()] }\n" +
      "long sum = 0\n" +
      "counts.sort { it.key }.each { k, v -> sum = sum * 31 + v + k.length() }\n" +
      "for (int i = 0; i < 2000; ++i) { if (i % 3 == 0) sum += i else sum ^= i }\n" +
      "return sum\n";

  private Groovy() {}

  public static long run(String[] args) {
    long sum = 0;
    for (int i = Integer.parseInt(args[0]); i > 0; --i)
      sum = sum * 31 + ((Number)new GroovyShell().evaluate(SCRIPT)).longValue();
    return sum;
  }
}
