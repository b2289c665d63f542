//===- Stress.java - many threads load many generated classes -------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/**
 * Stress CLASSES [THREADS]: the threads ask parallel-capable loaders for the
 * classes, each in an order of its own, each class by several threads at once,
 * and call each once. The probe counts calls of each method under the property
 * stress.counts; none may be lost and none counted twice.
 */
public final class Stress {
  private Stress() {}

  /** What every generated class is, but for its name and the loader's number. */
  public static final class Gen0000000 implements IntUnaryOperator {
    static final String LOADER = "#0000000";

    @Override
    public int applyAsInt(int value) {
      try {
        return value < 0 ? -value : Integer.parseInt(LOADER.substring(1));
      } finally {
        CALLS.incrementAndGet();
      }
    }
  }

  public static final AtomicLong CALLS = new AtomicLong();

  static final class Loader extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    static final String PREFIX = "Stress$Gen";
    private final byte[] template;
    private final int number;

    Loader(byte[] template, int number) {
      super(Stress.class.getClassLoader());
      this.template = template;
      this.number = number;
    }

    static void replace(byte[] file, String from, String to) {
      byte[] old = from.getBytes(), now = to.getBytes();
      for (int i = 0; i + old.length <= file.length; i++) {
        int n = 0;
        while (n < old.length && file[i + n] == old[n])
          n++;
        if (n == old.length)
          System.arraycopy(now, 0, file, i, n);
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve)
        throws ClassNotFoundException {
      if (!name.startsWith(PREFIX))
        return super.loadClass(name, resolve);
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null)
          return known;
        byte[] file = template.clone();
        replace(file, "Gen0000000", name.substring(7));
        replace(file, "#0000000", String.format("#%07d", number));
        return defineClass(name, file, 0, file.length);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    int classes = Integer.parseInt(args[0]);
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 64;
    byte[] template =
        Stress.class.getResourceAsStream("Stress$Gen0000000.class")
            .readAllBytes();
    // Each class is asked for by four threads, of two loaders that have one of
    // that name each.
    int groups = Math.max(1, threads / 4);
    Loader[] loaders = {new Loader(template, 1), new Loader(template, 2)};
    CyclicBarrier start = new CyclicBarrier(threads);
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int group = t % groups;
      Random order = new Random(t);
      Thread thread = new Thread(() -> {
        List<Integer> mine = new ArrayList<>();
        for (int i = group; i < classes; i += groups)
          mine.add(i);
        Collections.shuffle(mine, order);
        try {
          start.await();
          for (int i : mine)
            for (Loader loader : loaders) {
              Class<?> made = loader.loadClass(
                  String.format("%s%07d", Loader.PREFIX, i + 1));
              IntUnaryOperator one = (IntUnaryOperator) made
                  .getDeclaredConstructor().newInstance();
              if (one.applyAsInt(1) != loader.number)
                wrong.add(made + " is of another loader");
            }
        } catch (Throwable e) {
          wrong.add(e.toString());
        }
      });
      all.add(thread);
      thread.start();
    }
    for (Thread thread : all)
      thread.join();
    @SuppressWarnings("unchecked")
    Map<String, AtomicLong> counts =
        (Map<String, AtomicLong>) System.getProperties().get("stress.counts");
    long expected = 0, events = 0;
    Map<String, Long> found = new TreeMap<>();
    if (counts != null)
      counts.forEach((key, count) -> found.put(key, count.get()));
    for (int i = 0; i < classes; i++) {
      // As many threads as are in the group, and two loaders.
      long times = 2L * ((threads - i % groups + groups - 1) / groups);
      for (String event : new String[] {"entry <init>", "exit <init>",
                                        "entry applyAsInt",
                                        "exit applyAsInt"}) {
        String key = String.format("%s Stress$Gen%07d", event, i + 1);
        Long count = found.remove(key);
        expected += times;
        events += count == null ? 0 : count;
        if (count == null || count != times)
          wrong.add(key + ": " + count + ", not " + times);
      }
    }
    for (String key : found.keySet())
      wrong.add("unexpected: " + key);
    wrong.stream().limit(20).forEach(System.out::println);
    System.out.println(2 * classes + " classes, " + CALLS + " calls, " +
                       events + " of " + expected + " events, " +
                       wrong.size() + " wrong");
    System.exit(wrong.isEmpty() ? 0 : 1);
  }
}
