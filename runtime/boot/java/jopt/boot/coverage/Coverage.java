// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;

/**
 * What covered classes ask for: an array, which is a constant to the JIT. What is behind {@code
 * jopt.boot.Link} knows this class by its name alone.
 */
public final class Coverage implements Function<Object[], Object> {
  // All of one loader: the boot loader, which others ask first, may get the agent's copies later.
  static final Class<?>[] OWN = {
    AdoptedArray.class, CoveredArray.class, CoveredArray.Node.class, CoveredClass.class, CoveredClass.Part.class,
    Definitions.class, Ending.class, Exec.class, PathTables.class, Remote.class, Rules.class, TestRecord.class, TestRecord.Events.class, Tests.class, Touched.class,
    Values.class, Words.class,
    Writer.class
  };

  /** Frames that a first link has room for, so that no class is left half initialised for good. */
  private static final int ROOM = 500;

  private static volatile boolean isWarm;

  /** For what knows the name. */
  public Coverage() {}

  @Override
  public Object apply(Object[] a) {
    warmUp();
    if (a[3] instanceof boolean[]) {
      CoveredArray.adopt(new AdoptedArray((Class<?>) a[1], (String) a[2], (Long) a[4], (boolean[]) a[3], (Object[]) a[6]));
      return null;
    }
    CoveredArray of =
        CoveredArray.of((Class<?>) a[1], (String) a[2], (Long) a[4], (Number) a[5], (Object[]) a[6]);
    if (!(a[3] instanceof MethodType)) return of.value();
    CallSite site = of.site;
    if (site == null)
      of.site = site = new ConstantCallSite(MethodHandles.constant(((MethodType) a[3]).returnType(), of.value()));
    return site;
  }

  /** Without stack for what follows this throws, and a later link may do better. */
  private static void warmUp() {
    if (isWarm) return;
    need(ROOM, 0, 0, 0);
    MethodHandles.constant(boolean[].class, new boolean[0]);
    MethodHandles.constant(long[].class, new long[0]);
    new AtomicLongArray(1).getAndIncrement(0);
    new Words(1).take();
    Writer.begin();
    isWarm = true;
  }

  private static long need(int frames, long a, long b, long c) {
    return frames == 0 ? a + b + c : need(frames - 1, a + 1, b, c) + frames;
  }

  /**
   * Classes that are to lose probes: all of them, as all is known; or those that were reached, as
   * they were again since the last call but one.
   *
   * @param most how many
   * @return some of them; none where somebody may want a new beginning, as tests do
   */
  public static Class<?>[] takeSettled(int most) {
    return Remote.isOn() || Tests.isOn() ? new Class<?>[0] : Writer.takeSettled(most);
  }

  /**
   * Whether that was taken as one that loses all.
   *
   * @param type a class
   * @return true if its probes tell nothing more
   */
  public static boolean isSaturated(Class<?> type) {
    return CoveredArray.isSaturated(type);
  }

  /**
   * What the code of a class that was taken need not store any more.
   *
   * @param type the class
   * @param strategy of its probes
   * @param id of its class file
   * @return by element; null if it was not taken
   */
  public static boolean[] known(Class<?> type, String strategy, long id) {
    return CoveredArray.known(type, strategy, id);
  }

  /** Records what was covered so far. */
  public static void flush() {
    Writer.write();
  }
}
