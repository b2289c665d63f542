// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.util.Arrays;

/** A method that was entered. */
final class TracedMethod {
  private static volatile TracedMethod[] all = new TracedMethod[64];

  final TracedClass type;

  /** Methods of a run have numbers in the order in which they were entered first. */
  final int number;

  /** The number of its enter event in its class. */
  final int event;

  /** To enter it opens the guard. */
  final boolean opens;

  /** Its exits close the guard. */
  final boolean isWatched;

  /** The number of frames of the JVM is asked for. */
  final boolean isDeep;

  /** None of that. */
  final boolean isPlain;

  private final int[] exits;

  /** With {@code exits} to enter it opens the guard, and if there are any they close it. */
  TracedMethod(TracedClass type, int number, int event, int[] exits) {
    this.type = type;
    this.number = number;
    this.event = event;
    this.exits = exits;
    opens = exits != null;
    isWatched = opens && exits.length > 0;
    isDeep = type.isDeep;
    isPlain = !opens && !isDeep;
  }

  /** That with this number. */
  static TracedMethod of(int number) {
    return all[number];
  }

  /** Those that have their numbers may be asked for. */
  static synchronized void add(TracedMethod method) {
    TracedMethod[] more = all;
    if (method.number >= more.length) more = Arrays.copyOf(more, 2 * method.number);
    more[method.number] = method;
    all = more;
  }

  /** Is it left by that event? */
  boolean isExit(int event) {
    for (int exit : exits) if (exit == event) return true;
    return false;
  }
}
