// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What the code makes, by type and place: how many, and of arrays about how many bytes. Up to 2,000 places;
 * what further ones make stands under {@code (others)}. An event allocates nothing.
 */
public final class Allocations extends Metric {
  /** A power of two, at most half of it used. */
  private static final int SIZE = 1 << 12;

  private static final int HEADER = 16;

  private static final class Site {
    final String type, className, methodName, file;
    final int line;
    final Counter count = new Counter("count"), bytes = new Counter("bytes");

    Site(String type, String className, String methodName, String file, int line) {
      this.type = type;
      this.className = className;
      this.methodName = methodName;
      this.file = file;
      this.line = line;
    }

    /** Names are constants of classes, and so mostly the same objects. */
    boolean is(String type, String className, String methodName, int line) {
      return this.line == line
          && same(this.type, type)
          && same(this.className, className)
          && same(this.methodName, methodName);
    }

    private static boolean same(String a, String b) {
      return a == b || a.equals(b);
    }

    String key() {
      if (type == Keyed.OTHERS) return type;
      return type(type) + " at " + new StackTraceElement(className.replace('/', '.'), methodName, file, line);
    }
  }

  private volatile AtomicReferenceArray<Site> all = new AtomicReferenceArray<>(SIZE);
  private final AtomicInteger used = new AtomicInteger();
  private volatile Site others = others();

  private Allocations(String name) {
    super(name);
  }

  private static Site others() {
    return new Site(Keyed.OTHERS, "", "", null, 0);
  }

  /**
   * The allocations of that name, which are made if there are none.
   *
   * @param name of the counted allocations
   * @return always the same
   */
  public static Allocations named(String name) {
    return Registry.get(name, Allocations.class, Allocations::new);
  }

  /**
   * Something is made.
   *
   * @param type its type, as the instruction names it: {@code a/b/C}, or {@code [I}
   * @param className the class of the code, with slashes
   * @param methodName its method
   * @param file its source; may be null
   * @param line its line; 0 is unknown
   * @param array the array that is made; null if it is none
   */
  public void record(String type, String className, String methodName, String file, int line, Object array) {
    Site of = find(type, className, methodName, file, line);
    of.count.add();
    if (array != null) of.bytes.add(bytes(array));
  }

  private Site find(String type, String className, String methodName, String file, int line) {
    AtomicReferenceArray<Site> sites = all;
    int hash = ((type.hashCode() * 31 + className.hashCode()) * 31 + methodName.hashCode()) * 31 + line;
    for (int i = (hash ^ hash >>> 15) * 0x9e3779b1 >>> 20; ; i++) {
      Site at = sites.get(i & SIZE - 1);
      if (at == null) {
        if (used.get() >= SIZE / 2) return others;
        Site made = new Site(type, className, methodName, file, line);
        if (sites.compareAndSet(i & SIZE - 1, null, made)) {
          used.incrementAndGet();
          return made;
        }
        at = sites.get(i & SIZE - 1);
      }
      if (at.is(type, className, methodName, line)) return at;
    }
  }

  /**
   * About how many bytes an array takes, with those in it that were made with it. Where references are not
   * compressed arrays of objects take more.
   *
   * @param array just made
   * @return header and elements
   */
  static long bytes(Object array) {
    int n = Array.getLength(array);
    Class<?> of = array.getClass().getComponentType();
    int size = of == long.class || of == double.class ? 8 : 4;
    if (of == byte.class || of == boolean.class) size = 1;
    if (of == short.class || of == char.class) size = 2;
    long bytes = HEADER + (long) n * size + 7 & -8L;
    // Of several dimensions all that were made are equally long.
    Object inner = of.isArray() && n > 0 ? Array.get(array, 0) : null;
    return inner == null ? bytes : bytes + n * bytes(inner);
  }

  /**
   * A type as Java writes it.
   *
   * @param internal as an instruction names it: {@code a/b/C}, {@code [La/b/C;} or {@code [I}
   * @return as {@code a.b.C}, {@code a.b.C[]} or {@code int[]}
   */
  public static String type(String internal) {
    int dimensions = 0;
    while (internal.startsWith("[", dimensions)) dimensions++;
    String element = internal.substring(dimensions);
    if (dimensions > 0) {
      int at = "BCDFIJSZ".indexOf(element.charAt(0));
      element = at < 0
          ? element.substring(1, element.length() - 1)
          : "byte char double float int long short boolean".split(" ")[at];
    }
    StringBuilder java = new StringBuilder(element.replace('/', '.'));
    for (int i = 0; i < dimensions; i++) java.append("[]");
    return java.toString();
  }

  @Override
  void tell(String key, Samples to) {
    List<Site> sites = new ArrayList<>();
    AtomicReferenceArray<Site> from = all;
    for (int i = 0; i < SIZE; i++) if (from.get(i) != null) sites.add(from.get(i));
    if (others.count.sum() > 0) sites.add(others);
    List<Samples.Row> rows = new ArrayList<>();
    for (Site s : sites) {
      Samples.Row row = new Samples.Row(name(), s.key());
      row.values.put("count", s.count.sum());
      row.values.put("array_bytes", s.bytes.sum());
      rows.add(row);
    }
    rows.sort(
        (a, b) -> {
          int order = Long.compare(b.values.get("count").longValue(), a.values.get("count").longValue());
          return order != 0 ? order : a.key.compareTo(b.key);
        });
    to.rows.addAll(rows.subList(0, Math.min(Output.top(), rows.size())));
  }

  @Override
  void reset() {
    all = new AtomicReferenceArray<>(SIZE);
    others = others();
    used.set(0);
  }

  @Override
  long size() {
    return used.get();
  }
}
