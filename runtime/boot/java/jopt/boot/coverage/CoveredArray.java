// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.lang.invoke.CallSite;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The array that the methods of a class write to, and the constants that describe it. It does not keep
 * the class, which keeps the array. No lock is held while code of the program or the JDK runs: a link may
 * happen anywhere.
 */
class CoveredArray extends WeakReference<Class<?>> {
  /** The arrays whose classes have about the same hash. */
  static final class Node {
    final CoveredArray value;
    final Node next;

    Node(CoveredArray value, Node next) {
      this.value = value;
      this.next = next;
    }
  }

  /** By the hashes of classes; a power of two long. */
  private static volatile Node[] bins = new Node[1024];

  private static int count;

  /** Those that the writer has not taken yet; {@link #nextNew} links them. */
  private static CoveredArray news;

  private final int hash;
  private CoveredArray nextNew;

  /** As the class file has it. */
  final String name;

  final String strategy;
  final long id;
  final int length;

  /** The parts of a text that says how JaCoCo's probes follow from the elements. */
  final Object[] rules;

  /** {@code boolean[]}, {@code Words}: reached; {@code long[]}, {@code AtomicLongArray}: how often. */
  final Object array;

  /** What yields it, for all sites of the class; null if none has asked. */
  CallSite site;

  /** The class was taken as one that has nothing more to tell. */
  volatile boolean isTaken;

  /** The class was taken as one whose code need not store these; null if it was not. */
  volatile boolean[] known;

  /** Of the writer: where it stands in {@link Touched}. */
  int place;

  /** Of the writer: what is reached was forgotten here, so what is now was reached again. */
  boolean isCleared;

  /** Of the writer: at how many looks it is passed over, and how many that will be the next time. */
  int rest, nextRest = 1;

  CoveredArray(Class<?> host, int hash, String strategy, Object array, long id, int length, Object[] rules) {
    super(host);
    this.hash = hash;
    this.strategy = strategy;
    this.id = id;
    this.length = length;
    this.rules = rules;
    this.array = array;
    // A hidden class has a suffix.
    String full = host.getName();
    int end = full.indexOf('/');
    name = (end < 0 ? full : full.substring(0, end)).replace('.', '/');
  }

  /**
   * The array of {@code host}: one, whichever of its methods asks.
   *
   * @param count how many elements: an Integer if they are booleans, a Long whose upper half says what they are else
   */
  static CoveredArray of(Class<?> host, String strategy, long id, Number count, Object[] rules) {
    Class<?> kind = kind(count);
    int length = count.intValue();
    int hash = System.identityHashCode(host);
    CoveredArray made = null;
    while (true) {
      Node[] all = bins;
      Node seen = all[hash & all.length - 1];
      for (Node n = seen; n != null; n = n.next)
        if (n.value.is(host, strategy, kind, id, length)) return n.value;
      if (made == null) made = new CoveredArray(host, hash, strategy, make(kind, length), id, length, rules);
      if (add(made, seen, new Node(made, seen))) return made;
    }
  }

  /** Records {@code made}, unless it is recorded already. */
  static void adopt(CoveredArray made) {
    while (true) {
      Node[] all = bins;
      Node seen = all[made.hash & all.length - 1];
      for (Node n = seen; n != null; n = n.next) if (n.value.array == made.array) return;
      if (add(made, seen, new Node(made, seen))) return;
    }
  }

  private boolean is(Class<?> host, String strategy, Class<?> kind, long id, int length) {
    return get() == host
        && this.id == id
        && this.length == length
        && array.getClass() == kind
        && this.strategy.equals(strategy);
  }

  private static Class<?> kind(Number count) {
    if (!(count instanceof Long)) return boolean[].class;
    long kind = count.longValue() >>> 32;
    return kind == 0 ? long[].class : kind == 1 ? AtomicLongArray.class : Words.class;
  }

  private static Object make(Class<?> kind, int length) {
    if (kind == Words.class) return new Words(length);
    return kind == AtomicLongArray.class ? new AtomicLongArray(length) : Array.newInstance(kind.getComponentType(), length);
  }

  /** What the class writes to. */
  Object value() {
    return array instanceof Words ? ((Words) array).words : array;
  }

  boolean isCounts() {
    return !(array instanceof boolean[] || array instanceof Words);
  }

  /** Which elements were reached up to now: not to be changed. For those that are no counts. */
  boolean[] elements() {
    return array instanceof Words ? ((Words) array).elements() : (boolean[]) array;
  }

  /** Whether any was; {@code zeros} are as many elements, none of which is. */
  boolean isReached(boolean[] zeros) {
    return array instanceof Words ? ((Words) array).isReached() : !Arrays.equals((boolean[]) array, zeros);
  }

  /** The same, and forgets them. What is not seen here stays for the next time. */
  boolean[] take() {
    if (array instanceof Words) return ((Words) array).take();
    boolean[] elements = (boolean[]) array, taken = new boolean[length];
    for (int i = 0; i < length; i++) {
      if (!elements[i]) continue;
      elements[i] = false;
      taken[i] = true;
    }
    return taken;
  }

  /** How often an element was reached up to now. */
  long count(int i) {
    return array instanceof long[] ? ((long[]) array)[i] : ((AtomicLongArray) array).get(i);
  }

  static boolean isSaturated(Class<?> host) {
    Node[] all = bins;
    for (Node n = all[System.identityHashCode(host) & all.length - 1]; n != null; n = n.next)
      if (n.value.isTaken && n.value.get() == host) return true;
    return false;
  }

  static boolean[] known(Class<?> host, String strategy, long id) {
    Node[] all = bins;
    for (Node n = all[System.identityHashCode(host) & all.length - 1]; n != null; n = n.next)
      if (n.value.id == id && n.value.get() == host && n.value.strategy.equals(strategy)) return n.value.known;
    return null;
  }

  /** False, and nothing is done, if another was added meanwhile. */
  private static synchronized boolean add(CoveredArray made, Node seen, Node now) {
    Node[] all = bins;
    int i = made.hash & all.length - 1;
    if (all[i] != seen) return false;
    if (count >= all.length) {
      bins = all = grown(all);
      i = made.hash & all.length - 1;
      now = new Node(made, all[i]);
    }
    all[i] = now;
    count++;
    made.nextNew = news;
    news = made;
    return true;
  }

  private static Node[] grown(Node[] old) {
    Node[] all = new Node[old.length * 2];
    for (Node first : old)
      for (Node n = first; n != null; n = n.next) {
        int i = n.value.hash & all.length - 1;
        all[i] = new Node(n.value, all[i]);
      }
    return all;
  }

  /** The class of {@code gone} is no more. */
  static synchronized void remove(CoveredArray gone) {
    Node[] all = bins;
    int i = gone.hash & all.length - 1;
    Node left = null;
    for (Node n = all[i]; n != null; n = n.next) if (n.value != gone) left = new Node(n.value, left);
    all[i] = left;
    count--;
  }

  /** Those that came since the last call; each is in one list. */
  static synchronized CoveredArray takeNew() {
    CoveredArray first = news;
    news = null;
    return first;
  }

  /** The one that came before, among those taken. */
  CoveredArray next() {
    return nextNew;
  }

  /** Forgets its place among those taken. */
  void taken() {
    nextNew = null;
  }
}
