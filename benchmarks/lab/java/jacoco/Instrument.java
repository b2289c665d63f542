//===- benchmarks/lab/java/jacoco/Instrument.java - JaCoCo's probes in a jar ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.OfflineInstrumentationAccessGenerator;

/** Instrument IN.jar OUT.jar: as JaCoCo's own tool does it. */
final class Instrument {
  private Instrument() {}

  public static void main(String[] args) throws Exception {
    try (InputStream in = new FileInputStream(args[0]);
         OutputStream out = new FileOutputStream(args[1])) {
      new Instrumenter(new OfflineInstrumentationAccessGenerator())
          .instrumentAll(in, out, args[0]);
    }
  }
}
