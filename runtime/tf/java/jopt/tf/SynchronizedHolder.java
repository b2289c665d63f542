// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

/**
 * Holds the monitor of a traced class for one of its annotations. The static
 * fields that the enhancer adds are of this type; monitored methods read it at
 * entry. It is safe for any number of threads, and reading takes no lock.
 *
 * @param <T> what is held
 */
public final class SynchronizedHolder<T> {
  private volatile T content;

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
  public void content(T value) {
    content = value;
  }

  @Override
  public String toString() {
    return "SynchronizedHolder[" + content + "]";
  }
}
