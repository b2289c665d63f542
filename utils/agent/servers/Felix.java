//===- Felix.java - A server for try-servers ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import front.Front;
import java.util.*;
import java.util.function.Function;
import org.osgi.framework.*;
import org.osgi.framework.launch.*;

/** A framework of OSGi with the application as a bundle. */
public class Felix {
  @SuppressWarnings("unchecked")
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    options.put("org.osgi.framework.storage", args[0]);
    Framework framework = ServiceLoader.load(FrameworkFactory.class).iterator().next().newFramework(options);
    framework.start();
    Bundle bundle = framework.getBundleContext().installBundle("file:" + args[1]);
    bundle.start();
    Front.serve((Function<String, String>) bundle.loadClass("shop.Shop").getConstructor().newInstance());
  }
}
