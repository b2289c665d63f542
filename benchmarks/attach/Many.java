//===- benchmarks/attach/Many.java - many loaded classes ------------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Many CLASSES THREADS: loads so many classes, has so many threads wait, and calls
 * into some of the classes every millisecond. For each line on standard input it prints
 * how long the calls took since the line before: "NAME count p50 p99 max", in
 * microseconds. A pause of the JVM shows in the calls.
 */
public final class Many extends ClassLoader {
  /** Copied under other names of that length. */
  public static final class C00000 implements IntUnaryOperator {
    private int calls;
    public int applyAsInt(int n) {
      calls++;
      return n % 3 == 0 ? add(n, 1) : add(n, calls);
    }
    private static int add(int a, int b) { return a + b; }
  }

  private static List<Long> taken = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    final int number = Integer.parseInt(args[0]);
    byte[] file;
    try (InputStream in = Many.class.getResourceAsStream("Many$C00000.class")) {
      file = in.readAllBytes();
    }
    String text = new String(file, StandardCharsets.ISO_8859_1);
    Many loader = new Many();
    IntUnaryOperator[] all = new IntUnaryOperator[number];
    for (int i = 0; i < number; i++) {
      String name = String.format("Many$C%05d", i);
      byte[] copy = text.replace("Many$C00000", name).getBytes(StandardCharsets.ISO_8859_1);
      all[i] = (IntUnaryOperator) loader.defineClass(name, copy, 0, copy.length)
                   .getDeclaredConstructor().newInstance();
    }
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      Thread waits = new Thread(() -> {
        synchronized (all) {
          try { all.wait(); } catch (InterruptedException e) { /* It ends. */ }
        }
      });
      waits.setDaemon(true);
      waits.start();
    }
    Thread calls = new Thread(() -> {
      for (int at = 0;;) {
        long begin = System.nanoTime();
        int sum = 0;
        for (int i = 0; i < 50; i++, at = (at + 7) % number) sum += all[at].applyAsInt(i);
        if (sum == 42) System.out.print("");
        try { Thread.sleep(1); } catch (InterruptedException e) { return; }
        synchronized (Many.class) { taken.add((System.nanoTime() - begin) / 1000); }
      }
    });
    calls.setDaemon(true);
    calls.start();
    System.out.println("loaded");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null;) {
      List<Long> since;
      synchronized (Many.class) {
        since = taken;
        taken = new ArrayList<>();
      }
      Collections.sort(since);
      System.out.println(line + " " + since.size() + " " + at(since, 50) + " " + at(since, 99)
          + " " + at(since, 100));
    }
  }

  private static long at(List<Long> sorted, int percent) {
    return sorted.isEmpty() ? 0 : sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
  }
}
