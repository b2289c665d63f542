// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Lines for whoever follows the probes ({@code jopt attach PID --follow}). A fragment that prints one
 * waits for nobody: what finds no place, as it is not read in time, is counted and dropped. Where
 * nobody follows, lines are dropped uncounted.
 */
public final class Client {
  /** Lines that wait; a power of two. */
  private static final int MOST = 1 << 13;

  /** About what is taken at a time. */
  private static final int PORTION = 1 << 18;

  private static final AtomicReferenceArray<String> LINES = new AtomicReferenceArray<>(MOST);
  private static final int MOST_UNDONE = 100;
  private static final List<String> UNDONE = new ArrayList<>();
  private static final AtomicLong GIVEN = new AtomicLong();
  private static final AtomicLong DROPPED = new AtomicLong();
  private static volatile long taken;
  private static volatile boolean isFollowed;
  private static volatile Runnable beforeTaking;

  private Client() {}

  /**
   * Prints a line, from any thread. Takes no lock. Whoever reads takes a line for an event, unless it
   * begins with a blank; further lines of a text get one.
   *
   * @param line any text; null is "null"
   */
  public static void println(Object line) {
    if (!isFollowed) return;
    String text = String.valueOf(line);
    if (text == null) text = "null";
    long n;
    do {
      n = GIVEN.get();
      if (n - taken >= MOST) {
        DROPPED.incrementAndGet();
        return;
      }
    } while (!GIVEN.compareAndSet(n, n + 1));
    LINES.set((int) n & MOST - 1, text);
  }

  /**
   * Says what was asked for and could not be done. The one who follows then ends with a status that says so, too.
   *
   * @param line one line
   */
  public static void undone(String line) {
    synchronized (UNDONE) {
      if (UNDONE.size() < MOST_UNDONE) UNDONE.add(line);
    }
  }

  /**
   * Takes what could not be done.
   *
   * @return UTF-8, a line for each; null if there are none
   */
  static byte[] takeUndone() {
    synchronized (UNDONE) {
      if (UNDONE.isEmpty()) return null;
      StringBuilder text = new StringBuilder();
      for (String line : UNDONE) append(text, line);
      UNDONE.clear();
      return text.toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  /**
   * Does anybody follow? Where nobody does, a line need not even be made.
   *
   * @return false if {@link #println} would do nothing
   */
  public static boolean isFollowed() {
    return isFollowed;
  }

  /**
   * Has something done before lines are fetched: for those who hold some back.
   *
   * @param last what; it takes no time
   */
  public static void beforeTaking(Runnable last) {
    beforeTaking = last;
  }

  /** Tells whether anybody follows; called by the agent, as the methods below. */
  static void follow(boolean is) {
    isFollowed = is;
  }

  /**
   * Takes the oldest lines.
   *
   * @return UTF-8, each with its end; null if there are none
   */
  static byte[] take() {
    if (beforeTaking != null) beforeTaking.run();
    StringBuilder text = null;
    for (long n = taken; n < GIVEN.get(); n++) {
      int at = (int) n & MOST - 1;
      String line = LINES.get(at);
      if (line == null) break; // Its thread is about to.
      if (text == null) text = new StringBuilder();
      append(text, line);
      LINES.set(at, null);
      taken = n + 1;
      if (text.length() > PORTION) break;
    }
    return text == null ? null : text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void append(StringBuilder to, String text) {
    for (int from = 0; ; ) {
      int end = text.indexOf('\n', from);
      if (from > 0 && from < text.length() && text.charAt(from) != ' ') to.append(' ');
      to.append(text, from, end < 0 ? text.length() : end).append('\n');
      if (end < 0) return;
      from = end + 1;
    }
  }

  /**
   * Takes the count of lines that were dropped.
   *
   * @return how many since it was last asked for
   */
  static long takeDropped() {
    return DROPPED.getAndSet(0);
  }
}
