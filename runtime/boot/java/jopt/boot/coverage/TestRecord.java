// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.util.LinkedHashMap;
import java.util.Map;
import jopt.boot.record.Chunk;
import jopt.boot.record.Recorder;

/** A test that runs, and what it reached up to now. It is recorded when it ends. Used under the writer's lock. */
final class TestRecord {
  /** Where the record has them. Full chunks are appended to a file. */
  static final class Events extends Chunk {
    private static final int REACHED = 1, END = 2;

    /** Bytes of bits in one piece, and of pieces in one event. */
    private static final int PIECE = 4000, EVENT = 12_000;

    private static final Events all = new Events();

    /** Of the event that is being written: where it ends. */
    private int end;

    private int pieces;

    private Events() {
      super(TESTS);
    }

    boolean write(TestRecord test) {
      pieces = 0;
      if (!begin()) return false;
      for (Map.Entry<CoveredClass, boolean[]> each : test.reached.entrySet())
        if (!write(test, each.getKey().number, each.getValue())) return false;
      finish(test);
      if (!room(28)) return false;
      at.putLong(position, pair(head(END, test.isShared ? 1 : 0, 28), test.number));
      at.putLong(position + 8, test.since);
      at.putLong(position + 16, test.until);
      at.putInt(position + 24, pieces);
      publish(position + 28);
      return true;
    }

    private boolean begin() {
      if (!room(EVENT + PIECE + 18)) return false;
      end = position + 8;
      return true;
    }

    private void finish(TestRecord test) {
      if (end == position + 8) return;
      at.putLong(position, pair(head(REACHED, 0, end - position), test.number));
      publish(end);
    }

    /** The bytes between the first and the last one that has a bit. */
    private boolean write(TestRecord test, int type, boolean[] from) {
      int first = 0, last = from.length;
      while (first < last && !from[first]) first++;
      while (first < last && !from[last - 1]) last--;
      for (int i = first & ~7; i < last; i += 8 * PIECE) {
        if (end - position > EVENT) {
          finish(test);
          if (!begin()) return false;
        }
        write(type, from, i, Math.min(last, i + 8 * PIECE));
      }
      return true;
    }

    private void write(int type, boolean[] from, int first, int last) {
      int to = end + 10;
      for (int i = first; i < last; i += 8) {
        int bits = 0;
        for (int k = i; k < i + 8 && k < last; k++) if (from[k]) bits |= 1 << k - i;
        at.put(to++, (byte) bits);
      }
      at.putLong(end, pair(type, first));
      at.putShort(end + 8, (short) (to - end - 10));
      end = to;
      pieces++;
    }
  }

  final String name;
  private final long since = Recorder.now();
  private long until;

  /** By which the record knows it; 0 as long as it does not. */
  private int number;

  /** Others ran meanwhile. */
  boolean isShared;

  private final Map<CoveredClass, boolean[]> reached = new LinkedHashMap<>();

  /** Is no test, but what goes on around those of a class: of interest if it reaches something. */
  private final boolean isAround;

  TestRecord(String name, boolean isAround) {
    this.name = name;
    this.isAround = isAround;
  }

  /** Makes it known; false if nothing can be recorded. */
  boolean define() {
    if (isAround && reached.isEmpty()) return false;
    if (number == 0) number = Definitions.defineTest(name, isAround);
    return number != 0;
  }

  void add(CoveredClass type, boolean[] elements) {
    boolean[] own = reached.get(type);
    if (own == null) reached.put(type, own = new boolean[elements.length]);
    for (int i = 0; i < own.length; i++) own[i] |= elements[i];
  }

  void end() {
    until = Recorder.now();
  }

  /** Records what it reached, when it has ended. */
  void write() {
    if (define()) Events.all.write(this);
  }
}
