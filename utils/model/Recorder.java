//===- utils/model/Recorder.java - events as text -----------------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes text of events, for the model and for the real run alike. Objects are
 * numbered when an event first shows them, so that the identity of this,
 * arguments, argument arrays and exceptions is compared and not only their
 * class. It also says what the fragment or callback does: what it throws, and
 * what it returns.
 */
abstract class Recorder {
  /** More events than this in one drive: the drive is cut off. */
  static final int LIMIT = 250000;

  final List<String> events = new ArrayList<>();
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private final long faultSeed;
  private final int faultRate;
  private long salt;
  private long count;

  /**
   * @param faultRate one of so many events throws, or of four, 16 and 64 times
   *     so many, by the number of the drive; 0 for none
   */
  Recorder(long faultSeed, int faultRate) {
    this.faultSeed = faultSeed;
    this.faultRate = faultRate;
  }

  /** An event; what it throws is thrown. */
  static final class Fault extends Exception {
    private static final long serialVersionUID = 1;
    final String type;

    Fault(String type) {
      super(null, null, false, false);
      this.type = type;
    }
  }

  /**
   * Records an event: kind, probe, data items.
   *
   * @return what the fragment or callback returns
   */
  abstract Object record(Object[] event) throws Fault;

  /** The same in the model. */
  final Object run(Object[] event) throws Interpreter.Thrown {
    try {
      return record(event);
    } catch (Fault f) {
      throw new Interpreter.Thrown(f.type);
    }
  }

  /** Begins a drive: events are counted from 0 again. */
  void begin(int drive) {
    events.clear();
    count = 0;
    salt = drive;
  }

  boolean full() { return events.size() >= LIMIT; }

  private String name(Object o) {
    return o instanceof Interpreter.Obj obj ? obj.type.replace('/', '.')
                                            : o.getClass().getName();
  }

  private int number(Object o) {
    return numbers.computeIfAbsent(o, k -> numbers.size());
  }

  final void describe(Object o, StringBuilder to) {
    if (o == null) {
      to.append("null");
    } else if (o instanceof String s) {
      // The strings about all methods of a class are long.
      if (s.length() > 60)
        to.append(s.length()).append(':').append(s.hashCode());
      else
        to.append('"').append(s).append('"');
    } else if (o instanceof Double d) {
      to.append('D').append(Double.doubleToRawLongBits(d));
    } else if (o instanceof Float f) {
      to.append('F').append(Float.floatToRawIntBits(f));
    } else if (o instanceof Number || o instanceof Boolean ||
               o instanceof Character) {
      to.append(o.getClass().getSimpleName(), 0, 2);
      to.append(o instanceof Character c ? (Object)(int)c : o);
    } else if (o instanceof Object[] array) {
      to.append('#').append(number(o)).append('[');
      for (int i = 0; i < array.length; i++) {
        if (i > 0)
          to.append(", ");
        // An array in an array may have that one in it.
        if (array[i] instanceof Object[])
          to.append('#').append(number(array[i]));
        else
          describe(array[i], to);
      }
      to.append(']');
    } else if (o instanceof Class<?> c) {
      to.append("class ").append(c.getName());
    } else if (o instanceof CallbackActivation.ClassRef c) {
      to.append("class ").append(c.name().replace('/', '.'));
    } else {
      to.append(name(o)).append('#').append(number(o));
    }
  }

  /** Adds the event; a number that says what happens at it. */
  final long add(StringBuilder text) {
    if (events.size() < LIMIT)
      events.add(text.toString());
    count++;
    long hash = (faultSeed * 1000003 + salt) * 1000003 + count;
    hash = (hash ^ (hash >>> 29)) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ (hash >>> 32)) * 0x94D049BB133111EBL;
    return hash ^ (hash >>> 31);
  }

  /** What remains of the number at which something throws; -1: nothing does. */
  final long chance(long hash) {
    if (faultRate == 0 || count > LIMIT)
      return -1;
    // Seldom in some drives, or few would get far.
    return Long.remainderUnsigned(hash, (long)faultRate << (2 * (salt & 3)));
  }

  /** A class of exceptions by the number. */
  static String exception(long hash) {
    return switch ((int)Long.remainderUnsigned(hash >>> 20, 4)) {
      case 0 -> "java/lang/ArithmeticException";
      case 1 -> "java/lang/AssertionError";
      default -> "java/lang/IllegalStateException";
    };
  }

  /** More about the last event. */
  final void append(String text) {
    int last = events.size() - 1;
    events.set(last, events.get(last) + text);
  }

  /** A fragment or callback writes into its array of arguments. */
  final void write(Object[] args, long hash) {
    if (args.length == 0)
      return;
    int at = (int)Long.remainderUnsigned(hash, args.length);
    Object value = args[at];
    switch ((int)Long.remainderUnsigned(hash >>> 16, 8)) {
    case 0 -> value = null;
    case 1 -> value = "written";
    case 2 -> value = 42;
    default -> {
      if (value instanceof Integer i)
        value = i + 1;
      else if (value instanceof Long l)
        value = l + 1;
      else if (value instanceof Boolean b)
        value = !b;
      else if (value instanceof String s)
        value = s + "w";
      else if (value instanceof Byte b)
        value = (byte)(b + 1);
      else if (value instanceof Double d)
        value = d + 1;
    }
    }
    args[at] = value;
    append(" WRITES " + at);
  }
}
