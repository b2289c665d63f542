// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.util.Locale;

/** The name of the machine's platform, as classifiers of artifacts have it. */
final class Platform {
  private Platform() {}

  static String name() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    if (machine.equals("amd64")) {
      machine = "x86_64";
    } else if (machine.equals("arm64")) {
      machine = "aarch64";
    }
    return (os.startsWith("linux") ? "linux" : os.replaceAll("[^a-z0-9]", "")) + "-" + machine;
  }
}
