//===- benchmarks/lab/java/lab/Load.java - what loading of classes takes ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package lab;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * lab.Load COUNT JAR...: loads so many classes of the archives, which are on the
 * class path, without initialising them, and prints the time of the thread and that
 * of the clock.
 */
public final class Load {
  private Load() {}

  private static List<String> names(String[] args) throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 1; i < args.length; ++i)
      try (ZipFile zip = new ZipFile(args[i])) {
        for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements();) {
          String name = e.nextElement().getName();
          if (name.endsWith(".class") && !name.startsWith("META-INF/") &&
              !name.equals("module-info.class"))
            names.add(name.substring(0, name.length() - 6).replace('/', '.'));
        }
      }
    return names;
  }

  public static void main(String[] args) throws Exception {
    List<String> names = names(args);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long most = Long.parseLong(args[0]), loaded = 0;
    long cpu = threads.getCurrentThreadCpuTime(), wall = System.nanoTime();
    for (String name : names) {
      if (loaded == most)
        break;
      try {
        Class.forName(name, false, Load.class.getClassLoader());
        ++loaded;
      } catch (ClassNotFoundException | LinkageError e) {
        // It needs what is not there.
      }
    }
    wall = System.nanoTime() - wall;
    cpu = threads.getCurrentThreadCpuTime() - cpu;
    System.out.println("{\"load\": [" + wall + ", " + cpu + "], \"classes\": " + loaded + "}");
    System.exit(0);
  }
}
