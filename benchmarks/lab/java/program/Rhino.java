//===- benchmarks/lab/java/program/Rhino.java - JavaScript is interpreted -------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;

/**
 * program.Rhino TIMES: a script in the interpreter, whose loop is one method of some 8,000 bytes of
 * code: HotSpot compiles none that is longer.
 */
public final class Rhino {
  private static final String SCRIPT =
      "function Tree(key) { this.key = key; this.left = this.right = null; }\n" +
      "Tree.prototype.add = function(key) {\n" +
      "  var side = key < this.key ? 'left' : 'right';\n" +
      "  if (this[side]) this[side].add(key); else this[side] = new Tree(key);\n" +
      "};\n" +
      "Tree.prototype.sum = function() {\n" +
      "  return this.key + (this.left ? this.left.sum() : 0) + (this.right ? this.right.sum() : 0);\n" +
      "};\n" +
      "var root = new Tree(500), words = {};\n" +
      "for (var i = 0; i < 1500; i++) {\n" +
      "  root.add(i * 7919 % 1009);\n" +
      "  var w = 'w' + i % 37; words[w] = (words[w] | 0) + 1;\n" +
      "}\n" +
      "root.sum() + Object.keys(words).length;\n";

  private Rhino() {}

  @SuppressWarnings("deprecation") // Versions differ in the name of the method.
  public static long run(String[] args) {
    long sum = 0;
    Context context = Context.enter();
    try {
      context.setOptimizationLevel(-1);
      Scriptable scope = context.initStandardObjects();
      for (int i = Integer.parseInt(args[0]); i > 0; --i)
        sum = sum * 31 +
            ((Number)context.evaluateString(scope, SCRIPT, "script", 1, null)).longValue();
    } finally {
      Context.exit();
    }
    return sum;
  }
}
