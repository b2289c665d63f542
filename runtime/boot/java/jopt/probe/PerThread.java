// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * An object for each thread, virtual ones too: what fragments keep from one event to the next. Threads
 * let go of it when the probes leave.
 *
 * @param <T> of the objects
 */
public final class PerThread<T> {
  private static final List<WeakReference<PerThread<?>>> ALL = new ArrayList<>();

  private final Supplier<? extends T> make;
  private volatile ThreadLocal<T> local = new ThreadLocal<>();

  private PerThread(Supplier<? extends T> make) {
    this.make = make;
  }

  /**
   * Makes one.
   *
   * @param make what makes the object of a thread, when that first asks for it
   * @param <T> of the objects
   * @return one in which no thread has an object
   */
  public static <T> PerThread<T> of(Supplier<? extends T> make) {
    PerThread<T> made = new PerThread<>(make);
    Output.begin();
    synchronized (ALL) {
      ALL.removeIf(r -> r.get() == null);
      ALL.add(new WeakReference<>(made));
    }
    return made;
  }

  /**
   * The object of this thread.
   *
   * @return always the same
   */
  public T get() {
    ThreadLocal<T> of = local;
    T value = of.get();
    if (value == null) of.set(value = make.get());
    return value;
  }

  /**
   * Has this thread have another.
   *
   * @param value which; null: one is made when it is asked for
   */
  public void set(T value) {
    if (value == null) local.remove();
    else local.set(value);
  }

  /** No thread has an object any more: without its key it goes. */
  static void forgetAll() {
    synchronized (ALL) {
      for (WeakReference<PerThread<?>> r : ALL) {
        PerThread<?> p = r.get();
        if (p != null) p.local = new ThreadLocal<>();
      }
    }
  }
}
