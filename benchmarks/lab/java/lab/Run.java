//===- benchmarks/lab/java/lab/Run.java - what a program takes -------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package lab;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * java -Dlab.started=NANOS lab.Run OUT TURNS CLASS ARGUMENT...: runs the class so
 * many times ("60s": for 60 seconds), by its method {@code long run(String[])}, or
 * else by {@code main}, and writes to OUT as JSON what that took. Whoever calls
 * {@code System.exit} has had his last turn.
 *
 * <p>Of each turn there is the time by the clock and that of all threads of Java
 * programs that live at its end; threads that end within a turn add theirs
 * ({@link #addProcessorTime}). So what the compilers' threads do is in the
 * process's time alone. The start is from NANOS, a time of the system's clock, to
 * the end of the first turn.
 */
public final class Run {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final AtomicLong ENDED = new AtomicLong();
  private static final int MOST = 1 << 20;

  private static long[] wall = new long[1024], cpu = new long[1024], end = new long[1024];
  private static volatile int turns;
  private static long begin, beginCpu, sum;
  private static long startWall = -1, startCpu = -1;
  private static boolean running;

  private Run() {}

  /** A thread of the program that is about to end. */
  public static void addProcessorTime() {
    ENDED.addAndGet(THREADS.getCurrentThreadCpuTime());
  }

  private static long processorTime() {
    long all = ENDED.get();
    for (long id : THREADS.getAllThreadIds())
      all += Math.max(0, THREADS.getThreadCpuTime(id));
    return all;
  }

  /** Of all threads of the process: as the system has it, which is finer. */
  private static long process() {
    long all = 0;
    File[] tasks = new File("/proc/self/task").listFiles();
    for (File task : tasks == null ? new File[0] : tasks)
      try {
        String said = new String(Files.readAllBytes(new File(task, "schedstat").toPath()),
                                 StandardCharsets.US_ASCII);
        all += Long.parseLong(said.substring(0, said.indexOf(' ')));
      } catch (IOException | RuntimeException e) {
        // It has ended.
      }
    return all != 0 ? all
                    : ((com.sun.management.OperatingSystemMXBean)
                           ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }

  private static long sinceStart() {
    Duration now = Duration.between(Instant.EPOCH, Instant.now());
    return now.getSeconds() * 1000000000L + now.getNano() - Long.getLong("lab.started");
  }

  private static void beginTurn() {
    beginCpu = processorTime();
    begin = System.nanoTime();
    running = true;
  }

  private static void endTurn() {
    long took = System.nanoTime() - begin, tookCpu = processorTime() - beginCpu;
    running = false;
    if (startWall < 0) {
      startWall = sinceStart();
      startCpu = process();
    }
    if (turns == wall.length) {
      wall = Arrays.copyOf(wall, 2 * turns);
      cpu = Arrays.copyOf(cpu, 2 * turns);
      end = Arrays.copyOf(end, 2 * turns);
    }
    wall[turns] = took;
    cpu[turns] = tookCpu;
    end[turns] = sinceStart();
    ++turns;
  }

  private static void write(String out) {
    if (running)
      endTurn();
    StringBuilder text = new StringBuilder("{\"start\": [" + startWall + ", " + startCpu +
                                           "], \"result\": " + sum + ", \"turns\": [");
    for (int i = 0; i < turns; ++i)
      text.append(i == 0 ? "[" : ", [").append(wall[i]).append(", ").append(cpu[i])
          .append(", ").append(end[i]).append(']');
    text.append("]}\n");
    try (Writer file = new FileWriter(out)) {
      file.write(text.toString());
    } catch (IOException e) {
      System.err.println("lab: " + e);
    }
  }

  private static Method method(Class<?> type) throws NoSuchMethodException {
    try {
      return type.getMethod("run", String[].class);
    } catch (NoSuchMethodException e) {
      return type.getMethod("main", String[].class);
    }
  }

  public static void main(String[] args) throws Throwable {
    String out = args[0], many = args[1];
    Runtime.getRuntime().addShutdownHook(new Thread(() -> write(out)));
    boolean timed = many.endsWith("s");
    long most = Long.parseLong(timed ? many.substring(0, many.length() - 1) : many);
    long until = System.nanoTime() + most * 1000000000L;
    Method run = method(Class.forName(args[2]));
    String[] own = Arrays.copyOfRange(args, 3, args.length);
    try {
      while (timed ? System.nanoTime() < until && turns < MOST : turns < most) {
        beginTurn();
        Object result = run.invoke(null, (Object) own.clone());
        endTurn();
        // Of a run by time the number of turns is not known.
        if (result instanceof Long)
          sum = timed ? (Long) result : sum * 31 + (Long) result;
      }
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    System.exit(0);
  }
}
