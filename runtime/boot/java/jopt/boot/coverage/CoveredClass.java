// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What the record has of a class, and of equal ones of other loaders. The writer alone uses it. */
final class CoveredClass {
  /** Elements in one event. */
  private static final int BITS = 1 << 16, COUNTS = 1 << 10;

  /** Where some of the elements are in the record. */
  static final class Part {
    final ByteBuffer at;
    final int position;
    final int first;
    final int length;

    Part(ByteBuffer at, int position, int first, int length) {
      this.at = at;
      this.position = position;
      this.first = first;
      this.length = length;
    }
  }

  /** By which the record knows it. */
  final int number;

  private final CoveredArray first;

  /** Null if there are none among the elements. */
  private final PathTables tables;

  private final int length;
  private final Part[] parts;
  private final List<CoveredArray> arrays = new ArrayList<>();

  /** What classes that are no more had counted; null for none. */
  private long[] before;

  /** What they had reached, since somebody wanted a new beginning. */
  private boolean[] reached;

  /** As many elements, none of which is reached; one of a length. */
  private final boolean[] zeros;

  private boolean isSaturated;

  /** How many elements were reached when that was last looked at; most often none is new. */
  private int seen = -1;

  private CoveredClass(int number, CoveredArray first, Part[] parts) {
    this.number = number;
    this.first = first;
    this.length = first.length;
    this.parts = parts;
    tables = PathTables.of(first.rules);
    zeros = first.isCounts() ? null : Touched.zeros(length);
  }

  /** Begins the record of a class; null if it cannot be recorded. */
  static CoveredClass define(CoveredArray of) {
    int number = Definitions.define(of);
    if (number == 0) return null;
    boolean isCounts = of.isCounts();
    int piece = isCounts ? COUNTS : BITS;
    Part[] parts = new Part[(of.length + piece - 1) / piece];
    for (int i = 0; i < parts.length; i++) {
      int first = i * piece;
      parts[i] = Values.add(number, isCounts, first, Math.min(piece, of.length - first));
      if (parts[i] == null) return null;
    }
    return new CoveredClass(number, of, parts);
  }

  /** Whether that is an array of such a class. */
  static Object key(CoveredArray of) {
    String kind = of.isCounts() ? "J" : "Z";
    return kind + of.id + ' ' + of.length + ' ' + of.strategy + ' ' + of.name;
  }

  void add(CoveredArray array) {
    arrays.add(array);
    Touched.add(this, array);
  }

  /** Records what changed. */
  void write() {
    int live = 0;
    for (int i = 0; i < arrays.size(); i++) {
      CoveredArray a = arrays.get(i);
      // Before its values are read: nobody changes them any more.
      boolean isGone = a.get() == null;
      if (!a.isCounts()) write(a.elements());
      if (isGone) retire(a);
      else arrays.set(live++, a);
    }
    while (arrays.size() > live) arrays.remove(arrays.size() - 1);
    if (before != null || live > 0 && first.isCounts()) writeCounts();
  }

  private void retire(CoveredArray gone) {
    CoveredArray.remove(gone);
    if (!gone.isCounts()) {
      forget(gone);
      Touched.remove(gone);
      return;
    }
    if (before == null) before = new long[length];
    add(before, gone);
  }

  private static void add(boolean[] to, boolean[] from) {
    for (int i = 0; i < to.length; i++) to[i] |= from[i];
  }

  /**
   * Forgets in one of its arrays what is reached, when it is recorded and the running tests have it. Null if that
   * is nothing.
   */
  private boolean[] forget(CoveredArray of) {
    if (!of.isReached(zeros)) return null;
    boolean[] taken = of.take();
    if (reached == null) reached = new boolean[length];
    write(taken);
    add(reached, taken);
    Tests.add(this, taken);
    return taken;
  }

  /** The same of one of its arrays, which has something. */
  void take(CoveredArray of) {
    if (forget(of) != null) of.isCleared = true;
  }

  /** Gives JaCoCo back what was forgotten in its arrays. */
  void restore() {
    for (int k = 0; k < arrays.size(); k++) if (arrays.get(k) instanceof AdoptedArray) ((AdoptedArray) arrays.get(k)).restore();
  }

  /** How many of its arrays are those of classes that lost probes. */
  int lost() {
    int n = 0;
    for (int k = 0; k < arrays.size(); k++) if (arrays.get(k).isTaken || arrays.get(k).known != null) n++;
    return n;
  }

  /** What all of them reached. */
  private boolean[] all() {
    boolean[] all = reached == null ? new boolean[length] : reached.clone();
    for (int k = 0; k < arrays.size(); k++) add(all, arrays.get(k).elements());
    return all;
  }

  /** All points are reached, and it is known of which classes. */
  private boolean isSaturated() {
    if (isSaturated || first.isCounts()) return isSaturated;
    boolean[] all = all();
    int n = 0;
    for (boolean element : all) if (element) n++;
    if (n == seen) return false;
    seen = n;
    for (boolean point : Rules.inflate(first.rules, all)) if (!point) return false;
    return isSaturated = true;
  }

  /** Adds its classes to {@code to}, up to {@code most}, if their probes, or some, are to leave. */
  void takeSettled(List<Class<?>> to, int most) {
    if (first.isCounts()) return;
    boolean isSaturated = isSaturated();
    for (int k = 0; k < arrays.size() && to.size() < most; k++) {
      CoveredArray a = arrays.get(k);
      if (a instanceof AdoptedArray) continue;
      Class<?> type = a.isTaken ? null : a.get();
      if (type == null || !isSaturated && !isHot(a)) continue;
      a.isTaken = isSaturated;
      a.known = all();
      to.add(type);
    }
  }

  /**
   * Whether the code still stores elements that are known to be reached. A look records the reached
   * elements and clears them, so that the next look sees which ones are reached again. Each time that
   * some are, the pause before the next look doubles.
   */
  private boolean isHot(CoveredArray a) {
    if (a.rest > 0) {
      a.rest--;
      return false;
    }
    boolean isHot = false;
    boolean[] before = reached == null ? zeros : reached.clone(), taken = forget(a);
    for (int i = 0; taken != null && i < length; i++)
      isHot |= taken[i] && a.isCleared && before[i] && (a.known == null || !a.known[i]);
    a.isCleared = true;
    if (isHot) {
      a.rest = a.nextRest;
      a.nextRest *= 2;
    }
    return isHot;
  }

  /** Records what changed, and writes JaCoCo's probes, unless these are counts. */
  void write(DataOutputStream to, boolean isReset) throws IOException {
    write();
    if (first.isCounts()) return;
    boolean[] all = reached == null ? new boolean[length] : reached.clone();
    for (int k = 0; k < arrays.size(); k++) {
      CoveredArray a = arrays.get(k);
      add(all, isReset && !(a instanceof AdoptedArray) ? a.take() : a.elements());
    }
    write(all);
    if (isReset) reached = null;
    Exec.type(to, first.id, first.name, Rules.probes(first.rules, all));
  }

  /** A bit that is set stays. */
  private void write(boolean[] from) {
    for (Part p : parts)
      for (int i = 0; i < p.length; i += 8) {
        int bits = 0;
        for (int k = 0; k < 8 && i + k < p.length; k++) if (from[p.first + i + k]) bits |= 1 << k;
        if (bits == 0) continue;
        int to = p.position + (i >> 3);
        int old = p.at.get(to);
        if ((old | bits) != old) p.at.put(to, (byte) (old | bits));
      }
  }

  private void add(long[] to, CoveredArray from) {
    if (tables == null) for (int i = 0; i < length; i++) to[i] += from.count(i);
    else tables.add(to, (long[]) from.array);
  }

  /** What the tables of paths say in all; null if there are none. */
  private long[] allPaths() {
    if (tables == null) return null;
    long[] all = before == null ? new long[length] : before.clone();
    for (int k = 0; k < arrays.size(); k++) add(all, arrays.get(k));
    return all;
  }

  private void writeCounts() {
    long[] paths = allPaths();
    for (Part p : parts)
      for (int i = 0; i < p.length; i++) {
        long sum = paths != null ? paths[p.first + i] : before == null ? 0 : before[p.first + i];
        for (int k = 0; paths == null && k < arrays.size(); k++) sum += arrays.get(k).count(p.first + i);
        int to = p.position + 8 * i;
        if (p.at.getLong(to) != sum) p.at.putLong(to, sum);
      }
  }
}
