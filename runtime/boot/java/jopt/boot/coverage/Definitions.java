// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import jopt.boot.record.Chunk;

/** The definitions of covered classes, each of which is written once. Only the writer uses it. */
final class Definitions extends Chunk {
  private static final int CLASS = 18, RULES = 19, TEST = 20;

  /** Characters of the rules in one event, and of a name at most: class files' names may be longer, no file's is. */
  private static final int PIECE = 10_000;

  private static final int STRATEGY = 100;

  private static final Definitions all = new Definitions();
  private static int classes, tests;

  private Definitions() {
    super(DEFINITIONS);
  }

  /** Defines the class of that array, and gives it a number; 0 if it cannot be recorded. */
  static int define(CoveredArray of) {
    if (of.name.length() > PIECE || of.strategy.length() > STRATEGY) return 0;
    int number = ++classes; // also where it fails half-way
    for (int i = 0; i < of.rules.length; i++)
      if (!all.rules(number, (String) of.rules[i])) return 0;
    return all.define(number, of) ? number : 0;
  }

  /** Gives a test a number; 0 if it cannot be recorded. */
  static int defineTest(String name, boolean isAround) {
    return all.test(++tests, name, isAround) ? tests : 0;
  }

  private boolean test(int number, String name, boolean isAround) {
    int length = Math.min(PIECE, name.length());
    if (!room(8 + 3 * PIECE)) return false;
    int to = text(position + 8, name, 0, length);
    at.putLong(position, pair(head(TEST, isAround ? 1 : 0, to - position), number));
    publish(to);
    return true;
  }

  private boolean rules(int number, String text) {
    for (int from = 0; from < text.length(); ) {
      int end = Math.min(text.length(), from + PIECE);
      if (!room(8 + 3 * PIECE)) return false;
      int to = text(position + 8, text, from, end);
      at.putLong(position, pair(head(RULES, 0, to - position), number));
      publish(to);
      from = end;
    }
    return true;
  }

  private boolean define(int number, CoveredArray of) {
    if (!room(24 + 3 * (PIECE + STRATEGY))) return false;
    int to = text(position + 24, of.strategy, 0, of.strategy.length());
    int length = to - position - 24;
    to = text(to, of.name, 0, of.name.length());
    at.putLong(position, pair(head(CLASS, of.isCounts() ? 1 : 0, to - position), number));
    at.putLong(position + 8, of.id);
    at.putLong(position + 16, pair(of.length, length));
    publish(to);
    return true;
  }
}
