// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.zip.CRC32;

/**
 * Writes events into a mapped chunk, one writer at a time. What stands before the published length
 * is in the file, whatever becomes of the process. A full chunk is appended to a file of events, and
 * written again from its beginning. docs/DataFormat.md describes all of it.
 */
public abstract class Chunk {
  /** Bytes of a chunk, with its header. */
  public static final int SIZE = 1 << 16;

  /** Bytes before the first event. */
  public static final int HEADER = 48;

  static final int MAGIC = 0x4a4f5043;
  static final int FORMAT = 1;

  /** Kinds of chunks. */
  public static final int DEFINITIONS = 1, ROWS = 2, TRACE = 3, COVERAGE = 4, TESTS = 5;

  // Offsets in the header.
  static final int LENGTH = 32;
  private static final int KIND = 6, THREAD = 8, SEQUENCE = 16, TIME = 24;
  private static final int STATE = 7, CHECKSUM = 36;

  /** Of traces: which stream the chunk is of, and which part of it. */
  protected static final int STREAM = 40, PART = 44;

  private static final AtomicIntegerFieldUpdater<Chunk> ORDER =
      AtomicIntegerFieldUpdater.newUpdater(Chunk.class, "order");

  final int kind;
  private volatile int order;

  /** The chunk; null as long as nothing was written. */
  public ByteBuffer at;

  /** Where the next event goes. */
  public int position;

  /** Counts the chunks of this writer. */
  public int generation;

  /**
   * A writer, which gets its first chunk when it asks for room.
   *
   * @param kind what it writes
   */
  protected Chunk(int kind) {
    this.kind = kind;
  }

  /**
   * Makes room.
   *
   * @param n bytes, far fewer than a chunk has
   * @return false if there is none, so that the data are lost
   */
  public final boolean room(int n) {
    return at != null && position + n <= SIZE || Recorder.renew(this);
  }

  /** The stores before this call are done before those behind it. */
  public final void order() {
    ORDER.lazySet(this, position);
  }

  /**
   * Makes everything up to {@code end} part of the record.
   *
   * @param end where the next event will go
   */
  public final void publish(int end) {
    position = end;
    order();
    at.putInt(LENGTH, end - HEADER);
  }

  /** Begins a chunk in {@code buffer}, which has nothing that is not written elsewhere. */
  final void begin(ByteBuffer buffer, int sequence, long thread, long time) {
    at = buffer;
    generation++;
    buffer.put(STATE, (byte) 0);
    order();
    buffer.putInt(LENGTH, 0);
    int used = position;
    position = HEADER;
    order();
    clear(used);
    order();
    buffer.putInt(0, MAGIC);
    buffer.putShort(4, (short) FORMAT);
    buffer.put(KIND, (byte) kind);
    buffer.putLong(THREAD, thread);
    buffer.putInt(SEQUENCE, sequence);
    buffer.putInt(SEQUENCE + 4, SIZE);
    buffer.putLong(TIME, time);
    begun();
  }

  /** Completes a chunk that was in memory; {@code part} is for those of traces, and the first of a run is 1. */
  static void number(ByteBuffer chunk, int sequence, int part, int end, CRC32 crc) {
    ByteBuffer events = chunk.duplicate();
    events.limit(end).position(HEADER);
    crc.reset();
    crc.update(events);
    chunk.putInt(SEQUENCE, sequence);
    chunk.putInt(LENGTH, end - HEADER);
    chunk.putInt(CHECKSUM, (int) crc.getValue());
    if (chunk.get(KIND) == TRACE) chunk.putInt(PART, part);
    chunk.put(STATE, (byte) 1);
  }

  /** The chunk is full; {@code sum} is that of its events. */
  final void complete(int sum) {
    at.putInt(CHECKSUM, sum);
    order();
    at.put(STATE, (byte) 1);
  }

  /**
   * Begins a chunk in memory, which gets its number when it is written.
   *
   * @param buffer of {@link #SIZE} bytes
   */
  protected final void beginInMemory(ByteBuffer buffer) {
    begin(buffer, 0, threadId(), Recorder.now());
  }

  /**
   * Are its chunks kept in memory, and not in the folder of the run?
   *
   * @return true: {@link #renewInMemory} gives it room
   */
  protected boolean isInMemory() {
    return false;
  }

  /**
   * Makes room in memory.
   *
   * @return false if there is none
   */
  protected boolean renewInMemory() {
    return false;
  }

  /**
   * Removes what the slot has of the chunk before, if the end of its events is to be seen by that.
   *
   * @param used where the last event of that chunk ended
   */
  protected void clear(int used) {}

  /** Writes what every chunk begins with. */
  protected void begun() {}

  /**
   * The thread that writes.
   *
   * @return its number; 0 for none
   */
  protected long threadId() {
    return 0;
  }

  /**
   * The first four bytes of an event.
   *
   * @param event which
   * @param argument a byte
   * @param length of all of the event
   * @return the four bytes
   */
  public static int head(int event, int argument, int length) {
    return event << 24 | argument << 16 | length;
  }

  /**
   * Two numbers as eight bytes.
   *
   * @param high the first
   * @param low the second
   * @return both
   */
  public static long pair(int high, int low) {
    return (long) high << 32 | low & 0xffffffffL;
  }

  /** The end of a piece of {@code text} of up to {@code most} characters, none of which is cut. */
  static int cut(String text, int from, int most) {
    int end = from + most;
    if (end >= text.length()) return text.length();
    return Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
  }

  /**
   * Writes text as class files do.
   *
   * @param to where
   * @param text what
   * @param from its first character
   * @param end behind its last
   * @return where it ends
   */
  public final int text(int to, String text, int from, int end) {
    for (int i = from; i < end; i++) {
      char c = text.charAt(i);
      if (c - 1 < 0x7f && c != 0) {
        at.put(to++, (byte) c);
      } else if (c < 0x800) {
        at.put(to++, (byte) (0xc0 | c >> 6));
        at.put(to++, (byte) (0x80 | c & 0x3f));
      } else {
        at.put(to++, (byte) (0xe0 | c >> 12));
        at.put(to++, (byte) (0x80 | c >> 6 & 0x3f));
        at.put(to++, (byte) (0x80 | c & 0x3f));
      }
    }
    return to;
  }
}
