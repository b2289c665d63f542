// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import jopt.boot.Link;

/**
 * Tells events as code that is traced does, and measures what one costs in processor
 * time of the thread, which what else the machine does changes less. Arguments: threads, events
 * in millions for each. Prints, a line for each kind of events: its name, nanoseconds an event, events.
 */
public final class Events {
  // The events of the class, by number.
  private static final int MAIN = 0, MAIN_RETURN = 1, LOOP = 2, JUMP = 3, LOOP_RETURN = 7;
  private static final int CALL = 8, CALL_RETURN = 9, CALL_SELF = 10, SELF_RETURN = 11;
  private static final int FIELDS = 12, FIELD = 13, FIELDS_RETURN = 14;

  private static final String[] STRINGS = {
    "$enter$", "$return$", "$exit$", "$jump$", "$field$", "", "e", "x", "j", "f",
    "main", "loop", "call", "callSelf", "fields", "([Ljava/lang/String;)V", "()V", "sss",
    "Events", "field", "I",
  };

  /** type, executed, opcode, operands, emitted, logged. */
  private static final int[][] KINDS = {
    {0, 0, -3, 5, 5, 6}, {1, 2, 177, 5, 5, 7}, {3, 3, 167, 5, 8, 8}, {4, 4, 180, 17, 9, 9},
  };

  private static final StringBuilder text = new StringBuilder();

  private static void number(int n) {
    for (; n > 62; n >>= 6) text.append((char) (64 + (n & 63)));
    text.append((char) (1 + n));
  }

  private static void signed(int n) {
    number(n << 1 ^ n >> 31);
  }

  private static void text(String s) {
    number(s.length());
    text.append(s);
  }

  private static void method(int name, int descriptor, int... kinds) {
    number(name);
    number(descriptor);
    number(8);
    number(kinds.length + 1);
    for (int kind : kinds) {
      number(kind);
      signed(1);
      if (kind == 4) for (int i = 18; i < 21; i++) number(i);
    }
  }

  private static String declarations() {
    text.append('1');
    text("exjf");
    text("0123456789abcdef");
    text("Events");
    text("Events.java");
    number(1);
    number(STRINGS.length);
    for (String s : STRINGS) text(s);
    number(KINDS.length);
    for (int[] kind : KINDS)
      for (int i = 0; i < kind.length; i++) {
        if (i == 2) signed(kind[i]);
        else number(kind[i]);
      }
    number(5);
    method(10, 15, 1, 2);
    method(11, 16, 1, 3, 3, 3, 3, 2);
    method(12, 16, 1, 2);
    method(13, 16, 1, 2);
    method(14, 16, 1, 4, 2);
    return text.toString();
  }

  private static final String TEXT = declarations();
  private static final MethodHandle STATIC = site(int.class);
  private static final MethodHandle VIRTUAL = site(Object.class, int.class);

  private static MethodHandle site(Class<?>... parameters) {
    MethodType type = MethodType.methodType(Object.class, parameters);
    return Link.trace(MethodHandles.lookup(), "enter", type, TEXT).dynamicInvoker();
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 20;
  private static int sink;

  /** Four jumps a turn. */
  private static void loop(int turns) throws Throwable {
    IntConsumer a = (IntConsumer) (Object) STATIC.invokeExact(LOOP);
    int s = sink;
    for (int i = 0; i < turns; i++) {
      a.accept(JUMP);
      s = s * 31 + i;
      a.accept(JUMP + 1);
      s ^= i;
      a.accept(JUMP + 2);
      s += 7;
      a.accept(JUMP + 3);
    }
    sink = s;
    ((IntUnaryOperator) a).applyAsInt(LOOP_RETURN);
  }

  private static void plainLoop(int turns) {
    int s = sink;
    for (int i = 0; i < turns; i++) {
      s = s * 31 + i;
      s ^= i;
      s += 7;
    }
    sink = s;
  }

  private static void call() throws Throwable {
    Object a = (Object) STATIC.invokeExact(CALL);
    sink++;
    ((IntUnaryOperator) a).applyAsInt(CALL_RETURN);
  }

  private void callSelf() throws Throwable {
    Object a = (Object) VIRTUAL.invokeExact((Object) this, CALL_SELF);
    sink++;
    ((IntUnaryOperator) a).applyAsInt(SELF_RETURN);
  }

  @SuppressWarnings("unchecked")
  private static void fields(int turns, Events[] of) throws Throwable {
    ObjIntConsumer<Object> a = (ObjIntConsumer<Object>) (Object) STATIC.invokeExact(FIELDS);
    for (int i = 0; i < turns; i++) a.accept(of[i & of.length - 1], FIELD);
    ((IntUnaryOperator) a).applyAsInt(FIELDS_RETURN);
  }

  /** How a kind of events is made: so many turns. */
  private interface Turns {
    void run(int turns) throws Throwable;
  }

  private static double seconds(Turns what, int turns) throws Throwable {
    long start = THREADS.getCurrentThreadCpuTime();
    // A loop that is left at times: it is compiled as methods are.
    for (int done = 0; done < turns; done += 10_000) what.run(Math.min(10_000, turns - done));
    return (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
  }

  private static void measure(String name, Turns traced, int events, int turns) throws Throwable {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) best = Math.min(best, seconds(traced, turns));
    synchronized (System.out) {
      System.out.printf("%s %.2f %d%n", name, best / turns / events * 1e9, (long) ROUNDS * turns * events);
    }
  }

  public static void main(String[] args) throws Throwable {
    Object a = (Object) STATIC.invokeExact(MAIN);
    int turns = Integer.parseInt(args[1]) * 1_000_000 / 4;
    Events[] objects = new Events[64];
    for (int i = 0; i < objects.length; i++) objects[i] = new Events();
    Thread[] threads = new Thread[Integer.parseInt(args[0])];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                try {
                  measure("none", n -> plainLoop(n), 4, turns);
                  measure("jumps", n -> loop(n), 4, turns);
                  measure("calls", n -> { for (int k = 0; k < n; k++) call(); }, 2, turns);
                  measure(
                      "calls-of-objects",
                      n -> { for (int k = 0; k < n; k++) objects[k & 63].callSelf(); },
                      2,
                      turns);
                  measure("fields", n -> fields(n, objects), 1, turns);
                } catch (Throwable e) {
                  e.printStackTrace();
                }
              });
      threads[i].start();
    }
    for (Thread t : threads) t.join();
    ((IntUnaryOperator) a).applyAsInt(MAIN_RETURN);
  }
}
