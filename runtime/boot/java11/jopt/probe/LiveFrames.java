// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Frames with their variables, as the JVM's own walker of live frames gives them. The agent opens java.lang for that. In
 * compiled code a variable that nothing reads any more has no value.
 */
final class LiveFrames extends Throws.Reader {
  /** HotSpot's mark in the upper half of a slot of compiled code that holds an int. */
  private static final long MARK = 0xDEADDEAFL;

  /** Of this class, the fragment, and what isolates it. */
  private static final int OURS = 24;

  private final StackWalker walker;
  private final Method locals;

  LiveFrames() throws ReflectiveOperationException {
    Class<?> type = Class.forName("java.lang.LiveStackFrame");
    Method get = type.getDeclaredMethod("getStackWalker", java.util.Set.class);
    locals = type.getDeclaredMethod("getLocals");
    try {
      get.setAccessible(true);
      locals.setAccessible(true);
    } catch (RuntimeException e) { // InaccessibleObjectException
      throw new ReflectiveOperationException(e);
    }
    walker = (StackWalker) get.invoke(null, Collections.singleton(StackWalker.Option.RETAIN_CLASS_REFERENCE));
  }

  @Override
  List<Throws.Frame> frames(Throwable thrown, int most, boolean withVariables) {
    List<StackWalker.StackFrame> all = walker.walk(s -> s.limit(OURS + most).collect(Collectors.toList()));
    int from = 0;
    for (int i = 0; i < all.size() && i < OURS; i++)
      if (Throws.isMaker(all.get(i).getMethodName(), all.get(i).getClassName(), thrown)) from = i + 1;
    Map<Class<?>, ClassCode> codes = new HashMap<>();
    List<Throws.Frame> found = new ArrayList<>();
    for (StackWalker.StackFrame f : all.subList(from, Math.min(all.size(), from + most))) {
      ClassCode code = codes.computeIfAbsent(f.getDeclaringClass(), ClassCode::of);
      Throws.Frame frame = new Throws.Frame(f.getDeclaringClass(), f.toStackTraceElement());
      found.add(frame);
      if (withVariables) addVariables(frame, f, code);
      if (f.isNativeMethod()) continue;
      frame.catches =
          code.catches(f.getMethodName(), f.getDescriptor(), f.getByteCodeIndex(), f.getLineNumber(), thrown);
      if (frame.catches) break;
    }
    return found;
  }

  private void addVariables(Throws.Frame to, StackWalker.StackFrame f, ClassCode code) {
    Object[] slots;
    try {
      slots = (Object[]) locals.invoke(f);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return;
    }
    List<ClassCode.Variable> variables =
        code.variablesAt(f.getMethodName(), f.getDescriptor(), f.getByteCodeIndex(), f.getLineNumber());
    boolean isCompiled = isCompiled(slots, variables);
    for (ClassCode.Variable v : variables) {
      boolean isWide = v.descriptor.equals("J") || v.descriptor.equals("D");
      int last = v.slot + (isWide ? 1 : 0);
      if (last >= slots.length) continue;
      if (v.descriptor.length() > 1) {
        boolean isKept = !isPrimitive(slots[v.slot]);
        to.variables.add(new Throws.Variable(v.name, v.descriptor, isKept ? slots[v.slot] : null, isKept));
        continue;
      }
      long raw = isPrimitive(slots[last]) ? number(slots[last]) : 0;
      boolean isKept = isPrimitive(slots[last]) && (!isCompiled || hasMark(slots[v.slot]));
      to.variables.add(new Throws.Variable(v.name, v.descriptor, boxed(v.descriptor.charAt(0), raw), isKept));
    }
  }

  /** Where there is no sign of either, numbers that are all zero may be none. */
  private static boolean isCompiled(Object[] slots, List<ClassCode.Variable> variables) {
    boolean isZero = true;
    for (ClassCode.Variable v : variables) {
      if (v.slot >= slots.length) continue;
      Object slot = slots[v.slot];
      if (hasMark(slot)) return true;
      boolean isObject = v.descriptor.length() > 1;
      if (isObject && isPrimitive(slot)) return true;
      int last = v.slot + (v.descriptor.equals("J") || v.descriptor.equals("D") ? 1 : 0);
      isZero &= !isObject && last < slots.length && isPrimitive(slots[last]) && number(slots[last]) == 0;
    }
    return isZero;
  }

  private static boolean isPrimitive(Object slot) {
    return slot != null && slot.getClass().getName().startsWith("java.lang.LiveStackFrame");
  }

  private static boolean hasMark(Object slot) {
    return isPrimitive(slot) && number(slot) >>> 32 == MARK;
  }

  private static long number(Object slot) {
    try {
      return Long.parseLong(slot.toString());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static Object boxed(char type, long raw) {
    switch (type) {
      case 'Z':
        return ((int) raw & 1) != 0;
      case 'B':
        return (byte) raw;
      case 'C':
        return (char) raw;
      case 'S':
        return (short) raw;
      case 'I':
        return (int) raw;
      case 'F':
        return Float.intBitsToFloat((int) raw);
      case 'D':
        return Double.longBitsToDouble(raw);
      default:
        return raw;
    }
  }
}
