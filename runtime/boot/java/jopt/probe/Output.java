// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import jopt.boot.Client;
import jopt.boot.record.OurThread;

/**
 * Where metrics go: to those who follow the probes, to a file, to the flight recorder, to beans, to who
 * asks a port. By themselves they go as text to who follows, else to standard error, when the probes
 * leave (`off`) or the program ends.
 */
public final class Output implements Runnable {
  private static final List<Output> ALL = new ArrayList<>();
  private static final Object LOCK = new Object();
  private static boolean isBegun;
  private static Thread ticker;
  private static volatile int top = 20;

  /** How often the thread looks whether somebody follows by now. */
  private static final long LOOK = 100_000_000;

  private final Writer writer;

  /** Nanoseconds between two outputs; 0: only at the end. */
  private final long pause;

  /** The metric that it prints; null: all. */
  private final Metric only;

  /** It prints to a follower alone: standard error belongs to the program. */
  private final boolean isForFollower;

  private long next;

  private Output(Writer writer, int seconds) {
    this(writer, seconds, null, false);
  }

  private Output(Writer writer, int seconds, Metric only, boolean isForFollower) {
    this.writer = writer;
    this.only = only;
    this.isForFollower = isForFollower;
    pause = seconds * 1_000_000_000L;
    next = System.nanoTime() + pause;
  }

  /**
   * Prints to {@code where} when the probes are taken out or the program ends. Once for each place.
   *
   * @param where {@code text}, {@code csv}, {@code json}, {@code folded} or {@code otlp}, with {@code :FILE} behind
   *     it or without: to who follows the probes, else to standard error; {@code jfr}; {@code mbean}; {@code
   *     prometheus:PORT}, of this machine alone, 0 for one that is free
   */
  public static void to(String where) {
    to(where, 0);
  }

  /**
   * Prints every so many seconds, too. Beans and the port always show the current values.
   *
   * @param where as before
   * @param seconds between two times
   */
  public static void to(String where, int seconds) {
    begin();
    synchronized (LOCK) {
      for (Output o : ALL) if (o.only == null && o.writer.where.equals(where)) return;
      Writer writer;
      try {
        writer = Writer.make(where);
      } catch (IOException | RuntimeException | LinkageError e) {
        System.err.println("jopt: output " + where + ": " + e.getMessage());
        return;
      }
      add(new Output(writer, seconds));
    }
  }

  /** Under the lock. */
  private static void add(Output o) {
    ALL.add(o);
    if (o.pause > 0 && ticker == null) {
      ticker = OurThread.make(new Output(null, 0), "jopt output");
      ticker.start();
    }
    LOCK.notifyAll();
  }

  /**
   * Prints one metric until {@link #end(Metric)}, to who follows the probes, else to standard error.
   *
   * @param metric which
   * @param format {@code text} or {@code json}
   * @param seconds between two times; 0: only at the end
   * @param followed only to who follows: the time between begins when somebody does
   */
  public static void only(Metric metric, String format, int seconds, boolean followed) {
    begin();
    rehearse();
    metric.isRetired = false;
    synchronized (LOCK) {
      add(new Output(Writer.lines(format), seconds, metric, followed));
    }
  }

  /** Counts for nobody: what the first count takes is then no time of the program's call. */
  private static void rehearse() {
    Monitor monitor = new Monitor("");
    monitor.record("", 1, false);
    Times times = new Times("");
    times.end(times.begin(1));
    Keyed<Counter> counters = Keyed.of("", () -> new Counter(""));
    counters.of(new Object()).add();
    Stacks.caller();
    Format.of("text").lines(Samples.take(Arrays.asList(monitor, times, counters)), true);
  }

  /**
   * Prints a metric for the last time, and resets it.
   *
   * @param metric that of {@link #only}
   */
  public static void end(Metric metric) {
    List<Output> last = new ArrayList<>();
    synchronized (LOCK) {
      for (Output o : ALL) if (o.only == metric) last.add(o);
      ALL.removeAll(last);
    }
    for (Output o : last) o.tell();
    metric.isRetired = true;
    metric.reset();
    top = 20;
  }

  /**
   * How many keys of a {@link Keyed} are printed: the largest.
   *
   * @param keys their number
   */
  public static void top(int keys) {
    top = keys;
  }

  static int top() {
    return top;
  }

  /**
   * Prints a line, or several, to who follows the probes, else on standard error.
   *
   * @param text any
   */
  public static void println(Object text) {
    if (Client.isFollowed()) Client.println(text);
    else System.err.println(SafeText.lines(String.valueOf(text)));
  }

  /** Says what was asked for and could not be done; who follows then ends with a status that says so, too. */
  static void undone(String what) {
    String line = "jopt: " + SafeText.line(what);
    if (Client.isFollowed()) Client.undone(line);
    else System.err.println(line);
  }

  /** Tells all places now. */
  public static void flush() {
    Samples s = Samples.take();
    synchronized (LOCK) {
      for (Output o : ALL) o.tell(s);
    }
  }

  /** Somebody measures: told at the end of the program, too. */
  static void begin() {
    synchronized (LOCK) {
      if (isBegun) return;
      isBegun = true;
    }
    try {
      Runtime.getRuntime().addShutdownHook(OurThread.make(Output::end, "jopt output end"));
    } catch (IllegalStateException e) {
      // The program ends: the agent says so once more, and else nobody.
    }
  }

  /** The probes are taken out, or the program ends: prints all, closes the places, and resets metrics. */
  static void end() {
    Life.endAll();
    List<Output> last;
    synchronized (LOCK) {
      if (!isBegun) return;
      last = new ArrayList<>(ALL);
      ALL.clear();
      ticker = null;
      LOCK.notifyAll();
    }
    try {
      Samples s = Samples.take();
      if (last.isEmpty() && Writer.hasNews(s))
        last = Collections.singletonList(new Output(Writer.lines("text"), 0));
      for (Output o : last) {
        o.tell(s);
        o.writer.close();
      }
    } finally {
      Registry.retire();
      PerThread.forgetAll();
      MethodNames.forget();
      top = 20;
    }
  }

  /** Probes that left do not count any more: what they counted since the end is of nobody. */
  static void settle() {
    Registry.resetRetired();
  }

  private void tell() {
    tell(only == null ? Samples.take() : null);
  }

  /** Tells all metrics, which are {@code all}, or its own. Whatever fails, the next time may not. */
  private void tell(Samples all) {
    if (isForFollower && !Client.isFollowed()) return;
    try {
      Samples s = only == null ? all : Samples.take(Collections.singletonList(only));
      writer.write(s);
      for (String failed : s.failed) undone(failed);
    } catch (Throwable e) {
      undone("output " + writer.where + ": " + (e instanceof IOException ? e.getMessage() : e));
    }
  }

  /** Of the thread that tells each so many seconds. It waits in Java: a JVM's exit does not wait for it. */
  @Override
  public void run() {
    while (true) {
      List<Output> due = new ArrayList<>();
      synchronized (LOCK) {
        if (ticker != Thread.currentThread()) return;
        long now = System.nanoTime(), least = Long.MAX_VALUE;
        for (Output o : ALL) {
          if (o.pause == 0) continue;
          if (o.isForFollower && !Client.isFollowed()) {
            o.next = now + o.pause;
            least = Math.min(least, LOOK);
            continue;
          }
          if (o.next - now <= 0) {
            due.add(o);
            o.next = Math.max(o.next + o.pause, now);
          }
          least = Math.min(least, o.next - now);
        }
        if (due.isEmpty()) {
          try {
            if (least == Long.MAX_VALUE) LOCK.wait();
            else LOCK.wait(least / 1_000_000 + 1);
          } catch (InterruptedException e) {
            // Somebody interrupts all threads there are.
          }
          continue;
        }
      }
      Samples s = due.stream().allMatch(o -> o.only != null) ? null : Samples.take();
      synchronized (LOCK) {
        for (Output o : due) if (ALL.contains(o)) o.tell(s);
      }
    }
  }
}
