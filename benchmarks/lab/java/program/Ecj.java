//===- benchmarks/lab/java/program/Ecj.java - Eclipse's compiler -----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** program.Ecj ARGUMENT...: compiles as the command line says. */
public final class Ecj {
  private Ecj() {}

  public static long run(String[] args) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    BatchCompiler.compile(args, out, out, null);
    return said.toString().contains("ERROR") ? -1 : 0;
  }
}
