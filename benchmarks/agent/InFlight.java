//===- benchmarks/agent/InFlight.java - loops before and after probes ------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import com.sun.management.OperatingSystemMXBean;
import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.VirtualMachine;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * InFlight WHAT WAIT MODE COUNT LIBRARY OPTIONS: prints the processors' nanoseconds for a turn
 * before and so many seconds after something happened to the JVM, which had as much time
 * to warm up.
 *
 * WHAT is loops, 16 threads in endless ones that call methods of another class; or the
 * class of a server, which 32 threads ask. MODE says what happens: attach (COUNT times,
 * then off), pairs (COUNT of attach and off), again (LIBRARY is the archive of this as
 * an agent, which has the classes that a file, OPTIONS, names as class files do, each
 * on a line, retransformed, unchanged, COUNT times), none. Exit status: 1 if it failed.
 */
public final class InFlight {
  private InFlight() {}

  static final int THREADS = 16, APART = 16;
  static class Work {
    int x;
    void step() { x = x * 31 + 7; }
  }
  static final long[] turns = new long[THREADS * APART];
  static volatile boolean stop;
  static Instrumentation agent;

  static Runnable loop(int n) {
    return () -> {
      Work w = new Work();
      while (!stop) {
        w.step();
        w.step();
        turns[n * APART]++;
      }
      System.err.print(w.x == 0 ? " " : "");
    };
  }
  static void start(Runnable loop) {
    Thread t = new Thread(loop);
    t.setDaemon(true);
    t.start();
  }
  static LongSupplier loops() {
    for (int i = 0; i < THREADS; i++)
      start(loop(i));
    return () -> {
      long all = 0;
      for (long t : turns) all += t;
      return all;
    };
  }
  /** Of processors, so that what else the machine does counts for little. */
  static double nanoseconds(LongSupplier turns) throws InterruptedException {
    OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = turns.getAsLong(), begin = os.getProcessCpuTime();
    Thread.sleep(4000);
    return (os.getProcessCpuTime() - begin) / (double) (turns.getAsLong() - before);
  }

  /** As an agent. */
  public static void agentmain(String options, Instrumentation it) { agent = it; }

  static VirtualMachine self;
  static void attach(String library, String options) throws Exception {
    try {
      self.loadAgentPath(library, options);
    } catch (AgentInitializationException e) {
      if (e.returnValue() != 106) // some classes are left for later
        throw e;
    }
  }
  /** As ours: so many at once, and where the JVM refuses one of them the others nevertheless. */
  static final int BATCH = 64;
  static void retransform(Class<?>[] batch) throws UnmodifiableClassException {
    try {
      agent.retransformClasses(batch);
    } catch (InternalError | LinkageError e) {
      if (batch.length == 1)
        return;
      int half = batch.length / 2;
      retransform(Arrays.copyOf(batch, half));
      retransform(Arrays.copyOfRange(batch, half, batch.length));
    }
  }
  static void happen(String mode, int count, String library, String options) throws Exception {
    if (mode.equals("none"))
      return;
    self = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
    if (mode.equals("again")) {
      self.loadAgent(library);
      Set<String> names = Set.copyOf(Files.readAllLines(Path.of(options)));
      Class<?>[] same = Stream.of(agent.getAllLoadedClasses())
          .filter(c -> names.contains(c.getName().replace('.', '/')))
          .toArray(Class<?>[]::new);
      for (int i = 0; i < count; i++)
        for (int from = 0; from < same.length; from += BATCH)
          retransform(Arrays.copyOfRange(same, from, Math.min(from + BATCH, same.length)));
      return;
    }
    for (int i = 0; i < count; i++) {
      attach(library, options);
      if (mode.equals("pairs") || i == count - 1)
        attach(library, "off");
    }
  }

  /** Ends the JVM in any case: the threads of servers would keep it. */
  public static void main(String[] args) {
    try {
      measure(args);
      System.exit(0);
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
  }
  static void measure(String[] args) throws Exception {
    LongSupplier turns = args[0].equals("loops") ? loops()
        : (LongSupplier) Class.forName(args[0]).getMethod("start").invoke(null);
    long pause = (long) (Double.parseDouble(args[1]) * 1000);
    Thread.sleep(5000 + pause); // as warm as afterwards
    double before = nanoseconds(turns);
    happen(args[2], Integer.parseInt(args[3]), args[4], args[5]);
    Thread.sleep(pause);
    double after = nanoseconds(turns);
    System.out.println("{\"before\": " + before + ", \"after\": " + after + "}");
  }
}
