// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * What one probe keeps for one class: an object, or that something was done. As with a static
 * initialiser others wait for the thread that makes it, and that thread itself does not.
 */
final class Cell {
  final String request;
  Cell next;
  private Object value;
  private volatile boolean done;

  Cell(String request, Cell next) {
    this.request = request;
    this.next = next;
  }

  boolean isDone() {
    return done;
  }

  /**
   * The object, of the class {@code known} or of the one that is asked for, made by its constructor
   * without parameters. Null as long as that runs on this thread, and for good if it cannot be
   * called or throws.
   */
  Object get(Class<?> host, Class<?> known) {
    if (done || Thread.holdsLock(this)) return value;
    synchronized (this) {
      if (done) return value;
      String type = request;
      try {
        Request r = new Request(request);
        type = r.owner;
        if (r.isKnownOf(host)) {
          Class<?> c = known != null ? known : Hosts.find(type, host);
          if (c == null) return null;
          Constructor<?> constructor = c.getDeclaredConstructor();
          constructor.setAccessible(true);
          value = constructor.newInstance();
        }
      } catch (InvocationTargetException e) {
        Hosts.tell("no object of " + type + " for " + host.getName(), e.getCause());
      } catch (Throwable e) {
        Hosts.tell("no object of " + type + " for " + host.getName(), e);
      }
      done = true;
      return value;
    }
  }

  /** Calls {@code method}, if this is the first time. */
  void run(MethodHandle method, Object[] arguments) throws Throwable {
    if (done || Thread.holdsLock(this)) return;
    synchronized (this) {
      if (done) return;
      try {
        method.invokeWithArguments(arguments);
      } finally {
        done = true;
      }
    }
  }

  /** There is nothing to run. */
  void giveUp() {
    done = true;
  }
}
