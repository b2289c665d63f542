//===- Busy.java - Attach and detach while a server serves ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import com.sun.tools.attach.VirtualMachine;
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.regex.*;
import sun.tools.attach.HotSpotVirtualMachine;

/** The client of busy-tomcat: requests, attaches, and the results of both. */
class Busy {
  static String base, library, probes, jar;
  static VirtualMachine vm;
  static long pid;
  static final AtomicLong answers = new AtomicLong(), failures = new AtomicLong();
  static volatile boolean stop;

  static String request(String path, byte[] body) throws IOException {
    HttpURLConnection c = (HttpURLConnection) URI.create(base + path).toURL().openConnection();
    c.setConnectTimeout(60_000);
    c.setReadTimeout(60_000);
    if (body != null) {
      c.setDoOutput(true);
      try (OutputStream out = c.getOutputStream()) {
        out.write(body);
      }
    }
    try (InputStream in = c.getInputStream()) {
      return c.getResponseCode() + " " + new String(in.readAllBytes(), "UTF-8");
    }
  }

  static final byte[] BODY = "0123456789".repeat(500).getBytes();
  static String[] ask() throws IOException {
    return new String[] {request("/index.txt", null),
                         request("/hello?a=1&b=2", null),
                         request("/hello", BODY)};
  }

  /** One of the requesting threads: each answer must be the first one. */
  static void work(String[] expected, int pause) {
    while (!stop) {
      try {
        String[] got = ask();
        for (int i = 0; i < got.length; i++)
          if (got[i].equals(expected[i]))
            answers.incrementAndGet();
          else
            fail("answered " + got[i]);
        Thread.sleep(pause);
      } catch (IOException | InterruptedException e) {
        fail(e.toString());
      }
    }
  }
  static void fail(String why) {
    if (failures.incrementAndGet() <= 5)
      System.out.println("FAILED: " + why);
  }

  static void jopt(String options) throws Exception {
    vm.loadAgentPath(library, options); // throws unless it answers 0
  }
  static String jcmd(String command) throws Exception {
    try (InputStream in = ((HotSpotVirtualMachine) vm).executeJCmd(command)) {
      return new String(in.readAllBytes());
    }
  }
  static long number(String text, String pattern) {
    Matcher m = Pattern.compile(pattern).matcher(text);
    return m.find() ? Long.parseLong(m.group(1)) : -1;
  }
  /** What the fragments counted. */
  static long events() throws IOException {
    return number(request("/events.jsp", null), "events=(\\d+)");
  }
  /** Processor time of the server so far, in seconds. */
  static double processor() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] f = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(f[11]) + Long.parseLong(f[12])) / 100.0;
  }

  /** What the pattern finds, in KB: a number, a blank and its unit. */
  static double size(String text, String pattern) {
    Matcher m = Pattern.compile(pattern).matcher(text);
    if (!m.find())
      return 0;
    double n = Double.parseDouble(m.group(1));
    return switch (m.group(2)) {
      case "MB" -> n * 1024;
      case "KB" -> n;
      default -> n / 1024; // bytes
    };
  }

  static void memory(int pairs) throws Exception {
    // A method that was compiled, and is no longer called, goes with the third
    // collection or so, and only then what it refers to.
    for (int i = 0; i < 6; i++)
      jcmd("GC.run");
    String nmt = jcmd("VM.native_memory summary"), meta = jcmd("VM.metaspace");
    String number = "([0-9.]+) (bytes|KB|MB)";
    meta = meta.substring(meta.indexOf("Both:"));
    double used = size(meta, number + " [^,]*used"),
           free = size(meta, "deallocated: \\d+ blocks with " + number);
    StringBuilder parts = new StringBuilder();
    Matcher m = Pattern.compile("- +([A-Za-z ]+) \\(reserved=\\d+KB, committed=(\\d+)KB").matcher(nmt);
    while (m.find())
      if (!m.group(1).equals("Java Heap"))
        parts.append(" " + m.group(1).replace(" ", "") + "=" + m.group(2));
    String status = Files.readString(Path.of("/proc/" + pid + "/status"));
    System.out.printf("%5d pairs: metaspace %.0f KB used, native %d KB committed, resident %d KB;%s%n",
        pairs, used - free,
        number(nmt, "Total: reserved=\\d+KB, committed=(\\d+)KB"),
        number(status, "VmRSS:\\s+(\\d+)"), parts);
  }

  /** Answers per second of the clock, and of the server's processor time. */
  static List<double[]> windows(String what, int count, int seconds) throws Exception {
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long before = answers.get(), clock = System.nanoTime();
      double spent = processor();
      Thread.sleep(seconds * 1000L);
      double n = answers.get() - before;
      all.add(new double[] {n / (System.nanoTime() - clock) * 1e9,
                            n / (processor() - spent)});
    }
    for (int k = 0; k < 2; k++) {
      int column = k;
      double[] v = all.stream().mapToDouble(a -> a[column]).sorted().toArray();
      System.out.printf("%s: answers per second of %s: %.0f (%.0f to %.0f)%n", what,
          k == 0 ? "the clock" : "the server's processor time",
          v[v.length / 2], v[0], v[v.length - 1]);
    }
    return all;
  }

  /** What the JVM has of the server's classes, as a retransformation sees it. */
  static void dump(String folder) throws Exception {
    vm.loadAgent(jar, "org[.]apache[.](catalina|coyote)[.].* " + folder);
  }

  /** Retransforms about as many as the probes do. */
  static void retransform() throws Exception {
    vm.loadAgent(jar, "org[.]apache[.](catalina[.](core|connector)|coyote[.]http11)[.][A-Z].*");
  }

  static boolean isNoted(int i, int pairs) {
    return i == 5 || i == 50 || i % 100 == 0 || i == pairs;
  }

  public static void main(String[] args) throws Exception {
    pid = Long.parseLong(args[0]);
    base = "http://127.0.0.1:" + args[1] + "/app";
    library = args[2];
    probes = args[3];
    jar = args[4];
    String work = args[5];
    int pairs = Integer.parseInt(args[6]), threads = Integer.parseInt(args[7]),
        pause = Integer.parseInt(args[8]), windows = Integer.parseInt(args[9]);
    boolean control = Boolean.parseBoolean(args[10]);
    vm = VirtualMachine.attach(args[0]);
    request("/events.jsp", null);
    String[] expected = ask();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread t = new Thread(() -> work(expected, pause));
      t.start();
      all.add(t);
    }
    // The agent comes first, so that the other one sees what it makes.
    if (!control)
      jopt("off");
    dump(work + "/before");
    Thread.sleep(20_000);
    windows("before", windows, 5);
    int late = 0, silent = 0;
    long began = System.nanoTime();
    for (int i = 1; i <= pairs; i++) {
      // Else what is used would be hard to tell from what is free in pieces.
      if (i % 10 == 0)
        jcmd("GC.run");
      if (control) {
        retransform();
        retransform();
        if (isNoted(i, pairs))
          memory(i);
        continue;
      }
      long first = events();
      jopt("probes=" + probes + ",log=" + work + "/log");
      long begun = events();
      for (int n = 0; n < 200 && begun == events(); n++)
        Thread.sleep(5);
      if (events() <= Math.max(first, 0))
        ++silent;
      if (i == 1)
        dump(work + "/probed");
      jopt("off");
      long off = events();
      Thread.sleep(10);
      if (events() != off)
        ++late;
      if (isNoted(i, pairs))
        memory(i);
    }
    System.out.printf("%d pairs in %d s: %d without an event while on, %d with one after off%n",
        pairs, (System.nanoTime() - began) / 1_000_000_000, silent, late);
    dump(work + "/after");
    Thread.sleep(20_000);
    windows("after", windows, 5);
    stop = true;
    for (Thread t : all)
      t.join();
    System.out.printf("%d answers, %d failures%n", answers.get(), failures.get());
    if (failures.get() + silent + late > 0)
      System.exit(1);
  }
}
