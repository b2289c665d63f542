//===- utils/old-classes/RunMains.java - many small programs, one JVM -----===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   java -Xverify:all RunMains FOLDER
// Runs the main of each class in FOLDER that has one, in the order of their
// names; "exit status 1" follows the output of one that throws or does not
// verify.
//
//===----------------------------------------------------------------------===//

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

public final class RunMains {
  public static void main(String[] args) throws Exception {
    File folder = new File(args[0]);
    String[] names = folder.list((where, name) -> name.endsWith(".class"));
    Arrays.sort(names);
    try (URLClassLoader loader = new URLClassLoader(
             new URL[] {folder.toURI().toURL()},
             ClassLoader.getPlatformClassLoader())) {
      for (String name : names)
        run(loader, name.substring(0, name.length() - 6));
    }
  }

  private static void run(ClassLoader loader, String name) {
    try {
      Class<?> type = Class.forName(name, true, loader);
      Method main = find(type);
      if (main == null)
        return;
      System.out.println("== " + name);
      main.setAccessible(true);
      main.invoke(null, (Object)new String[0]);
    } catch (ReflectiveOperationException | LinkageError e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      System.out.println(name + ": " + why + "\nexit status 1");
    }
  }

  private static Method find(Class<?> type) {
    try {
      return type.getDeclaredMethod("main", String[].class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
