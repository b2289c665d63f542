//===- benchmarks/lab/java/program/JRuby.java - Ruby in the JVM ------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;

/** program.JRuby TIMES: a script that works on arrays, hashes and blocks. */
public final class JRuby {
  private static final String SCRIPT =
      "words = (1..2000).map { |i| 'w' + (i * 7919 % 101).to_s }\n" +
      "counts = Hash.new(0)\n" +
      "words.each { |w| counts[w] += 1 }\n" +
      "counts.sort.inject(0) { |sum, (k, v)| (sum * 31 + v + k.length) & 0xffffffff }\n";

  private JRuby() {}

  public static long run(String[] args) {
    ScriptingContainer ruby = new ScriptingContainer(LocalContextScope.SINGLETHREAD);
    long sum = 0;
    for (int i = Integer.parseInt(args[0]); i > 0; --i)
      sum = sum * 31 + ((Number)ruby.runScriptlet(SCRIPT)).longValue();
    ruby.terminate();
    return sum;
  }
}
