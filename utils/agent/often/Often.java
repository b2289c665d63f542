//===- Often.java - Attach and detach many times ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import com.sun.tools.attach.VirtualMachine;
import java.io.*;
import java.util.*;
import java.util.regex.*;
import sun.tools.attach.HotSpotVirtualMachine;

/**
 * The client of attach-often: what the JVM has after the first attach and off, and after
 * the last.
 *
 *   Often PID LIBRARY PROBES PAIRS
 */
class Often {
  static HotSpotVirtualMachine vm;
  static String library;

  static String jcmd(String command) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (InputStream in = vm.executeJCmd(command)) {
      in.transferTo(out); // readAllBytes() fails on some releases
    }
    return out.toString();
  }
  static long jopt(String options) throws Exception {
    long begin = System.nanoTime();
    vm.loadAgentPath(library, options); // throws unless it answers 0
    return System.nanoTime() - begin;
  }
  static List<String> lines(String command, String pattern) throws Exception {
    List<String> found = new ArrayList<>();
    Matcher m = Pattern.compile(pattern, Pattern.MULTILINE).matcher(jcmd(command));
    while (m.find())
      found.add(m.group(1));
    return found;
  }

  static long loaders() throws Exception {
    return lines("GC.class_histogram", "(\\d+) +\\d+ +jopt.boot.ProbeLoader").stream().mapToLong(Long::parseLong).sum();
  }

  static SortedSet<String> threads() throws Exception {
    return new TreeSet<>(lines("Thread.print", "^\"(jopt[^\"]*)\""));
  }

  /** Of the probes, and how much the JVM needs. */
  static class State {
    SortedSet<String> classes, threads;
    long loaders, heap;
    double metaspace;

    State() throws Exception {
      // What a method refers to that was compiled goes with the third collection or so.
      for (int i = 0; i < 6; i++)
        jcmd("GC.run");
      classes = new TreeSet<>(lines("VM.class_hierarchy", "(jopt\\.[\\w.$]+)"));
      // The agent's own ends when it finds that nothing is left to do.
      for (int i = 0; i < 600 && !(threads = threads()).isEmpty(); i++)
        Thread.sleep(100);
      loaders = loaders();
      heap = Long.parseLong(lines("GC.class_histogram", "^Total +\\d+ +(\\d+)").get(0)) / 1024;
      String meta = jcmd("VM.metaspace");
      meta = meta.substring(meta.indexOf("Both:"));
      metaspace = size(meta, "([0-9.]+) (bytes|KB|MB) [^,]*used") -
          size(meta, "deallocated: \\d+ blocks with ([0-9.]+) (bytes|KB|MB)");
    }
    static double size(String text, String pattern) {
      Matcher m = Pattern.compile(pattern).matcher(text);
      if (!m.find())
        return 0;
      double n = Double.parseDouble(m.group(1));
      return m.group(2).equals("MB") ? n * 1024 : m.group(2).equals("KB") ? n : n / 1024;
    }
    void print(int pairs) {
      System.out.printf("%4d pairs: %d classes jopt.*, %d loaders, %d threads, heap %d KB, metaspace %.0f KB%n", pairs,
          classes.size(), loaders, threads.size(), heap, metaspace);
    }
  }

  static boolean wrong;
  static void check(boolean right, String what) {
    if (!right)
      System.out.println("WRONG: " + what);
    wrong |= !right;
  }
  static String milliseconds(long[] times) {
    long[] t = times.clone();
    Arrays.sort(t);
    return String.format("%.1f ms (%.1f to %.1f)", t[t.length / 2] / 1e6, t[0] / 1e6, t[t.length - 1] / 1e6);
  }

  public static void main(String[] args) throws Exception {
    vm = (HotSpotVirtualMachine) VirtualMachine.attach(args[0]);
    library = args[1];
    int pairs = Integer.parseInt(args[3]);
    long[] on = new long[pairs], off = new long[pairs];
    State first = null, warm = null, last = null;
    for (int i = 0; i < pairs; i++) {
      on[i] = jopt("probes=" + args[2]);
      Thread.sleep(20);
      for (int k = 0; i == 0 && k < 600 && loaders() == 0; k++)
        Thread.sleep(100);
      if (i == 0)
        check(loaders() > 0, "no loaders of probes while they are on");
      off[i] = jopt("off");
      boolean isWarm = i == pairs / 2;
      if (i != 0 && !isWarm && i != pairs - 1)
        continue;
      last = new State();
      last.print(i + 1);
      first = first == null ? last : first;
      warm = isWarm ? last : warm;
    }
    System.out.println("attach " + milliseconds(on) + ", off " + milliseconds(off));
    check(last.classes.equals(first.classes), "other classes than after one: " + last.classes + ", " + first.classes);
    check(last.loaders == 0, "loaders of probes are left");
    check(last.threads.isEmpty(), "threads are left: " + last.threads);
    check(last.heap <= warm.heap + 200, "the heap grows");
    System.exit(wrong ? 1 : 0);
  }
}
