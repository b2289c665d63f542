// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * What one probe keeps for one class: an object, or that something was done. No lock is held while an
 * object is made: that runs code of others, which may wait for any thread that comes here.
 */
final class Cell {
  final String request;
  Cell next;
  private Object value;
  private volatile boolean done;

  /** Those that are just making the object; with gaps. */
  private Thread[] makers = new Thread[1];

  Cell(String request, Cell next) {
    this.request = request;
    this.next = next;
  }

  boolean isDone() {
    return done;
  }

  /**
   * The object, of the class {@code known} or of the one that is asked for, made by its constructor
   * without parameters: by each thread that comes before there is one, and that of the first to be
   * ready is kept. Null as long as the constructor runs on this thread, and for good if it cannot be
   * called or throws.
   */
  Object get(Class<?> host, Class<?> known) {
    if (done || !begin(Thread.currentThread())) return value;
    String type = request;
    Object made = null;
    boolean isEnd = true;
    try {
      Request r = new Request(request);
      type = r.owner;
      if (r.isKnownOf(host)) {
        Class<?> c = known != null ? known : Hosts.find(type, host);
        isEnd = c != null;
        if (isEnd) {
          Constructor<?> constructor = c.getDeclaredConstructor();
          constructor.setAccessible(true);
          made = constructor.newInstance();
        }
      }
    } catch (InvocationTargetException e) {
      Hosts.tell("no object of " + type + " for " + host.getName(), e.getCause());
    } catch (Throwable e) {
      Hosts.tell("no object of " + type + " for " + host.getName(), e);
    } finally {
      made = end(Thread.currentThread(), made, isEnd);
    }
    return made;
  }

  /** False: that thread is making it already. */
  private synchronized boolean begin(Thread me) {
    int gap = -1;
    for (int i = 0; i < makers.length; i++)
      if (makers[i] == me) return false;
      else if (makers[i] == null) gap = i;
    if (gap < 0) {
      gap = makers.length;
      Thread[] more = new Thread[2 * gap];
      for (int i = 0; i < gap; i++) more[i] = makers[i];
      makers = more;
    }
    makers[gap] = me;
    return true;
  }

  /** The thread has made the object, or knows that there is none; what is kept. */
  private synchronized Object end(Thread me, Object made, boolean isEnd) {
    for (int i = 0; i < makers.length; i++) if (makers[i] == me) makers[i] = null;
    if (isEnd && !done) {
      value = made;
      done = true;
    }
    return value;
  }

  /**
   * Calls {@code method}, if this is the first time. As with a static initialiser others wait for the
   * thread that does, and that thread itself does not.
   */
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
}
