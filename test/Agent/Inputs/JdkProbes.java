//===- JdkProbes.java - Counts of what the JDK does -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/**
 * JdkProbes [LIBRARY OPTIONS]: attaches the agent if it is told which, calls
 * methods of the JDK, and prints how often the fragments of jdk-probes.xml saw
 * them. From Java 21 on, 10,000 virtual threads do so too.
 */
public class JdkProbes {
  interface Work { void run() throws Exception; }
  @SuppressWarnings("unchecked")
  static long count(String method) {
    Object counts = System.getProperties().get("counts");
    return counts == null ? 0
        : ((ConcurrentHashMap<String, Long>) counts).getOrDefault(method, 0L);
  }
  static void check(String method, Work w) throws Exception {
    long before = count(method);
    w.run();
    long after = count(method);
    System.out.println(method + " " + (after - before));
  }
  static void attach(String library, String options) throws Exception {
    Process p = new ProcessBuilder(
        System.getProperty("java.home") + "/bin/jcmd",
        "" + ProcessHandle.current().pid(), "JVMTI.agent_load", library,
        "\"" + options + "\"").redirectErrorStream(true).start();
    String out = new String(p.getInputStream().readAllBytes());
    p.waitFor();
    if (!out.contains("return code: 0"))
      throw new AssertionError(out);
  }
  static void virtualThreads() throws Exception {
    List<Thread> all = new ArrayList<>();
    Runnable work = () -> {
      HashMap<Integer, String> m = new HashMap<>();
      m.put(1, "");
      Thread.yield();
      m.put(2, "");
    };
    // By reflection, since the program runs on Java 17 too.
    java.lang.reflect.Method start =
        Thread.class.getMethod("startVirtualThread", Runnable.class);
    for (int i = 0; i < 10_000; i++)
      all.add((Thread) start.invoke(null, work));
    for (Thread t : all)
      t.join();
  }
  public static void main(String[] args) throws Exception {
    if (args.length > 0)
      attach(args[0], args[1]);
    check("java/util/HashMap.put", () -> {
      HashMap<Integer, String> m = new HashMap<>();
      for (int i = 0; i < 1000; i++)
        m.put(i, "");
    });
    check("java/lang/String.indexOf", () -> {
      for (int i = 0; i < 100; i++)
        "hello".indexOf('l');
    });
    check("java/util/concurrent/ConcurrentHashMap.<init>", () -> {
      for (int i = 0; i < 50; i++)
        new ConcurrentHashMap<String, String>();
    });
    check("java/net/Socket.connect", () -> {
      try (java.net.ServerSocket server = new java.net.ServerSocket(0);
           java.net.Socket s = new java.net.Socket()) {
        s.connect(server.getLocalSocketAddress());
      }
    });
    ClassLoader loader = new ClassLoader(null) { };
    check("java/lang/ClassLoader.loadClass", () ->
      loader.loadClass("java.lang.Integer"));
    check("java/lang/Thread.run", () -> {
      for (int i = 0; i < 10; i++) {
        Thread t = new Thread(() -> { });
        t.start();
        t.join();
      }
    });
    if (Runtime.version().feature() >= 21)
      check("virtual java/util/HashMap.put", JdkProbes::virtualThreads);
    System.out.println("done");
  }
}
