// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.builds;

import java.util.Locale;

/** The name of a machine's platform, as the classifiers of artifacts have it. */
public final class Platform {
  private Platform() {}

  /**
   * The platform of this JVM.
   *
   * @return its name, as {@code linux-x86_64}
   */
  public static String name() {
    return name(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /**
   * The platform of a JVM with these properties.
   *
   * @param system {@code os.name}
   * @param machine {@code os.arch}
   * @return its name
   */
  public static String name(String system, String machine) {
    String os = system.toLowerCase(Locale.ROOT);
    String processor = machine.toLowerCase(Locale.ROOT);
    if (processor.equals("amd64") || processor.equals("x86-64")) {
      processor = "x86_64";
    } else if (processor.equals("arm64")) {
      processor = "aarch64";
    }
    return (os.startsWith("linux") ? "linux" : os.replaceAll("[^a-z0-9]", "")) + "-" + processor;
  }
}
