// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.lang.reflect.Array;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.ToIntFunction;
import jopt.boot.record.Recorder;

/**
 * An activation of a traced method, which receives its events. Classes that are traced see Runnable and
 * interfaces of java.util.function only. A thread has one activation for each depth, so the receiver of
 * an event also shows which activations ended by an exception.
 *
 * <p>Nothing here throws, waits or allocates, unless a chunk is full or the guard is closed. Most events
 * take a fast path, which the JVM's compiler inlines into the traced code: one comparison shows that the
 * reader knows this activation as the innermost one, that the time is the same, and that the guard is open.
 */
final class Activation
    implements IntConsumer,
        ObjIntConsumer<Object>,
        IntUnaryOperator,
        Consumer<Object>,
        LongConsumer,
        ToIntFunction<Object>,
        Runnable {
  /** Where nothing is written. */
  private static final Stream NOWHERE = new Stream(true);

  /** For what is not to be traced. */
  static final Activation NONE = new Activation();

  /** The kinds of events: alone, with an object, or a return. */
  private static final int PLAIN = 0, OBJECT = 1, RETURN = 2;

  final Lane lane;

  /** From 1 on; 0 is below all, and is of no method. */
  private final int level;

  /** What it is in {@link Stream#state}. */
  private final long key;

  /** Those of {@link #lane}. */
  private final Lane.Values values;

  /** NOWHERE if it began when the guard was closed, until its first recorded event. */
  private Stream out;

  /** The object whose method it then is: its hash may never be needed. */
  private Object self;

  // Of the method that was entered last at this level. These are numbers, since a garbage collector adds
  // a barrier to each store of a reference.
  private int method;

  /** 0 for none. */
  int host;

  int depth;

  /** The number of its last event. */
  private int last;

  private Activation() {
    lane = null;
    level = 0;
    key = 0;
    values = null;
    out = NOWHERE;
  }

  Activation(Lane lane, int level) {
    this.lane = lane;
    this.level = level;
    key = (long) Math.min(level, Stream.HIGHEST + 1) << Stream.LEVEL_AT;
    values = lane.values;
    out = lane.out;
  }

  /** One that begins while the guard is closed. */
  private Activation(Activation other, Object self) {
    lane = other.lane;
    level = other.level;
    key = other.key;
    values = other.values;
    method = other.method;
    last = other.last;
    out = NOWHERE;
    this.self = self;
  }

  TracedMethod method() {
    return TracedMethod.of(method);
  }

  /**
   * A method without an object is entered.
   *
   * @param code that of the method
   * @param event the number of that event in its class
   * @return the activation
   */
  static Object enter(long code, int event) {
    Lane lane = Lane.current();
    if (lane == null) return NONE;
    Stream out = lane.out;
    Activation[] levels = lane.levels;
    long state = out.state;
    int level = ((int) state >>> Stream.LEVEL_AT) + 1;
    int to = (int) state & Stream.SIZE - 1;
    if ((state ^ Clock.now) >>> 32 != 0
        || (int) code < 0
        || (int) state < 0
        || level >= levels.length
        || to >= Stream.FULL) return enterSlowly(lane, code, null, event);
    Activation a = levels[level];
    a.method = (int) code;
    a.host = 0;
    a.last = event;
    out.state = Stream.BUSY;
    try {
      out.at.putInt(to, (int) (code >>> 32));
      out.state = state + Stream.LEVEL + ((int) code >>> TracedMethod.LENGTH_AT);
    } catch (Throwable e) {
      lane.top = level;
      lane.isBroken = out.isBroken = true;
      out.position = to;
      out.state = Stream.NOBODY;
    }
    return a;
  }

  /**
   * A method is entered.
   *
   * @param code that of the method
   * @param self the object
   * @param event the number of that event in its class
   * @return the activation
   */
  static Object enter(long code, Object self, int event) {
    Lane lane = Lane.current();
    if (lane == null) return NONE;
    Stream out = lane.out;
    Activation[] levels = lane.levels;
    long state = out.state;
    int level = ((int) state >>> Stream.LEVEL_AT) + 1;
    int to = (int) state & Stream.SIZE - 1;
    if ((state ^ Clock.now) >>> 32 != 0
        || (int) code < 0
        || (int) state < 0
        || level >= levels.length
        || to >= Stream.FULL) return enterSlowly(lane, code, self, event);
    Activation a = levels[level];
    a.method = (int) code;
    a.last = event;
    out.state = Stream.BUSY;
    try {
      int host = System.identityHashCode(self);
      a.host = host;
      long record = code & ~0L << 32 | (long) Stream.HOST << 56;
      out.state = state + Stream.LEVEL + out.put(to, record, (int) code >>> TracedMethod.LENGTH_AT, host);
    } catch (Throwable e) {
      lane.top = level;
      lane.isBroken = out.isBroken = true;
      out.position = to;
      out.state = Stream.NOBODY;
    }
    return a;
  }

  private static Activation enterSlowly(Lane lane, long code, Object self, int event) {
    if (!lane.take()) return NONE;
    Activation a = NONE;
    try {
      lane.out.beforeEvent(0);
      if (lane.top >= Lane.MOST) lane.ended(1);
      Activation next = lane.at(lane.top + 1);
      next.method = (int) code;
      next.host = 0;
      next.last = event;
      TracedMethod method = next.method();
      lane.begin(method.isWatched);
      a = next;
      lane.values.awaited = method.arguments;
      lane.values.typeCount = 0;
      if (method.opens) open();
      if (Clock.isOpen()) a.entered(method, self);
      else if (self != null || method.isDeep) a = new Activation(next, self);
      lane.rest();
    } catch (Throwable e) {
      lane.isBroken = lane.out.isBroken = true;
      failed(e);
    } finally {
      // Without a call: there may be no stack for one.
      if (lane.out.user == lane) lane.out.user = null;
      lane.busy = false;
    }
    return a;
  }

  private static void open() {
    try {
      Clock.open();
    } catch (Throwable e) {
      Recorder.failed(e);
    }
    if (Tracing.text != null) Tracing.text.opened();
  }

  private void entered(TracedMethod method, Object self) {
    host = System.identityHashCode(self);
    if (method.isDeep) depth = frames();
    if (Tracing.text != null) {
      Tracing.text.event(this, last, 0);
      return;
    }
    if (!out.begin(lane)) return;
    if (method.opens) out.seal(Stream.OPENED, out.position + 1);
    if (!lane.announce(level - 1)) return;
    write(Stream.ENTER);
    lane.setTold(level);
  }

  /** The program may have stack and memory another time. */
  private static void failed(Throwable e) {
    if (!(e instanceof VirtualMachineError)) Recorder.failed(e);
  }

  /** There was no event of it but the first one. */
  boolean hasJustBegun() {
    return out == lane.out && last == method().event;
  }

  /** Writes the record of an activation for the reader. */
  void write(int record) {
    TracedMethod method = method();
    boolean isActive = record == Stream.ACTIVE;
    int to = out.position + 1;
    if (isActive) to = out.number(to, level);
    to = out.number(to, method.number);
    if (host != 0) to = out.hash(to, host);
    if (method.isDeep) to = out.number(to, depth);
    if (isActive) to = out.number(to, last - method.event);
    out.seal(record + (host != 0 ? Stream.HOST : 0) + (method.isDeep ? Stream.DEPTH : 0), to);
  }

  private static int frames() {
    StackTraceElement[] all = new Throwable().getStackTrace();
    int ours = 0;
    while (ours < all.length && isOurs(all[ours].getClassName())) ours++;
    return all.length - ours;
  }

  private static boolean isOurs(String name) {
    return name.startsWith("jopt.boot.") || name.startsWith("java.lang.invoke.");
  }

  @Override
  public void accept(int event) {
    Stream out = this.out;
    long state = out.state;
    long to = state - (Clock.now | key);
    int distance = event - last + Stream.BEHIND;
    if (to < 0 || to >= Stream.FULL || distance <= 0 || distance >= Stream.NEAR) {
      tell(event, PLAIN, null);
      return;
    }
    out.state = Stream.BUSY;
    try {
      out.at.put((int) to, (byte) distance);
      last = event;
      out.state = state + 1;
    } catch (Throwable e) {
      lane.top = level;
      lane.isBroken = out.isBroken = true;
      out.position = (int) to;
      out.state = Stream.NOBODY;
    }
  }

  /** The method returns. */
  @Override
  public int applyAsInt(int event) {
    Stream out = this.out;
    long state = out.state;
    long to = state - (Clock.now | key);
    int distance = event - last + Stream.BEHIND;
    if (to < 0 || to >= Stream.FULL || distance <= 0 || distance >= Stream.NEAR || level <= out.floor) {
      tell(event, RETURN, null);
      return 0;
    }
    out.state = Stream.BUSY;
    try {
      out.at.put((int) to, (byte) distance);
      // Not by the level: to know it, one has to know the activation first.
      out.state = state + 1 - Stream.LEVEL;
    } catch (Throwable e) {
      lane.top = level;
      lane.isBroken = out.isBroken = true;
      out.position = (int) to;
      out.state = Stream.NOBODY;
    }
    return 0;
  }

  @Override
  public void accept(Object object, int event) {
    Stream out = this.out;
    long state = out.state;
    long to = state - (Clock.now | key);
    int distance = event - last;
    if (to < 0 || to >= Stream.FULL || distance < -64 || distance >= 64) {
      if ((to ^ Stream.HELD) >>> Stream.LEVEL_AT != 0 || (int) to >= Stream.FULL) tell(event, OBJECT, object);
      else tellValues(event, object, state ^ Stream.HELD, (int) to);
      return;
    }
    out.state = Stream.BUSY;
    try {
      int hash = System.identityHashCode(object);
      long record = (long) (Stream.EVENT + Stream.OBJECT) << 56 | (long) (distance << 1 ^ distance >> 31) << 48;
      int length = out.put((int) to, record, 2, hash);
      last = event;
      out.state = state + length;
    } catch (Throwable e) {
      lane.top = level;
      lane.isBroken = out.isBroken = true;
      out.position = (int) to;
      out.state = Stream.NOBODY;
    }
  }

  /** An event that has values, of the innermost activation, at the time of the last one. */
  private void tellValues(int event, Object object, long state, int to) {
    Stream out = this.out;
    out.state = Stream.BUSY;
    try {
      lookAt(object);
      int hash = System.identityHashCode(object);
      int length = putQuickly(to, event, hash);
      if (length == 0) {
        out.position = to;
        put(event, true, hash);
        length = out.position - to;
      }
      values.hasValue = values.hasIndex = false;
      out.state = state + length;
    } catch (Throwable e) {
      lane.top = level;
      lane.isBroken = out.isBroken = true;
      out.position = to;
      out.state = Stream.NOBODY;
    }
  }

  @Override
  public void accept(Object value) {
    Lane.Values values = this.values;
    if (values == null || !Clock.isOpen()) return;
    values.hasValue = true;
    values.value = System.identityHashCode(value);
    out.hold();
  }

  @Override
  public void accept(long index) {
    Lane.Values values = this.values;
    if (values == null) return;
    values.hasIndex = true;
    values.index = (int) index;
    out.hold();
  }

  @Override
  public int applyAsInt(Object argument) {
    Lane lane = this.lane;
    if (lane == null || !lane.take()) return 0;
    try {
      Lane.Values values = lane.values;
      if (Clock.isOpen()) values.add(argument);
      // Arguments of a call are recorded with the call.
      if (values.awaited > 0 && --values.awaited == 0) {
        lane.back(level);
        if (Clock.isOpen()) tellArguments();
        values.typeCount = 0;
        lane.rest();
      }
    } catch (Throwable e) {
      lane.isBroken = lane.out.isBroken = true;
      failed(e);
    } finally {
      // Without a call: there may be no stack for one.
      if (lane.out.user == lane) lane.out.user = null;
      lane.busy = false;
    }
    return 0;
  }

  /** All arguments of this activation are there. */
  private void tellArguments() {
    if (out == NOWHERE) becomeReal();
    if (Tracing.text != null) {
      Tracing.text.arguments(this, method().event);
      return;
    }
    if (!out.begin(lane) || !lane.announce(level)) return;
    out.types(Stream.ARGUMENTS, lane.values);
  }

  /** An exception arrived at a handler of the method: the activations above have ended. */
  @Override
  public void run() {
    Lane lane = this.lane;
    if (lane == null || out.state - (Clock.now | key) >>> Stream.LEVEL_AT == 0 || !lane.take()) return;
    try {
      // The next event tells the record, if there is one.
      lane.back(level);
      lane.rest();
    } catch (Throwable e) {
      lane.isBroken = lane.out.isBroken = true;
      failed(e);
    } finally {
      lane.busy = false;
    }
  }

  /** An event of any kind. */
  private void tell(int event, int how, Object object) {
    Lane lane = this.lane;
    if (lane == null || !lane.take()) return;
    try {
      lane.back(level);
      lane.out.beforeEvent(how == RETURN ? level : 0);
      boolean isTold = Clock.isOpen() && told(event, how == OBJECT, object);
      if (how == RETURN) lane.leave(isTold);
      lane.out.afterEvent();
      TracedMethod method = method();
      if (method.isWatched && method.isExit(event)) Clock.close();
      lane.rest();
    } catch (Throwable e) {
      lane.isBroken = lane.out.isBroken = true;
      failed(e);
    } finally {
      // Without a call: there may be no stack for one.
      lane.values.hasValue = lane.values.hasIndex = false;
      lane.values.typeCount = lane.values.awaited = 0;
      if (lane.out.user == lane) lane.out.user = null;
      lane.busy = false;
    }
  }

  private boolean told(int event, boolean hasObject, Object object) {
    if (out == NOWHERE) becomeReal();
    int hash = System.identityHashCode(object);
    if (Tracing.text == null && !out.begin(lane)) return false;
    lookAt(object);
    if (Tracing.text != null) {
      Tracing.text.event(this, event, hash);
      last = event;
      return false;
    }
    if (!lane.announce(level)) return false;
    if (lane.values.typeCount > 0) out.types(Stream.CALL, lane.values);
    put(event, hasObject, hash);
    return true;
  }

  /** The guard has been opened since it began. */
  private void becomeReal() {
    if (method().isDeep) depth = frames();
    host = System.identityHashCode(self);
    lane.levels[level] = this;
    lane.tellAgain(level);
    self = null;
    out = lane.out;
  }

  /** If it is an array: its length, and the element that is loaded. */
  private void lookAt(Object array) {
    Lane.Values values = lane.values;
    if (!values.hasIndex) return;
    values.length = array == null ? 0 : Array.getLength(array);
    if (values.hasValue || !(array instanceof Object[])) return;
    values.hasValue = true;
    boolean isInside = values.index >= 0 && values.index < values.length;
    values.value = isInside ? System.identityHashCode(((Object[]) array)[values.index]) : 0;
  }

  /**
   * Writes at once what has eight bytes: no new hash, no number above 14 bits.
   *
   * @return the length of the record; 0 if it is another
   */
  private int putQuickly(int to, int event, int object) {
    Stream out = this.out;
    Lane.Values values = this.values;
    int distance = event - last;
    int[] hashes = out.hashes;
    int place = Stream.placeOf(object);
    int valuePlace = values.hasValue ? Stream.placeOf(values.value) : 0;
    if (distance < -64
        || distance >= 64
        || hashes[place] != object
        || values.hasValue && hashes[valuePlace] != values.value) return 0;
    int first = Stream.EVENT + Stream.OBJECT;
    int shift = 32;
    long record = (long) (distance << 1 ^ distance >> 31) << 48 | (long) place << 40;
    if (values.hasIndex) {
      first = Stream.ARRAY;
      int index = values.index << 1 ^ values.index >> 31;
      if ((index | values.length) >>> 14 != 0) return 0;
      record |= Stream.packed(index, shift);
      shift -= index < 0x80 ? 8 : 16;
      record |= Stream.packed(values.length, shift);
      shift -= values.length < 0x80 ? 8 : 16;
    }
    if (values.hasValue) {
      first += Stream.VALUE;
      record |= (long) valuePlace << shift;
      shift -= 8;
    }
    out.at.putLong(to, record | (long) first << 56);
    last = event;
    return 7 - shift / 8;
  }

  private void put(int event, boolean hasObject, int object) {
    Lane.Values values = lane.values;
    int distance = event - last;
    last = event;
    int near = distance + Stream.BEHIND;
    boolean hasValue = values.hasValue;
    if (!hasObject && !hasValue && near > 0 && near < Stream.NEAR) {
      out.seal(near, out.position + 1);
      return;
    }
    int to = out.signed(out.position + 1, distance);
    if (hasObject) to = out.hash(to, object);
    if (values.hasIndex) to = out.number(out.signed(to, values.index), values.length);
    if (hasValue) to = out.hash(to, values.value);
    int value = hasValue ? Stream.VALUE : 0;
    if (values.hasIndex) out.seal(Stream.ARRAY + value, to);
    else out.seal(Stream.EVENT + value + (hasObject ? Stream.OBJECT : 0), to);
  }
}
