// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

/**
 * A list that threads walk through while others add to it, the last one first. It has no lock that
 * anything of the JDK is called with, as all of that may have probes, which may wait for any thread.
 */
final class Chain<T> {
  /** An element, and those that were added before it. */
  static final class Node<T> {
    final T value;
    final Node<T> next;

    /** How many there are from here on. */
    final int length;

    Node(T value, Node<T> next) {
      this.value = value;
      this.next = next;
      length = next == null ? 1 : next.length + 1;
    }
  }

  private volatile Node<T> first;

  /** Null if there is none. */
  Node<T> first() {
    return first;
  }

  synchronized void add(T value) {
    first = new Node<>(value, first);
  }

  /** False, and nothing is done, if {@code seen} is not what {@code first} yields. */
  synchronized boolean replace(Node<T> seen, Node<T> now) {
    if (first != seen) return false;
    first = now;
    return true;
  }
}
