//===- utils/model/CallbackRecorder.java - events of callbacks ------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;

/**
 * Callbacks: what they return is a number, a text, or one of the objects that
 * they were given.
 */
final class CallbackRecorder extends Recorder {
  private final ProbeClasses probes;

  CallbackRecorder(ProbeClasses probes, long faultSeed, int faultRate) {
    super(faultSeed, faultRate);
    this.probes = probes;
  }

  @Override
  Object record(Object[] event) throws Fault {
    ProbeClass.Callback callback =
        probes.named((String)event[1]).callback((String)event[0]);
    StringBuilder text = new StringBuilder(event[1] + "." + event[0]);
    boolean initialiser = false;
    for (int i = 0; i < callback.parameters().size(); i++) {
      ProbeClass.Parameter p = callback.parameters().get(i);
      Object value = event[i + 2];
      text.append(' ').append(p.mark());
      if (p.number() > 0)
        text.append(p.number());
      text.append('=');
      if (p.mark().startsWith("MethodTime"))
        text.append(isTime((Long)value, p.mark()) ? "a time" : value);
      else
        describe(value, text);
      initialiser |= "<clinit>".equals(value);
    }
    long hash = add(text);
    long chance = chance(hash);
    // Nobody sees what a callback writes into its own array.
    if (chance == 1)
      for (Object value : event)
        if (value instanceof Object[] array)
          write(array, hash >>> 8);
    // A class whose initialiser fails is lost, and all that needs it with it.
    if (chance == 0 &&
        (!initialiser || Long.remainderUnsigned(hash >>> 40, 32) == 0)) {
      String thrown = exception(hash);
      append(" THROWS " + thrown);
      throw new Fault(thrown);
    }
    if (!callback.returns())
      return null;
    Object value = value(callback, event, hash >>> 4);
    StringBuilder given = new StringBuilder(" GIVES ");
    describe(value, given);
    append(given.toString());
    return value;
  }

  private static boolean isTime(long value, String mark) {
    long minute = mark.endsWith("Ms") ? 60_000 : 60_000_000_000L;
    return value >= 0 && value < minute;
  }

  private static Object value(ProbeClass.Callback callback, Object[] event,
                              long hash) {
    int number = (int)(hash >>> 16);
    switch (callback.result().getSort()) {
    case Type.BOOLEAN:
      return (number & 1) != 0;
    case Type.BYTE:
      return (byte)number;
    case Type.SHORT:
      return (short)number;
    case Type.CHAR:
      return (char)number;
    case Type.INT:
      return number;
    case Type.LONG:
      return hash;
    case Type.FLOAT:
      return (float)number;
    case Type.DOUBLE:
      return (double)hash;
    default:
      List<Object> fit = new ArrayList<>();
      fit.add(null);
      String type = callback.result().getDescriptor();
      if (type.equals("Ljava/lang/String;") ||
          type.equals("Ljava/lang/Object;"))
        fit.add("given" + number % 100);
      for (int i = 0; i < callback.parameters().size(); i++)
        if (callback.parameters().get(i).type().equals(callback.result()))
          fit.add(event[i + 2]);
      return fit.get((int)Long.remainderUnsigned(hash, fit.size()));
    }
  }
}
