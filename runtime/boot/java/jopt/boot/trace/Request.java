// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import jopt.boot.record.Chunk;
import jopt.boot.record.KeptRun;
import jopt.boot.record.Memory;

/** The events of a thread from the begin of a call to its end, in memory: the last ones, if there are too many. */
public final class Request {
  final Memory memory;
  private final int most;

  /** That of the call's activation; 0: its method is not traced. */
  int level;

  /** Runs when it has its last event; null: its call goes on. */
  Runnable next;

  private ByteBuffer[] chunks = new ByteBuffer[4];
  private int[] ends = new int[4];
  private int count;
  private long bytes, overwritten;

  Request(Memory memory) {
    this.memory = memory;
    most = Math.max(1, memory.size() / 4);
  }

  /**
   * A chunk is full.
   *
   * @return where events go on
   */
  ByteBuffer add(ByteBuffer chunk, int end) {
    end(chunk, end);
    ByteBuffer next = count < most ? memory.take(0) : null;
    if (next != null) return next;
    next = chunks[0];
    memory.reuse(next, ends[0]);
    overwritten += ends[0] - Chunk.HEADER;
    bytes -= ends[0] - Chunk.HEADER;
    count--;
    System.arraycopy(chunks, 1, chunks, 0, count);
    System.arraycopy(ends, 1, ends, 0, count);
    return next;
  }

  /** The last chunk. */
  void end(ByteBuffer chunk, int end) {
    if (count == chunks.length) {
      ByteBuffer[] more = new ByteBuffer[2 * count];
      System.arraycopy(chunks, 0, more, 0, count);
      chunks = more;
      int[] moreEnds = new int[2 * count];
      System.arraycopy(ends, 0, moreEnds, 0, count);
      ends = moreEnds;
    }
    chunks[count] = chunk;
    ends[count++] = end;
    bytes += end - Chunk.HEADER;
  }

  /**
   * How large it is.
   *
   * @return bytes of the events that are there
   */
  public long bytes() {
    return bytes;
  }

  /**
   * The size of the part that is missing.
   *
   * @return bytes of the first events, in whose place later ones stand
   */
  public long overwritten() {
    return overwritten;
  }

  /** Its events are not needed any more. */
  public void drop() {
    while (count > 0) {
      count--;
      memory.give(chunks[count], ends[count]);
    }
  }

  /**
   * Writes it as a run of its own, and drops it.
   *
   * @param folder for runs
   * @param more lines that say what it is, such as {@code key=value}
   * @return the id of the run
   * @throws IOException if it cannot be written
   */
  public String write(File folder, String... more) throws IOException {
    try {
      KeptRun run = KeptRun.make(folder);
      Definitions.write(run);
      ByteBuffer[] all = new ByteBuffer[count];
      System.arraycopy(chunks, 0, all, 0, count);
      run.write("events", all, ends);
      run.end(more);
      return run.id();
    } finally {
      drop();
    }
  }
}
