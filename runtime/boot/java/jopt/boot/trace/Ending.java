// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import jopt.boot.record.OurThread;

/** Says at the end of a program that its trace never began, and what it waited for. */
final class Ending implements Runnable {
  private static Ending waiting;
  private static boolean isOver;

  private final String options;
  private final Thread thread = OurThread.make(this, "jopt trace end");

  /** Some class has the method that is waited for. */
  private boolean isKnown;

  private Ending(String options) {
    this.options = options;
  }

  /**
   * A class is traced.
   *
   * @param declared what it declares
   * @param isEntry it has the method where the trace begins
   */
  static synchronized void add(Declarations declared, boolean isEntry) {
    if (isOver) return;
    if (waiting == null) {
      try {
        waiting = new Ending(declared.options);
        Runtime.getRuntime().addShutdownHook(waiting.thread);
      } catch (Throwable e) { // the program ends already
        isOver = true;
        return;
      }
    }
    waiting.isKnown |= isEntry;
  }

  /** The trace begins. */
  static synchronized void opened() {
    isOver = true;
    if (waiting == null) return;
    try {
      Runtime.getRuntime().removeShutdownHook(waiting.thread);
    } catch (IllegalStateException e) {
      // It runs, or has to wait for this.
    }
    waiting = null;
  }

  @Override
  public void run() {
    Lane lane = Lane.current();
    if (lane != null) lane.take(); // What it calls is not the program's.
    String why = why();
    if (why != null) System.err.println("jopt: nothing was traced: " + why);
  }

  private String why() {
    synchronized (Ending.class) {
      if (isOver) return null;
      String method = Declarations.option(options, "entry-method");
      String type = Declarations.option(options, "entry-class");
      String entry =
          method == null
              ? "main(String[])"
              : method + (type == null ? "" : " of " + type) + " (entry-method=)";
      return isKnown
          ? entry + " was not entered while it could be"
          : "no traced class that ran has " + entry;
    }
  }
}
