// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready.shared;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

/** Waits for the end of a request that a servlet answers asynchronously. */
public abstract class Completion implements InvocationHandler {
  /** It waits for nothing yet. */
  protected Completion() {}

  /** The answer is complete. */
  protected abstract void completed();

  /**
   * The request failed. It is completed later.
   *
   * @param thrown why; may be null
   */
  protected abstract void failed(Throwable thrown);

  /**
   * Has the server tell this object of the end.
   *
   * @param context the {@code AsyncContext} of the request; may be null
   * @return false if the server refuses
   */
  public boolean await(Object context) {
    try {
      Method add = context == null ? null : adder(context.getClass());
      if (add == null) return false;
      Class<?> listener = add.getParameterTypes()[0];
      add.invoke(
          context,
          Proxy.newProxyInstance(listener.getClassLoader(), new Class<?>[] {listener}, this));
      return true;
    } catch (Throwable refused) {
      return false;
    }
  }

  /** The method that adds a listener, of the type that is for users. */
  private static Method adder(Class<?> type) {
    if (type == null) return null;
    if (type.getName().endsWith(".servlet.AsyncContext") && Modifier.isPublic(type.getModifiers())) {
      for (Method each : type.getMethods()) {
        if (each.getName().equals("addListener") && each.getParameterTypes().length == 1) return each;
      }
    }
    Method found = adder(type.getSuperclass());
    for (Class<?> each : type.getInterfaces()) {
      if (found == null) found = adder(each);
    }
    return found;
  }

  private static final Getter throwable =
      new Getter("getThrowable", "javax.servlet.", "jakarta.servlet.");

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) {
    switch (method.getName()) {
      case "onComplete":
        completed();
        return null;
      case "onError":
        failed((Throwable) throwable.get(arguments[0]));
        return null;
      case "equals":
        return proxy == arguments[0];
      case "hashCode":
        return System.identityHashCode(proxy);
      case "toString":
        return "jopt";
      default:
        return null;
    }
  }
}
