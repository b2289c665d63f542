// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Writes events into a mapped chunk, one writer at a time. What stands before the published length
 * is in the file, whatever becomes of the process. A full chunk is appended to a file of events, and
 * written again from its beginning. docs/DataFormat.md describes all of it.
 */
class Chunk {
  static final int SIZE = 1 << 16;
  static final int HEADER = 48;
  static final int MAGIC = 0x4a4f5043;
  static final int FORMAT = 1;

  /** Kinds of chunks. */
  static final int DEFINITIONS = 1, ROWS = 2;

  // Offsets in the header.
  private static final int KIND = 6, THREAD = 8, SEQUENCE = 16, TIME = 24, LENGTH = 32;
  static final int STATE = 7, CHECKSUM = 36;

  private static final AtomicIntegerFieldUpdater<Chunk> ORDER =
      AtomicIntegerFieldUpdater.newUpdater(Chunk.class, "order");

  private final int kind;
  private volatile int order;

  /** The chunk; null as long as nothing was written. */
  ByteBuffer at;

  /** Where the next event goes. */
  int position;

  /** Counts the chunks of this writer. */
  int generation;

  Chunk(int kind) {
    this.kind = kind;
  }

  /** Is there room for {@code n} bytes? If not, what to record is lost. */
  final boolean room(int n) {
    return at != null && position + n <= SIZE || Recorder.renew(this);
  }

  /** The stores before this call are done before those behind it. */
  final void order() {
    ORDER.lazySet(this, position);
  }

  /** Everything up to {@code end} is part of the record. */
  final void publish(int end) {
    position = end;
    order();
    at.putInt(LENGTH, end - HEADER);
  }

  /** Begins a chunk in {@code buffer}, which has nothing that is not written elsewhere. */
  final void begin(ByteBuffer buffer, int sequence, long thread, long time) {
    at = buffer;
    generation++;
    buffer.putInt(LENGTH, 0);
    position = HEADER;
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

  /** What every chunk begins with. */
  void begun() {}

  /** The number of the thread that writes; 0 for none. */
  long threadId() {
    return 0;
  }

  /** The first four bytes of an event. */
  static int head(int event, int argument, int length) {
    return event << 24 | argument << 16 | length;
  }

  /** {@code high} and {@code low} as eight bytes. */
  static long pair(int high, int low) {
    return (long) high << 32 | low & 0xffffffffL;
  }

  /**
   * Writes {@code text} from {@code from} up to {@code end} at {@code to}, as class files do.
   *
   * @return where it ends
   */
  final int text(int to, String text, int from, int end) {
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
