// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.nio.ByteBuffer;

/** Chunks in memory: so many, and no more. They are made when they are first needed. */
public final class Memory {
  private final int most;
  private final ByteBuffer[] free;
  private int freeCount, made;
  private boolean isClosed;

  /**
   * None at first.
   *
   * @param bytes that all chunks take together
   */
  public Memory(long bytes) {
    most = (int) Math.max(2, Math.min(bytes / Chunk.SIZE, Integer.MAX_VALUE / 2));
    free = new ByteBuffer[most];
  }

  /**
   * How many chunks there may be.
   *
   * @return at least two
   */
  public int size() {
    return most;
  }

  /**
   * Takes a chunk.
   *
   * @param reserved for others: so many chunks stay
   * @return null if there is none, or no memory for it
   */
  public synchronized ByteBuffer take(int reserved) {
    if (isClosed || freeCount + most - made <= reserved) return null;
    if (freeCount > 0) {
      ByteBuffer chunk = free[--freeCount];
      free[freeCount] = null;
      return chunk;
    }
    try {
      ByteBuffer chunk = ByteBuffer.allocateDirect(Chunk.SIZE);
      made++;
      return chunk;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * Gives a chunk back, which nobody writes or reads any more.
   *
   * @param chunk as {@link #take} gave it
   * @param end of its events
   */
  public synchronized void give(ByteBuffer chunk, int end) {
    reuse(chunk, end);
    if (!isClosed) free[freeCount++] = chunk;
  }

  /**
   * The one who has a chunk writes it again.
   *
   * @param chunk as {@link #take} gave it
   * @param end of its events
   */
  public void reuse(ByteBuffer chunk, int end) {
    chunk.putInt(Chunk.LENGTH, end - Chunk.HEADER);
  }

  /**
   * How much of a chunk is to be cleared.
   *
   * @param chunk as {@link #take} gave it
   * @return where the events ended that it had before
   */
  public static int used(ByteBuffer chunk) {
    return Chunk.HEADER + chunk.getInt(Chunk.LENGTH);
  }

  /** Gives out no more. */
  public synchronized void close() {
    isClosed = true;
    while (freeCount > 0) free[--freeCount] = null;
  }
}
