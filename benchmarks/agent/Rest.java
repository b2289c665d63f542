//===- benchmarks/agent/Rest.java - what a JVM holds at rest ---------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.nio.file.Files;
import java.nio.file.Path;

/** Waits until nothing more happens, and tells the resident memory of its process. */
public final class Rest {
  private Rest() {}

  public static void main(String[] args) throws Exception {
    long before = 0, kilobytes = resident();
    for (int n = 0; n < 40 && (n < 6 || kilobytes != before); ++n) {
      if (n < 3) System.gc();
      Thread.sleep(250);
      before = kilobytes;
      kilobytes = resident();
    }
    System.out.println("{\"mb\": " + kilobytes / 1024.0 + "}");
  }

  private static long resident() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status")))
      if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", ""));
    throw new IllegalStateException("no VmRSS");
  }
}
