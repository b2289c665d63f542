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
 * An activation of a traced method, which its events are told to. Classes that are traced see
 * interfaces of java.util.function only. A thread has one for each depth: so what an event is told to also tells
 * which activations ended by an exception.
 *
 * <p>Nothing here throws, waits or allocates, unless a chunk is full.
 */
final class Activation
    implements IntConsumer,
        ObjIntConsumer<Object>,
        IntUnaryOperator,
        Consumer<Object>,
        LongConsumer,
        ToIntFunction<Object>,
        Runnable {
  /** For what is not to be traced. */
  static final Activation NONE = new Activation();

  /** What is told of an event. */
  private static final int PLAIN = 0, OBJECT = 1, RETURN = 2;

  final Lane lane;

  /** From 1 on; 0 is below all, and is of no method. */
  final int level;

  private final Stream out;

  // Of the method that was entered last at this level. Numbers, as a collector of garbage is told of
  // each reference that is stored.
  private int method;
  private boolean isWatched;
  boolean hasHost;
  int host;
  int depth;

  /** The number of its last event. */
  private int last;

  /** The epoch of the lane in which the reader was told. */
  private int epoch;

  private boolean isRecorded;

  private Activation() {
    lane = null;
    level = Lane.NOBODY - 1;
    out = new Stream();
  }

  Activation(Lane lane, int level) {
    this.lane = lane;
    this.level = level;
    out = lane.out;
  }

  TracedMethod method() {
    return TracedMethod.of(method);
  }

  private Activation outer() {
    return lane.levels[level - 1];
  }

  /**
   * A method is entered.
   *
   * @param event the number of that event in its class
   * @return the activation
   */
  static Object enter(TracedClass type, Object self, int event) {
    Lane lane = Lane.current();
    if (lane == null || lane.busy) return NONE;
    TracedMethod[] known = type.methods;
    TracedMethod method = event < known.length ? known[event] : null;
    if (method == null && (method = define(lane, type, event)) == null) return NONE;
    int level = lane.top + 1;
    Activation[] levels = lane.levels;
    Activation a = level < levels.length ? levels[level] : null;
    if (a == null && (a = lane.add(level)) == null) return NONE;
    a.method = method.number;
    a.isWatched = method.isWatched;
    a.last = event;
    a.hasHost = self != null;
    a.host = System.identityHashCode(self);
    lane.top = level;
    Stream out = a.out;
    if (out.ready == level - 1
        && out.tick == Clock.tick
        && out.position < Stream.FULL
        && method.isPlain) {
      lane.busy = true;
      try {
        a.entered();
        a.epoch = lane.epoch;
        a.isRecorded = true;
        lane.recorded = level;
        out.ready = method.isWatched ? Lane.NOBODY : level;
      } catch (Throwable e) {
        a.lost(e);
      } finally {
        lane.busy = false;
      }
    } else {
      a.epoch = 0;
      a.isRecorded = false;
      out.ready = Lane.NOBODY;
      if (lane.recorded == level) lane.recorded = Lane.NOBODY;
      a.enterSlowly(method);
    }
    return a;
  }

  /** It is not known yet. */
  private static TracedMethod define(Lane lane, TracedClass type, int event) {
    lane.busy = true;
    try {
      return type.define(event);
    } catch (Throwable e) {
      return null; // No stack, no memory: the next call may have more.
    } finally {
      lane.busy = false;
    }
  }

  private void entered() {
    int place = hasHost ? out.place(host) : 0;
    if (method >= 0x80 || place < 0) {
      int to = out.number(out.position + 1, method);
      if (hasHost) out.seal(Stream.ENTER + Stream.HOST, out.hash(to, host));
      else out.seal(Stream.ENTER, to);
    } else if (hasHost) {
      out.put(Stream.ENTER + Stream.HOST, method, place);
    } else {
      out.put(Stream.ENTER, method);
    }
  }

  private void enterSlowly(TracedMethod method) {
    if (method.opens) open();
    if (!begin()) return;
    try {
      if (method.isDeep) depth = frames();
      if (Tracing.text != null) {
        if (method.opens) Tracing.text.opened();
        Tracing.text.event(this, last, 0);
        return;
      }
      if (method.opens) out.seal(Stream.OPENED, out.position + 1);
      outer().announce();
      if (method.isDeep) write(Stream.ENTER);
      else entered();
      told();
    } catch (Throwable e) {
      lost(e);
    } finally {
      end();
    }
  }

  private void open() {
    lane.busy = true;
    try {
      Clock.open();
    } catch (Throwable e) {
      Recorder.failed(e);
    } finally {
      lane.busy = false;
    }
  }

  /** What the reader is told of an activation. */
  private void write(int record) {
    TracedMethod method = method();
    boolean isActive = record == Stream.ACTIVE;
    int to = out.position + 1;
    if (isActive) to = out.number(to, level);
    to = out.number(to, method.number);
    if (hasHost) to = out.hash(to, host);
    if (method.isDeep) to = out.number(to, depth);
    if (isActive) to = out.number(to, last - method.event);
    out.seal(record + (hasHost ? Stream.HOST : 0) + (method.isDeep ? Stream.DEPTH : 0), to);
  }

  /** Tells the reader, if it does not know, that this is the innermost activation. */
  private void announce() {
    Lane lane = this.lane;
    if (lane.recorded == level) return;
    if (level == 0 || lane.recorded > level && epoch == lane.epoch) {
      out.seal(Stream.BACK, out.number(out.position + 1, level));
      lane.recorded = level;
      return;
    }
    // It began before the guard was opened, or in an earlier chunk.
    int from = level;
    while (from > 1 && !lane.levels[from - 1].isRecorded) from--;
    for (; from <= level && out.hasRoom(); from++) {
      lane.levels[from].write(Stream.ACTIVE);
      lane.levels[from].told();
    }
  }

  /** The reader knows that this is the innermost one. */
  private void told() {
    epoch = lane.epoch;
    isRecorded = true;
    lane.recorded = level;
  }

  /** Takes the turn to write and says when it is; false if nothing can be written. */
  private boolean begin() {
    if (lane.busy || Recorder.isOff || Clock.tick == Clock.CLOSED) return false;
    lane.busy = true;
    boolean done = false;
    try {
      done = Tracing.text != null || out.begin(lane);
    } catch (Throwable e) {
      lost(e);
    } finally {
      if (!done) end();
    }
    return done;
  }

  private void end() {
    Lane lane = this.lane;
    if (lane.isVirtual) out.release(lane);
    else out.ready = lane.recorded == lane.top && !lane.levels[lane.top].isWatched ? lane.top : Lane.NOBODY;
    lane.busy = false;
  }

  /** Something could not be written, and so the reader does not know where the thread is. */
  private void lost(Throwable e) {
    out.forget();
    lane.recorded = Lane.NOBODY;
    lane.epoch++;
    lane.isGap = true;
    Recorder.failed(e);
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

  /** May an event be one byte in the record? */
  private boolean isNear(int distance) {
    return out.ready == level
        && distance > 0
        && distance < Stream.NEAR
        && out.tick == Clock.tick
        && out.position < Stream.FULL;
  }

  @Override
  public void accept(int event) {
    int distance = event - last + Stream.BEHIND;
    if (!isNear(distance)) {
      tell(event, PLAIN, null);
      return;
    }
    lane.busy = true;
    try {
      out.at.put(out.position, (byte) distance);
      out.position++;
      last = event;
    } catch (Throwable e) {
      lost(e);
    } finally {
      lane.busy = false;
    }
  }

  /** The method returns. */
  @Override
  public int applyAsInt(int event) {
    int distance = event - last + Stream.BEHIND;
    if (!isNear(distance)) {
      tell(event, RETURN, null);
      return 0;
    }
    Lane lane = this.lane;
    lane.busy = true;
    try {
      out.at.put(out.position, (byte) distance);
      out.position++;
      leave();
      int outer = lane.recorded;
      out.ready = outer >= 0 && lane.levels[outer].isWatched ? Lane.NOBODY : outer;
    } catch (Throwable e) {
      lost(e);
    } finally {
      lane.busy = false;
    }
    return 0;
  }

  /** Its return has been told. */
  private void leave() {
    Lane lane = this.lane;
    int outer = level - 1;
    lane.top = outer;
    lane.recorded = lane.levels[outer].epoch == lane.epoch || outer == 0 ? outer : Lane.NOBODY;
  }

  @Override
  public void accept(Object object, int event) {
    if (out.ready != level || out.tick != Clock.tick || out.position >= Stream.FULL) {
      tell(event, OBJECT, object);
      return;
    }
    lane.busy = true;
    try {
      int distance = event - last;
      int hash = System.identityHashCode(object);
      int place = out.place(hash);
      if (distance >= -64 && distance < 64 && place >= 0) {
        out.put(Stream.EVENT + Stream.OBJECT, distance << 1 ^ distance >> 31, place);
      } else {
        int to = out.signed(out.position + 1, distance);
        out.seal(Stream.EVENT + Stream.OBJECT, out.hash(to, hash));
      }
      last = event;
    } catch (Throwable e) {
      lost(e);
    } finally {
      lane.busy = false;
    }
  }

  @Override
  public void accept(Object value) {
    if (lane == null) return;
    lane.hasValue = true;
    lane.value = System.identityHashCode(value);
    out.ready = Lane.NOBODY;
  }

  @Override
  public void accept(long index) {
    if (lane == null) return;
    lane.hasIndex = true;
    lane.index = (int) index;
    out.ready = Lane.NOBODY;
  }

  @Override
  public int applyAsInt(Object argument) {
    return 0;
  }

  /** Control is here: what this activation called has ended. */
  @Override
  public void run() {
    if (lane == null || lane.top == level) return;
    lane.top = level;
    out.ready = Lane.NOBODY;
  }

  /** An event of any kind. */
  private void tell(int event, int how, Object object) {
    Lane lane = this.lane;
    if (lane == null) return;
    lane.top = level;
    if (begin()) {
      try {
        lookAt(object);
        if (Tracing.text == null) {
          announce();
          put(event, how == OBJECT, System.identityHashCode(object));
        } else {
          Tracing.text.event(this, event, System.identityHashCode(object));
        }
        last = event;
      } catch (Throwable e) {
        lost(e);
      } finally {
        if (how == RETURN) leave();
        end();
      }
    } else if (how == RETURN) {
      lane.top = level - 1;
    }
    lane.hasValue = lane.hasIndex = false;
    if (isWatched && method().isExit(event)) Clock.close();
  }

  /** If it is an array: its length, and the element that is loaded. */
  private void lookAt(Object array) {
    Lane lane = this.lane;
    if (!lane.hasIndex) return;
    lane.length = array == null ? 0 : Array.getLength(array);
    if (lane.hasValue || !(array instanceof Object[])) return;
    lane.hasValue = true;
    boolean isInside = lane.index >= 0 && lane.index < lane.length;
    lane.value = isInside ? System.identityHashCode(((Object[]) array)[lane.index]) : 0;
  }

  private void put(int event, boolean hasObject, int object) {
    Lane lane = this.lane;
    int distance = event - last;
    int near = distance + Stream.BEHIND;
    boolean hasValue = lane.hasValue;
    if (!hasObject && !hasValue && near > 0 && near < Stream.NEAR) {
      out.seal(near, out.position + 1);
      return;
    }
    int to = out.signed(out.position + 1, distance);
    if (hasObject) to = out.hash(to, object);
    if (lane.hasIndex) to = out.number(out.signed(to, lane.index), lane.length);
    if (hasValue) to = out.hash(to, lane.value);
    int values = hasValue ? Stream.VALUE : 0;
    if (lane.hasIndex) out.seal(Stream.ARRAY + values, to);
    else out.seal(Stream.EVENT + values + (hasObject ? Stream.OBJECT : 0), to);
  }
}
