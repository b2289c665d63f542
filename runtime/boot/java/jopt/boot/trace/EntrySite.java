// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/**
 * What a method calls when it is entered. It changes once: the first call tells which method it is,
 * and from then on compiled code knows that as a constant.
 */
final class EntrySite extends MutableCallSite {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodType OF_OBJECT = type(Object.class, int.class);
  private static final MethodType OF_NONE = type(int.class);
  private static final MethodHandle FIRST_OF_OBJECT = first(OF_OBJECT);
  private static final MethodHandle FIRST_OF_NONE = first(OF_NONE);
  private static final MethodHandle ENTER_OF_OBJECT = enter(OF_OBJECT);
  private static final MethodHandle ENTER_OF_NONE = enter(OF_NONE);

  private final TracedClass owner;

  /**
   * A site in a class.
   *
   * @param owner the class
   * @param type {@code (Object,int)Object}, for static methods {@code (int)Object}
   */
  EntrySite(TracedClass owner, MethodType type) {
    super(type);
    this.owner = owner;
    setTarget((isOfObject() ? FIRST_OF_OBJECT : FIRST_OF_NONE).bindTo(this));
  }

  private static MethodType type(Class<?>... parameters) {
    return MethodType.methodType(Object.class, parameters);
  }

  private static MethodHandle first(MethodType type) {
    try {
      return LOOKUP.findVirtual(EntrySite.class, "first", type);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle enter(MethodType type) {
    try {
      MethodType known = type.insertParameterTypes(0, long.class);
      return LOOKUP.findStatic(Activation.class, "enter", known);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private boolean isOfObject() {
    return type().parameterCount() == 2;
  }

  private Object first(Object self, int event) {
    TracedMethod method = link(event);
    return method == null ? Activation.NONE : Activation.enter(method.code, self, event);
  }

  private Object first(int event) {
    TracedMethod method = link(event);
    return method == null ? Activation.NONE : Activation.enter(method.code, event);
  }

  /** The method whose enter event that is; null if it is none of the program's calls, or cannot be told now. */
  private TracedMethod link(int event) {
    Lane lane = Lane.current();
    if (lane == null || !lane.take()) return null;
    TracedMethod method = null;
    try {
      method = owner.define(event);
      if (method != null)
        setTarget(
            MethodHandles.insertArguments(
                isOfObject() ? ENTER_OF_OBJECT : ENTER_OF_NONE, 0, method.code));
    } catch (Throwable e) {
      // No stack, no memory: the next call may have more.
    } finally {
      if (method == null) lane.isBroken = lane.out.isBroken = true;
      lane.busy = false;
    }
    return method;
  }
}
