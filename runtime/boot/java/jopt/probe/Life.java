// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * What a probe does when it comes and when it goes: fragments {@code onAttach} and {@code onDetach}. The
 * class of the probe keeps the object, and nothing else does: one that is unloaded is over without a word.
 */
public abstract class Life {
  private static final List<WeakReference<Life>> ALL = new ArrayList<>();

  private boolean isOver;

  /** The probe comes: does what {@link #onAttach} says. */
  protected Life() {
    Output.begin();
    synchronized (ALL) {
      ALL.removeIf(r -> r.get() == null);
      ALL.add(new WeakReference<>(this));
    }
    begin();
  }

  /**
   * Runs when the probe is put in.
   *
   * @throws Throwable jopt prints it on standard error
   */
  protected void onAttach() throws Throwable {}

  /**
   * Runs when the probe is taken out, or the program ends. Its metrics are printed after that.
   *
   * @throws Throwable jopt prints it on standard error
   */
  protected void onDetach() throws Throwable {}

  private void begin() {
    try {
      onAttach();
    } catch (Throwable e) {
      tell("onAttach", e);
    }
  }

  private void tell(String what, Throwable e) {
    System.err.println("jopt: " + what + " of " + probe() + " throws " + e);
  }

  /** The class of the probe, in which this one is nested. */
  private String probe() {
    String name = getClass().getName();
    return name.substring(0, name.lastIndexOf('$'));
  }

  /** The probes leave. */
  static void endAll() {
    for (Life life : all()) life.end();
  }

  /** That probe leaves, of which a class, or one nested in it, was at work. */
  static void end(Class<?> c) {
    for (Life life : all()) if (life.isOf(c)) life.end();
  }

  private void end() {
    synchronized (this) {
      if (isOver) return;
      isOver = true;
    }
    Leaving leaves = new Leaving(this);
    try {
      leaves.start();
    } catch (Throwable e) {
      leaves.run(); // The program has no thread to give.
      return;
    }
    try {
      leaves.join(LONGEST);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (leaves.isAlive())
      System.err.println("jopt: onDetach of " + probe() + " takes more than " + LONGEST / 1000
          + " s: the probes leave without waiting for it");
  }

  /** The time in milliseconds that the others wait for one that leaves. */
  private static final long LONGEST = 5000;

  /** Runs {@code onDetach}: whoever takes probes out may be the only thread that takes attaches. */
  private static final class Leaving extends Thread {
    private final Life life;

    Leaving(Life life) {
      super("jopt onDetach");
      this.life = life;
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        life.onDetach();
      } catch (Throwable e) {
        life.tell("onDetach", e);
      }
    }
  }

  private boolean isOf(Class<?> c) {
    String name = c.getName(), probe = probe();
    return getClass().getClassLoader() == c.getClassLoader()
        && (name.equals(probe) || name.startsWith(probe + "$"));
  }

  private static List<Life> all() {
    List<Life> found = new ArrayList<>();
    synchronized (ALL) {
      for (WeakReference<Life> r : ALL) {
        Life life = r.get();
        if (life != null) found.add(life);
      }
    }
    return found;
  }

  /** A class of a probe, or one nested in it, is at work: if it left before, it comes again. */
  static void again(Class<?> c) {
    for (Life life : all()) {
      if (!life.isOf(c)) continue;
      synchronized (life) {
        if (!life.isOver) continue;
        life.isOver = false;
      }
      life.begin();
    }
  }
}
