// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import jopt.boot.record.Chunk;
import jopt.boot.record.Memory;
import jopt.boot.record.Recorder;

/**
 * Events in the order in which they were written: those of one platform thread, or those of some
 * virtual threads, which take turns. docs/DataFormat.md says what the bytes mean.
 */
final class Stream extends Chunk {
  /**
   * Bytes from 1 on that are below this one are events: how far from the last one of the activation, plus
   * BEHIND. 0 is no record: there is nothing more.
   */
  static final int NEAR = 0xc0;

  static final int BEHIND = 64;

  /** What else the first byte of a record may be; it is written last. */
  static final int EVENT = 0xc0; // + VALUE, + OBJECT

  static final int VALUE = 1, OBJECT = 2;
  static final int ARRAY = 0xc4; // + VALUE
  static final int ENTER = 0xc8; // + HOST, + DEPTH
  static final int HOST = 1, DEPTH = 2;
  static final int ACTIVE = 0xcc; // + HOST, + DEPTH
  static final int BACK = 0xd0, LATER = 0xd1, AT = 0xd2, THREAD = 0xd3, NAMED = 0xd4;
  static final int LOST = 0xd5, OPENED = 0xd6;

  /** The classes of arguments: of the activation, of the call that the next event is. */
  static final int ARGUMENTS = 0xd7, CALL = 0xd8;

  /** Before that, any event has room. */
  static final int FULL = SIZE - 64;

  /** The most bytes of one event, with the thread's name. */
  static final int MOST = 1024;

  /** Characters of a thread's name. */
  private static final int NAME = 128;
  private static final int HASHES = 128;

  private static final AtomicReferenceFieldUpdater<Stream, Lane> USER =
      AtomicReferenceFieldUpdater.newUpdater(Stream.class, Lane.class, "user");

  private static int count;

  /** Of {@link #state}: where the level begins, and one of it. */
  static final int LEVEL_AT = 16;

  static final long LEVEL = 1L << LEVEL_AT;

  /** Levels up to this one may stand in {@link #state}. */
  static final int HIGHEST = 1 << 15;

  /** Something is known that belongs to the next event. */
  static final long HELD = 1L << 63;

  /** No activation, of no time. */
  static final long NOBODY = 3L << 62;

  /** An event is being written. */
  static final long BUSY = NOBODY | 1;

  /**
   * If the events of the thread's innermost activation need nothing but themselves in the record, and the reader
   * knows which it is: the time of the last event in the higher half, its level in the next 16 bits, and where
   * the next event goes in the lowest ones; {@link #position} is not kept meanwhile. NOBODY if something else is
   * to be done first, and always if threads share this. So one comparison shows whether anything changed, and one
   * store records the new state after an event.
   */
  long state = NOBODY;

  /** The lowest level to which one of them may return as quickly. */
  int floor;

  /** The time of the last event. */
  int tick;

  /** Who wrote the last event. */
  Lane writer;

  /** Whose turn it is; for virtual threads. */
  volatile Lane user;

  /** Hashes that were written; a repeated one is written as its place. */
  final int[] hashes = new int[HASHES];

  /** An event could not be written: what was written last may be in the chunk or not. */
  boolean isBroken;

  /** When and at which level there was no stack left to get a chunk. */
  private int failedAt;

  private int failedBy = Integer.MAX_VALUE;

  /** Behind the last record may be a part of one that was not finished. */
  private boolean isUnclean;

  private int number;
  private int part;

  /** Where chunks in memory come from that this has; null: it has none. */
  private Memory memory;

  /** Of which its events are; null outside of one. */
  private Request request;

  /** Several threads write to it. */
  final boolean isShared;

  /** Some stream wrote to the folder of the run. */
  private static volatile boolean isInFolder;

  /** Takes what is written to a chunk that somebody took away; nobody reads it. */
  private static ByteBuffer nowhere;

  Stream(boolean isShared) {
    super(TRACE);
    this.isShared = isShared;
  }

  /** Events of this JVM are, or were, recorded in a folder. */
  static boolean wasInFolder() {
    return isInFolder;
  }

  /**
   * Takes the turn of {@code lane}, which the caller gives back in any case, and records thread and time.
   *
   * @return false if nothing can be written
   */
  boolean begin(Lane lane) {
    if (Recorder.isOff) return false;
    if (lane.isVirtual) acquire(lane);
    Lane before = writer;
    int chunk = generation;
    boolean isGap = isBroken;
    writer = lane;
    if (!hasRoom()) return false;
    if (isGap) forget();
    if (isUnclean) {
      for (int i = position; i < position + MOST; i++) at.put(i, (byte) 0);
      isUnclean = false;
    }
    if (generation == chunk && (before != lane || lane.generation != chunk || isGap)) {
      if (lane.generation != chunk) name(lane);
      else seal(THREAD, number(position + 1, lane.number));
    }
    if (isGap) seal(LOST, position + 1);
    isBroken = false;
    int now = Clock.tick();
    if (now == Clock.CLOSED) return false;
    if (now != tick) {
      boolean isLater = now > tick;
      seal(isLater ? LATER : AT, number(position + 1, isLater ? now - tick : now));
      tick = now;
    }
    return true;
  }

  /** Is there room for whatever an event may need? If not, it is known that one is missing. */
  boolean hasRoom() {
    // In this order: where requests are recorded no more, the guard was closed before.
    Memory current = Requests.memory;
    if (memory != current) leaveMemory();
    memory = current;
    if (at != null && position + MOST <= SIZE) return true;
    int now = Clock.tick();
    if (now == Clock.CLOSED) return false;
    if (failedAt != now || failedBy > writer.top) {
      if (room(MOST)) return true;
      // Where there is no stack for another chunk it takes long to find that out.
      failedAt = now;
      failedBy = writer.top;
    }
    if (!Recorder.isOff) isBroken = writer.isBroken = true;
    return false;
  }

  private void acquire(Lane lane) {
    for (int tries = 1; user != null || !USER.compareAndSet(this, null, lane); tries++) {
      if (tries % 64 == 0) Thread.yield();
    }
  }

  /**
   * Keeps {@link #position} again; from now on there is nobody.
   *
   * @return the level of the innermost activation; -1 if it is not known here
   */
  int settle() {
    long was = state;
    if (was == NOBODY) return -1;
    state = NOBODY;
    position = (int) was & SIZE - 1;
    return (int) was >>> LEVEL_AT;
  }

  /** Nothing is known of the chunk. */
  private void forget() {
    isUnclean = true;
    for (int i = 0; i < HASHES; i++) hashes[i] = 0;
  }

  private static synchronized int next() {
    return ++count;
  }

  @Override
  protected long threadId() {
    return writer.threadId();
  }

  @Override
  protected void clear(int used) {
    int end = Math.min(SIZE, used + MOST);
    for (int i = HEADER; i < end; i += 8) at.putLong(i, 0);
  }

  // Chunks in memory: those of a request are kept until it ends, others are written again and again.

  @Override
  protected boolean isInMemory() {
    return memory != null;
  }

  @Override
  protected boolean renewInMemory() {
    Memory from = memory;
    if (from != Requests.memory) return false;
    if (request != null) {
      at = request.add(at, position);
      position = Memory.used(at);
      beginInMemory(at);
      isUnclean = false;
      return true;
    }
    if (at == null) {
      // Threads without requests leave half of the memory to others; virtual ones have none.
      if (writer.isVirtual || (at = from.take(from.size() / 2)) == null) return false;
      position = Memory.used(at);
    }
    restart();
    return true;
  }

  private void restart() {
    part = 0;
    number = 1;
    beginInMemory(at);
    isUnclean = false; // it was cleared far enough
  }

  /** Another way of recording is at work than when the chunk was taken. */
  private void leaveMemory() {
    at = null;
    request = null;
    memory = null;
  }

  /**
   * A request begins: what was recorded before goes.
   *
   * @return null if there is no room for it
   */
  Request beginRequest(Lane lane, Memory from) {
    if (memory != from) leaveMemory();
    writer = lane;
    memory = from;
    if (at == null) {
      if ((at = from.take(0)) == null) return null;
      position = Memory.used(at);
    }
    isBroken = false;
    if (request != null) request.drop(); // its call never ended
    request = new Request(from);
    restart();
    seal(OPENED, position + 1);
    lane.forget();
    // The first event of the call has been recorded: probes come behind it.
    Activation first = lane.top > 0 ? lane.levels[lane.top] : null;
    if (first != null && first.hasJustBegun() && lane.announce(lane.top - 1)) {
      first.write(ENTER);
      lane.setTold(lane.top);
      request.level = lane.top;
    }
    return request;
  }

  /** The request whose call goes on; null if there is none. */
  Request request() {
    return request == null || request.next != null ? null : request;
  }

  /** The call ends, with one more event if {@code hasExit}; then {@code next} is done. */
  void endRequest(boolean hasExit, Runnable next) {
    request.next = next;
    if (!hasExit || request.level == 0) completeRequest();
  }

  /** An event comes; {@code level} is that of the activation that it ends, 0 for others. */
  void beforeEvent(int level) {
    if (request != null && request.next != null && level != request.level) completeRequest();
  }

  /** Its event is there. */
  void afterEvent() {
    if (request != null && request.next != null) completeRequest();
  }

  private void completeRequest() {
    Request ended = request;
    request = null;
    if (at == null || at == nowhere) return;
    ended.end(at, position);
    at = null;
    ended.next.run();
  }

  /** Its thread has ended. */
  void release() {
    settle();
    if (at != null && at != nowhere) memory.give(at, position);
    if (request != null) request.drop();
    leaveMemory();
  }

  /** Is its chunk one in memory? */
  boolean hasMemory() {
    return memory != null;
  }

  /** Nobody needs its memory any more: a thread that still writes there does so for nobody. */
  void takeAway() {
    if (memory == null) return;
    synchronized (Stream.class) {
      if (nowhere == null) nowhere = ByteBuffer.allocateDirect(SIZE);
    }
    if (at != null) at = nowhere;
  }

  @Override
  protected void begun() {
    if (memory == null) isInFolder = true;
    if (position == HEADER) {
      if (number == 0) number = next();
      at.putInt(STREAM, number);
      at.putInt(PART, part + 1);
    } else {
      // Of one whose thread ended.
      number = at.getInt(STREAM);
    }
    forget();
    name(writer);
    int now = Clock.tick();
    if (now != Clock.CLOSED) tick = now;
    seal(AT, number(position + 1, tick));
    part = at.getInt(PART);
  }

  /** Says that {@code lane} writes what follows, for the first time in this chunk. */
  private void name(Lane lane) {
    int to = number(number(position + 1, lane.number), lane.isVirtual ? 1 : 0);
    at.putLong(to, lane.threadId());
    String name = lane.name();
    int end = text(to + 10, name, 0, Math.min(name.length(), NAME));
    at.putShort(to + 8, (short) (end - to - 10));
    seal(NAMED, end);
    lane.begin(generation);
  }

  /** The record that begins with {@code first} and ends at {@code end} is written. */
  void seal(int first, int end) {
    order();
    at.put(position, (byte) first);
    position = end;
  }

  /** Keeps the values so far for the next event. */
  void hold() {
    if (state != NOBODY) state |= HELD;
  }

  /**
   * Writes a record that ends with an identity hash.
   *
   * @param to where
   * @param record the bytes before the hash, in the highest ones
   * @param length how many; at most 4
   * @param hash what follows them
   * @return the record's length; behind it there are zeros
   */
  int put(int to, long record, int length, int hash) {
    int place = placeOf(hash);
    if (hashes[place] == hash) {
      at.putLong(to, record | (long) place << 56 - 8 * length);
      return length + 1;
    }
    hashes[place] = hash;
    long bytes = hash & 0xffffffffL;
    if (length < 4) {
      at.putLong(to, record | 0x80L << 56 - 8 * length | bytes << 24 - 8 * length);
    } else {
      at.put(to + 8, (byte) hash);
      order();
      at.putLong(to, record | 0x80L << 24 | bytes >>> 8);
    }
    return length + 5;
  }

  /** Seven bits a byte, low ones first; all but the last byte have the high bit. */
  int number(int to, int n) {
    for (; n >>> 7 != 0; n >>>= 7) at.put(to++, (byte) (n | 0x80));
    at.put(to++, (byte) n);
    return to;
  }

  /** The same of one of at most 14 bits, where its first byte is {@code shift} bits up. */
  static long packed(int n, int shift) {
    if (n < 0x80) return (long) n << shift;
    return (long) (n & 0x7f | 0x80) << shift | (long) (n >>> 7) << shift - 8;
  }

  int signed(int to, int n) {
    return number(to, n << 1 ^ n >> 31);
  }

  /** The events of the innermost activation, of that level, need nothing but themselves. */
  void rest(int level) {
    state = (long) tick << 32 | (long) level << LEVEL_AT | position;
  }

  /** Writes the classes of arguments. */
  void types(int record, Lane.Values values) {
    int to = number(position + 1, values.typeCount);
    for (int i = 0; i < values.typeCount; i++)
      to = number(to, values.types[i] == null ? 0 : 1 + (memory == null ? Recorder.string(values.types[i]) : 0));
    seal(record, to);
  }

  /** Where an identity hash has its place. */
  static int placeOf(int hash) {
    return (hash ^ hash >>> 7 ^ hash >>> 14 ^ hash >>> 21) & HASHES - 1;
  }

  /** An identity hash: its place, if it was written lately. */
  int hash(int to, int hash) {
    int i = placeOf(hash);
    if (hashes[i] == hash) {
      at.put(to, (byte) i);
      return to + 1;
    }
    hashes[i] = hash;
    at.put(to, (byte) 0x80);
    at.putInt(to + 1, hash);
    return to + 5;
  }
}
