//===- Look.java - What a JVM has of its classes --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.io.PrintWriter;
import java.lang.instrument.Instrumentation;
import java.nio.file.*;
import java.util.*;

/**
 * An agent that writes to a folder the classes that probes may be in, as a retransformation sees them, and to files the names
 * of threads, of all classes of jopt with their loaders, and of what the probes counted. It changes nothing.
 */
public class Look {
  static boolean isOfJopt(Class<?> c) { return c.getName().startsWith("jopt.") || c.getName().contains("probekit"); }
  /** One that can go: neither of the boot loader nor of what stays with the loader of its host. */
  static boolean hasProbeClass(Instrumentation inst) {
    for (Class<?> c : inst.getAllLoadedClasses())
      if (isOfJopt(c) && c.getClassLoader() != null && !c.getName().startsWith("jopt.boot."))
        return true;
    return false;
  }
  public static void agentmain(String folder, Instrumentation inst) throws Exception {
    Files.createDirectories(Path.of(folder));
    DumpClasses.dump(inst,
        "(shop|jakarta|javax[.]servlet|org[.]apache[.](catalina[.]core|coyote|activemq[.]broker)|org[.]eclipse[.]jetty[.]server)[.].*",
        folder + "/classes");
    // A class goes with the code that was compiled of what called it, once no compiler is at that any more.
    for (int i = 0; i < 8 || i < 600 && folder.endsWith("/after") && hasProbeClass(inst); i++) {
      System.gc();
      Thread.sleep(50);
    }
    try (PrintWriter out = new PrintWriter(folder + "/jopt-classes")) {
      Set<String> names = new TreeSet<>();
      for (Class<?> c : inst.getAllLoadedClasses())
        if (isOfJopt(c))
          names.add(c.getName() + " of " + (c.getClassLoader() == null ? "boot" : c.getClassLoader().getClass().getName()));
      names.forEach(out::println);
    }
    try (PrintWriter out = new PrintWriter(folder + "/threads")) {
      Set<String> names = new TreeSet<>();
      for (Thread t : Thread.getAllStackTraces().keySet())
        names.add(t.getName());
      names.forEach(out::println);
    }
    try (PrintWriter out = new PrintWriter(folder + "/events")) {
      Object events = System.getProperties().get("jopt.events");
      if (events instanceof Map)
        new TreeMap<Object, Object>((Map<?, ?>) events).forEach((what, count) -> out.println(what + " " + count));
    }
  }
}
