// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;
import jopt.boot.Link;

/**
 * Tells events as code that is traced does, and measures what one costs in processor time of the
 * thread, which what else the machine does changes less. The same code without events is measured by
 * turns, and what it takes is taken off, with the identity hashes. Arguments: events in millions in a round, rounds. Prints for each
 * kind of events the median, and the least and the most, in nanoseconds an event; then
 * how many times as long a line takes as the original tool wrote it, under a lock, to
 * {@code /dev/null} and to a file; then how many times as many events two threads tell as one, by the clock
 * and by processor time.
 */
public final class Events {
  // The events of the class, by number.
  private static final int MAIN = 0, MAIN_RETURN = 1, LOOP = 2, JUMP = 3, LOOP_RETURN = 7;
  private static final int CALL = 8, CALL_RETURN = 9, CALL_SELF = 10, SELF_RETURN = 11;
  private static final int FIELDS = 12, FIELD = 13, FIELDS_RETURN = 14;
  private static final int PUTS = 15, PUT = 16, PUTS_RETURN = 17;
  private static final int LOADS = 18, LOAD = 19, LOADS_RETURN = 20;

  private static final String[] STRINGS = {
    "$enter$", "$return$", "$exit$", "$jump$", "$field$", "", "e", "x", "j", "f",
    "main", "loop", "call", "callSelf", "fields", "([Ljava/lang/String;)V", "()V", "sss",
    "Events", "field", "I", "puts", "loads", "$arrayload$", "z",
  };

  /** type, executed, opcode, operands, emitted, logged. */
  private static final int[][] KINDS = {
    {0, 0, -3, 5, 5, 6}, {1, 2, 177, 5, 5, 7}, {3, 3, 167, 5, 8, 8}, {4, 4, 180, 17, 9, 9},
    {23, 23, 46, 5, 24, 24},
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
    text("exjfz");
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
    number(7);
    method(10, 15, 1, 2);
    method(11, 16, 1, 3, 3, 3, 3, 2);
    method(12, 16, 1, 2);
    method(13, 16, 1, 2);
    method(14, 16, 1, 4, 2);
    method(21, 16, 1, 4, 2);
    method(22, 16, 1, 5, 2);
    return text.toString();
  }

  private static final String TEXT = declarations();

  // Each method has its own.
  private static final MethodHandle OF_MAIN = site(int.class), OF_LOOP = site(int.class);
  private static final MethodHandle OF_CALL = site(int.class), OF_FIELDS = site(int.class);
  private static final MethodHandle OF_PUTS = site(int.class), OF_LOADS = site(int.class);
  private static final MethodHandle OF_SELF = site(Object.class, int.class);

  private static MethodHandle site(Class<?>... parameters) {
    MethodType type = MethodType.methodType(Object.class, parameters);
    return Link.trace(MethodHandles.lookup(), "enter", type, TEXT).dynamicInvoker();
  }

  private static int sink;
  private int field;

  /** Four jumps a turn. */
  private static void loop(int turns) throws Throwable {
    IntConsumer a = (IntConsumer) (Object) OF_LOOP.invokeExact(LOOP);
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
    Object a = (Object) OF_CALL.invokeExact(CALL);
    sink++;
    ((IntUnaryOperator) a).applyAsInt(CALL_RETURN);
  }

  private static void plainCall() {
    sink++;
  }

  private void callSelf() throws Throwable {
    Object a = (Object) OF_SELF.invokeExact((Object) this, CALL_SELF);
    field++;
    ((IntUnaryOperator) a).applyAsInt(SELF_RETURN);
  }

  private void plainSelf() {
    field++;
  }

  @SuppressWarnings("unchecked")
  private static void fields(int turns, Events[] of) throws Throwable {
    ObjIntConsumer<Object> a = (ObjIntConsumer<Object>) (Object) OF_FIELDS.invokeExact(FIELDS);
    int s = 0;
    for (int i = 0; i < turns; i++) {
      Events e = of[i & of.length - 1];
      s += e.field;
      a.accept(e, FIELD);
    }
    sink = s;
    ((IntUnaryOperator) a).applyAsInt(FIELDS_RETURN);
  }

  // Hashes are not what telling costs: here they are, too.

  private static void plainFields(int turns, Events[] of) {
    int s = 0;
    for (int i = 0; i < turns; i++) {
      Events e = of[i & of.length - 1];
      s += e.field + System.identityHashCode(e);
    }
    sink = s;
  }

  private static void plainPuts(int turns, Events[] of) {
    int s = 0;
    for (int i = 0; i < turns; i++) {
      s += System.identityHashCode(of[i + 1 & of.length - 1]);
      s ^= System.identityHashCode(of[i & of.length - 1]);
    }
    sink = s;
  }

  private static void plainLoads(int turns, int[] array) {
    int s = 0;
    for (int i = 0; i < turns; i++) s += System.identityHashCode(array) ^ i & 63;
    sink = s;
  }

  /** Of references: two hashes an event. */
  @SuppressWarnings("unchecked")
  private static void puts(int turns, Events[] of) throws Throwable {
    ObjIntConsumer<Object> a = (ObjIntConsumer<Object>) (Object) OF_PUTS.invokeExact(PUTS);
    for (int i = 0; i < turns; i++) {
      ((Consumer<Object>) a).accept(of[i + 1 & of.length - 1]);
      a.accept(of[i & of.length - 1], PUT);
    }
    ((IntUnaryOperator) a).applyAsInt(PUTS_RETURN);
  }

  @SuppressWarnings("unchecked")
  private static void loads(int turns, int[] array) throws Throwable {
    ObjIntConsumer<Object> a = (ObjIntConsumer<Object>) (Object) OF_LOADS.invokeExact(LOADS);
    for (int i = 0; i < turns; i++) {
      ((LongConsumer) a).accept((long) (i & 63));
      a.accept(array, LOAD);
    }
    ((IntUnaryOperator) a).applyAsInt(LOADS_RETURN);
  }

  /** What the original tool does of each event. */
  private static final class Lines {
    private static PrintStream out;
    private static long events;
    private static final long since = System.currentTimeMillis();

    static synchronized void event(int number, String type) {
      out.println(
          "$$$," + ++events + "," + Thread.currentThread().getId() + ","
              + (System.currentTimeMillis() - since) + ",-1,C," + number + "," + type);
    }

    static void calls(int n) {
      for (int i = 0; i < n; i++) {
        event(CALL, "$enter$");
        sink++;
        event(CALL_RETURN, "$exit$");
      }
    }
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

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

  private static double print(String name, double[] figures, String of) {
    double[] all = figures.clone();
    Arrays.sort(all);
    double median = all[all.length / 2];
    System.out.printf("%s %.2f (%.2f to %.2f) %s%n", name, median, all[0], all[all.length - 1], of);
    return median;
  }

  /** Of {@code events} a turn; nanoseconds an event. */
  private static double measure(
      String name, int rounds, int millions, int events, Turns traced, Turns plain)
      throws Throwable {
    int turns = millions * 1_000_000 / events;
    double[] cost = new double[rounds];
    for (int i = -3; i < rounds; i++) {
      double without = seconds(plain, turns);
      double with = seconds(traced, turns);
      if (i >= 0) cost[i] = (with - without) / turns / events * 1e9;
    }
    return print(name, cost, "ns an event");
  }

  /** The same two all the time: one that is new, or that somebody waits for, is looked for longer. */
  private static final ExecutorService POOL =
      Executors.newFixedThreadPool(
          2,
          work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
          });

  /** The seconds that so many threads take at once, by the clock and of processor time. */
  private static double[] together(int threads, Turns what, int turns) throws Throwable {
    CyclicBarrier ready = new CyclicBarrier(threads + 1);
    List<Future<Double>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++)
      all.add(
          POOL.submit(
              () -> {
                ready.await();
                try {
                  return seconds(what, turns);
                } catch (Throwable e) {
                  throw new IllegalStateException(e);
                }
              }));
    ready.await();
    long start = System.nanoTime();
    double cpu = 0;
    for (Future<Double> one : all) cpu += one.get();
    return new double[] {(System.nanoTime() - start) / 1e9, cpu};
  }

  /** A stream as that of a program's output; a file is what its lines are led to. */
  private static void measureLines(String to, int rounds, double call) throws Throwable {
    double[] times = new double[rounds];
    for (int i = -1; i < rounds; i++) {
      try (FileOutputStream file = new FileOutputStream(to)) {
        Lines.out = new PrintStream(new BufferedOutputStream(file, 128), true);
        double lines = seconds(n -> Lines.calls(n), 20_000) / 40_000;
        if (i >= 0) times[i] = lines * 1e9 / call;
      }
    }
    print("println to " + to, times, "times as long as calls");
  }

  private static void measureThreads(int rounds, int millions, Turns what) throws Throwable {
    int turns = millions * 500_000;
    double[] clock = new double[rounds], cpu = new double[rounds];
    together(2, what, turns);
    for (int i = 0; i < rounds; i++) {
      double[] one = together(1, what, turns), two = together(2, what, turns);
      clock[i] = 2 * one[0] / two[0];
      cpu[i] = 2 * 2 * one[1] / two[1];
    }
    print("two-threads-clock", clock, "times the events of one");
    print("two-threads-processor", cpu, "times the events of one");
  }

  private static void measureAll(int millions, int rounds) throws Throwable {
    Events[] objects = new Events[64];
    for (int i = 0; i < objects.length; i++) objects[i] = new Events();
    int[] array = new int[64];
    Turns calls = n -> { for (int i = 0; i < n; i++) call(); };
    measure("jumps", rounds, millions, 4, n -> loop(n), n -> plainLoop(n));
    double call =
        measure("calls", rounds, millions, 2, calls, n -> { for (int i = 0; i < n; i++) plainCall(); });
    measure(
        "calls-of-objects", rounds, millions, 2,
        n -> { for (int i = 0; i < n; i++) objects[i & 63].callSelf(); },
        n -> { for (int i = 0; i < n; i++) objects[i & 63].plainSelf(); });
    measure("fields", rounds, millions, 1, n -> fields(n, objects), n -> plainFields(n, objects));
    measure("puts-of-references", rounds, millions, 1, n -> puts(n, objects), n -> plainPuts(n, objects));
    measure("array-loads", rounds, millions, 1, n -> loads(n, array), n -> plainLoads(n, array));
    for (String to : new String[] {"/dev/null", System.getProperty("jopt.data") + ".txt"})
      measureLines(to, rounds, call);
    measureThreads(
        rounds,
        millions,
        n -> {
          Events own = new Events();
          for (int i = 0; i < n; i++) own.callSelf();
        });
  }

  public static void main(String[] args) throws Throwable {
    Object a = (Object) OF_MAIN.invokeExact(MAIN);
    // A thread that others wait for, as those of most programs are.
    Thread t =
        new Thread(
            () -> {
              try {
                measureAll(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
              } catch (Throwable e) {
                e.printStackTrace();
              }
            });
    t.start();
    t.join();
    ((IntUnaryOperator) a).applyAsInt(MAIN_RETURN);
  }
}
