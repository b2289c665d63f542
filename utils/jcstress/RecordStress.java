//===- utils/jcstress/RecordStress.java - records while they are made -----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package jopt.boot.record;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.*;
import org.openjdk.jcstress.infra.results.*;

/** Who reads while another writes finds what was written before, whole, or nothing. */
public class RecordStress {
  private RecordStress() {}

  /** A key that is known by more than its identity. */
  static final class Key {
    String text; // not final: it shows whether the key was published

    Key(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return text.equals(((Key) other).text);
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @JCStressTest
  @Outcome(id = {"0, 0", "1, 0", "0, 2", "1, 2"}, expect = Expect.ACCEPTABLE, desc = "its number, or none yet")
  @State
  public static class Finding {
    final Interned all = new Interned();

    @Actor
    public void writer() {
      all.add(new Key("a"), 1);
      all.add(new Key("b"), 1);
    }

    @Actor
    public void reader(II_Result r) {
      r.r1 = all.find(new Key("a"), 1);
      r.r2 = all.find(new Key("b"), 1);
    }
  }

  @JCStressTest
  @Outcome(id = {"0", "7"}, expect = Expect.ACCEPTABLE, desc = "nothing yet, or all of the event")
  @State
  public static class Publishing {
    /** Writes into memory of its own. */
    static final class Events extends Chunk {
      Events() {
        super(ROWS);
        at = ByteBuffer.allocate(128);
        position = HEADER;
      }
    }

    final Events events = new Events();

    @Actor
    public void writer() {
      int at = events.position;
      events.at.putInt(at, 3);
      events.at.putInt(at + 4, 4);
      events.publish(at + 8);
    }

    @Actor
    public void reader(I_Result r) {
      ByteBuffer at = events.at;
      // At LENGTH.
      int length = at.getInt(32);
      if (length == 0) return;
      r.r1 = length != 8 ? -1 : at.getInt(Chunk.HEADER) + at.getInt(Chunk.HEADER + 4);
    }
  }
}
