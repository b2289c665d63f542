// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

/** Records at the end of the program what was covered up to then. */
final class Ending implements Runnable {
  @Override
  public void run() {
    Writer.end();
  }
}
