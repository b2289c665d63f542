// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/**
 * Holds the monitor of a traced class for one of its annotations. The static
 * fields that the enhancer adds are of this type; monitored methods read it at
 * entry. It is safe for any number of threads, and reading takes no lock.
 *
 * @param <T> what is held
 */
public final class SynchronizedHolder<T> {
  private volatile T content;
  /** Gives the content as a constant; null until somebody asks for it. */
  private MutableCallSite site;

  /** Makes a holder of null. */
  public SynchronizedHolder() {}

  /**
   * Makes a holder.
   *
   * @param content what it holds
   */
  public SynchronizedHolder(T content) {
    this.content = content;
  }

  /**
   * Gives what is held.
   *
   * @return the content, or null
   */
  public T content() {
    return content;
  }

  /**
   * Replaces what is held.
   *
   * @param value the new content, or null
   */
  public synchronized void content(T value) {
    content = value;
    if (site != null) {
      bind();
      MutableCallSite.syncAll(new MutableCallSite[] {site});
    }
  }

  /** A call site that gives the content, the same one for all who ask. */
  synchronized MutableCallSite site(MethodType type) {
    if (site == null) {
      site = new MutableCallSite(type);
      bind();
    }
    return site;
  }

  private void bind() {
    MethodType type = site.type();
    site.setTarget(MethodHandles.constant(type.returnType(), content));
  }

  @Override
  public String toString() {
    return "SynchronizedHolder[" + content + "]";
  }
}
