//===- Host.java - A program for attach-often --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.net.*;

/** Works with plugins, one that stays and others that come and go with their loaders. */
public class Host {
  static class Plugins {
    static Runnable make(String folder) throws Exception {
      return (Runnable) new URLClassLoader(new URL[] {new java.io.File(folder).toURI().toURL()})
          .loadClass("plugin.Plugin").getConstructor().newInstance();
    }
  }
  public static void main(String[] args) throws Exception {
    Runnable stays = Plugins.make(args[0]), goes = null;
    System.out.println("ready");
    for (int i = 0;; i++) {
      if (i % 20 == 0)
        goes = Plugins.make(args[0]);
      stays.run();
      goes.run();
      Thread.sleep(2);
    }
  }
}
