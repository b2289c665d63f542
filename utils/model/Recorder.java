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
 * Makes text of fragment events, for the model and for the real run alike.
 * Objects are numbered when an event first shows them, so that the identity of
 * this, arguments, argument arrays and exceptions is compared and not only
 * their class. It also says at which events a fragment shall throw.
 */
final class Recorder {
  /** More events than this in one drive: the drive is cut off. */
  static final int LIMIT = 60000;

  final List<String> events = new ArrayList<>();
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private final Probes probes;
  private final long faultSeed;
  private final int faultRate;
  /** What fragments throw is dropped. */
  private final boolean isolated;
  private long salt;
  private long count;

  /**
   * @param faultRate one of so many events throws, or of four, 16 and 64 times
   *     so many, by the number of the drive; 0 for none
   * @param isolated what fragments throw shall have no effect
   */
  Recorder(Probes probes, long faultSeed, int faultRate, boolean isolated) {
    this.isolated = isolated;
    this.probes = probes;
    this.faultSeed = faultSeed;
    this.faultRate = faultRate;
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

  private void describe(Object o, StringBuilder to) {
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
        describe(array[i], to);
      }
      to.append(']');
    } else {
      to.append(name(o)).append('#').append(number(o));
    }
  }

  /**
   * Records an event: kind, number of the probe, data items.
   *
   * @return the class of what the fragment throws, or null
   */
  String record(Object[] event) {
    StringBuilder text = new StringBuilder();
    String kind = (String)event[0];
    int probe = (Integer)event[1];
    text.append(kind).append(" p").append(probe);
    List<String> data = probes.probes.get(probe).fragment(kind).data();
    String method = "";
    for (int i = 0; i < data.size(); i++) {
      text.append(' ').append(data.get(i)).append('=');
      describe(event[i + 2], text);
      if (data.get(i).equals("methodName"))
        method = (String)event[i + 2];
    }
    if (events.size() < LIMIT)
      events.add(text.toString());
    count++;
    if (faultRate == 0 || count > LIMIT)
      return null;
    // Seldom in some drives, or few would get far.
    long rate = (long)faultRate << (2 * (salt & 3));
    long hash = (faultSeed * 1000003 + salt) * 1000003 + count;
    hash = (hash ^ (hash >>> 29)) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ (hash >>> 32)) * 0x94D049BB133111EBL;
    hash ^= hash >>> 31;
    int args = data.indexOf("args");
    if (args >= 0 && Long.remainderUnsigned(hash, rate) == 1)
      write((Object[])event[args + 2], hash >>> 8);
    // What a JVM does with monitors that such a fault leaves locked is its own
    // affair; so where the host may hold one, its name must be known, and it
    // must not be in the host's own fragments.
    if (Long.remainderUnsigned(hash, rate) != 0 ||
        (!kind.endsWith("Call") &&
         (!data.contains("methodName") || method.startsWith("lock", 1))))
      return null;
    // A class whose initialiser fails is lost, and all that needs it with it.
    if ((kind.equals("staticInitializer") || method.equals("<clinit>")) &&
        Long.remainderUnsigned(hash >>> 40, 32) != 0)
      return null;
    String thrown = switch ((int)Long.remainderUnsigned(hash >>> 20, 4)) {
      case 0 -> "java/lang/ArithmeticException";
      case 1 -> "java/lang/AssertionError";
      default -> "java/lang/IllegalStateException";
    };
    append(" THROWS " + thrown);
    return isolated ? null : thrown;
  }

  private void append(String text) {
    int last = events.size() - 1;
    events.set(last, events.get(last) + text);
  }

  /** A fragment writes into its array of arguments. */
  private void write(Object[] args, long hash) {
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
