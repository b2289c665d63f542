// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.io.IOException;
import java.util.ArrayList;
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

  private final Writer writer;

  /** Nanoseconds between two outputs; 0: only at the end. */
  private final long pause;

  private long next;

  private Output(Writer writer, int seconds) {
    this.writer = writer;
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
      for (Output o : ALL) if (o.writer.where.equals(where)) return;
      Writer writer;
      try {
        writer = Writer.make(where);
      } catch (IOException | RuntimeException | LinkageError e) {
        System.err.println("jopt: output " + where + ": " + e.getMessage());
        return;
      }
      ALL.add(new Output(writer, seconds));
      if (seconds > 0 && ticker == null) {
        ticker = OurThread.make(new Output(null, 0), "jopt output");
        ticker.start();
      }
      LOCK.notifyAll();
    }
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
    Samples s = Samples.take();
    if (last.isEmpty() && Writer.hasNews(s)) last = Collections.singletonList(new Output(Writer.text(), 0));
    for (Output o : last) {
      o.tell(s);
      o.writer.close();
    }
    Registry.retire();
    PerThread.forgetAll();
    top = 20;
  }

  /** Probes that left do not count any more: what they counted since the end is of nobody. */
  static void settle() {
    Registry.resetRetired();
  }

  private void tell(Samples s) {
    try {
      writer.write(s);
    } catch (IOException | RuntimeException e) {
      System.err.println("jopt: output " + writer.where + ": " + e.getMessage());
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
      Samples s = Samples.take();
      synchronized (LOCK) {
        for (Output o : due) if (ALL.contains(o)) o.tell(s);
      }
    }
  }
}
