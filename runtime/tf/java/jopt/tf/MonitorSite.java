// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Binds the call sites by which monitored methods get their monitor if the
 * enhancer was to make idle methods free of cost. To the JVM's compilers the
 * monitor is a constant until the holder gets another.
 */
public final class MonitorSite {
  private MonitorSite() {}

  /**
   * The bootstrap method.
   *
   * @param lookup of the traced class
   * @param field its static field with the holder
   * @param type takes nothing, gives a {@link MethodMonitor}
   * @return a call site that gives what the holder holds
   * @throws Throwable if there is no such holder
   */
  public static CallSite bind(
      MethodHandles.Lookup lookup, String field, MethodType type)
      throws Throwable {
    MethodHandle get =
        lookup.findStaticGetter(
            lookup.lookupClass(), field, SynchronizedHolder.class);
    SynchronizedHolder<?> holder = (SynchronizedHolder<?>) get.invoke();
    if (holder != null) {
      return holder.site(type);
    }
    // The class asks before it is registered.
    MethodHandle content =
        MethodHandles.lookup()
            .findStatic(
                MonitorSite.class,
                "content",
                MethodType.methodType(Object.class, SynchronizedHolder.class));
    return new ConstantCallSite(
        MethodHandles.filterReturnValue(get, content).asType(type));
  }

  static Object content(SynchronizedHolder<?> holder) {
    return holder == null ? null : holder.content();
  }
}
