//===- Plugin.java - What attach-often probes ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package plugin;

public class Plugin implements Runnable {
  public int runs;
  @Override public void run() { ++runs; }
}
