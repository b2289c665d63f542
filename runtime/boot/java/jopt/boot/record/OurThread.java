// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * A thread that keeps nothing of the program alive: not what the thread that makes it lets others
 * inherit, nor the loaders of all that are on the stack. It is a daemon, and in the group that all
 * others are below, where a program that lists the threads of its own group does not find it.
 */
public final class OurThread implements PrivilegedAction<Thread>, Thread.UncaughtExceptionHandler {
  private final Runnable body;
  private final String name;

  private OurThread(Runnable body, String name) {
    this.body = body;
    this.name = name;
  }

  /**
   * Makes one.
   *
   * @param body what it does
   * @param name its name
   * @return one that is not started
   */
  public static Thread make(Runnable body, String name) {
    return AccessController.doPrivileged(new OurThread(body, name));
  }

  @Override
  public void uncaughtException(Thread thread, Throwable e) {
    try {
      System.err.println("jopt: the thread '" + thread.getName() + "' ends: " + e);
    } catch (Throwable more) {
      // There is not even memory for that.
    }
  }

  @Override
  public Thread run() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) group = group.getParent();
    Thread made;
    try { // Since Java 9.
      made =
          Thread.class
              .getConstructor(ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class)
              .newInstance(group, body, name, 0L, false);
    } catch (ReflectiveOperationException e) {
      made = new Thread(group, body, name);
    }
    made.setDaemon(true);
    made.setContextClassLoader(null);
    // What the program does with exceptions that nobody caught is for its own.
    made.setUncaughtExceptionHandler(this);
    return made;
  }
}
