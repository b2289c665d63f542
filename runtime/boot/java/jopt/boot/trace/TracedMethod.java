// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.util.Arrays;

/** A method that was entered. */
final class TracedMethod {
  /** Where a code has the number of bytes, below which it has the number. */
  static final int LENGTH_AT = 27;

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

  /** How many arguments follow its enter event. */
  final int arguments;

  /**
   * What its activations are begun with: in the higher half the record of one that has no host, whose number of
   * bytes follows in 4 bits, then the number. Negative numbers are those of methods whose record is another, that
   * open the guard, or whose arguments follow.
   */
  final long code;

  private final int[] exits;

  /** With {@code exits} to enter it opens the guard, and if there are any they close it. */
  TracedMethod(TracedClass type, int number, int event, int[] exits, int arguments) {
    this.type = type;
    this.number = number;
    this.event = event;
    this.exits = exits;
    opens = exits != null;
    isWatched = opens && exits.length > 0;
    isDeep = type.isDeep;
    this.arguments = arguments;
    code = opens || isDeep || arguments > 0 || number >= 1 << 21 ? 1L << 31 | number : code(number);
  }

  private static long code(int number) {
    int length = number < 1 << 7 ? 2 : number < 1 << 14 ? 3 : 4;
    int record = Stream.ENTER << 24;
    for (int i = 1; i < length; i++) {
      int more = i + 1 < length ? 0x80 : 0;
      record |= (number >>> 7 * (i - 1) & 0x7f | more) << 24 - 8 * i;
    }
    return (long) record << 32 | length << LENGTH_AT | number;
  }

  /** That with this number, in the lowest bits. */
  static TracedMethod of(long code) {
    return all[(int) code & (1 << LENGTH_AT) - 1];
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
