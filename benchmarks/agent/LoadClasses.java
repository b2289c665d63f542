//===- benchmarks/agent/LoadClasses.java - what loading of classes takes --===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

/**
 * LoadClasses COUNT JAR...: loads so many classes of the archives, which are on
 * the class path, without initialising them, and prints the time of the thread.
 */
final class LoadClasses {
  private LoadClasses() {}

  static List<String> names(String[] jars, int from) throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = from; i < jars.length; ++i)
      try (ZipFile zip = new ZipFile(jars[i])) {
        zip.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.endsWith(".class") &&
                                !name.startsWith("META-INF/") &&
                                !name.equals("module-info.class"))
            .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
            .forEach(names::add);
      }
    return names;
  }

  /** How many could be loaded, at most so many. */
  static int load(List<String> names, int most) {
    int loaded = 0;
    for (String name : names) {
      if (loaded == most)
        break;
      try {
        Class.forName(name, false, LoadClasses.class.getClassLoader());
        ++loaded;
      } catch (ClassNotFoundException | LinkageError e) {
        // It needs what is not there.
      }
    }
    return loaded;
  }

  public static void main(String[] args) throws Exception {
    List<String> names = names(args, 1);
    var threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    int loaded = load(names, Integer.parseInt(args[0]));
    double seconds = (threads.getCurrentThreadCpuTime() - start) / 1e9;
    System.out.println("{\"seconds\": " + seconds + ", \"classes\": " + loaded +
                       "}");
  }
}
