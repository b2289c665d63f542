// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.internal;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * A map that compares its keys by identity and does not keep them from being collected. Threads
 * seldom wait for one another: there are several parts, each with a lock, and looking up a key that
 * is there takes no lock. The map uses no collection of the JDK, since probes may sit in those.
 * Value objects have no identity, and nothing tells when they are gone: the map never has one as a
 * key. Not for users.
 *
 * @param <V> the values
 */
public final class WeakIdentityMap<V> {
  private static final int PARTS = 16;

  /** A key and its value. */
  private static final class Entry<V> extends WeakReference<Object> {
    final int hash;

    /** Who reads it takes no lock, and is to find the object whole. */
    volatile V value;

    volatile Entry<V> next;

    Entry(Object key, int hash, V value, ReferenceQueue<Object> queue) {
      super(key, queue);
      this.hash = hash;
      this.value = value;
    }
  }

  /** The entries of some hashes. */
  private static final class Part<V> {
    private volatile Entry<V>[] heads = heads(8);
    private int count;

    @SuppressWarnings("unchecked")
    private static <V> Entry<V>[] heads(int n) {
      return (Entry<V>[]) new Entry<?>[n];
    }

    /**
     * A result is right even while another thread changes the part: removing an entry clears it,
     * which the key's owner sees. Without the lock the search may miss an entry that is there.
     */
    private Entry<V> find(Object key, int hash) {
      Entry<V>[] heads = this.heads;
      for (Entry<V> e = heads[hash & heads.length - 1]; e != null; e = e.next) {
        if (e.hash == hash && e.get() == key) return e;
      }
      return null;
    }

    synchronized void unlink(Entry<V> entry) {
      Entry<V>[] heads = this.heads;
      int at = entry.hash & heads.length - 1;
      Entry<V> before = null;
      for (Entry<V> e = heads[at]; e != null; before = e, e = e.next) {
        if (e != entry) continue;
        if (before == null) heads[at] = e.next;
        else before.next = e.next;
        count--;
        return;
      }
    }

    private void grow() {
      Entry<V>[] larger = heads(heads.length * 2);
      for (Entry<V> head : heads) {
        for (Entry<V> e = head, next; e != null; e = next) {
          next = e.next;
          e.next = larger[e.hash & larger.length - 1];
          larger[e.hash & larger.length - 1] = e;
        }
      }
      heads = larger;
    }

    V get(Object key, int hash) {
      Entry<V> e = find(key, hash);
      V value = e == null ? null : e.value;
      return value == null ? getLocked(key, hash) : value;
    }

    private synchronized V getLocked(Object key, int hash) {
      Entry<V> e = find(key, hash);
      return e == null ? null : e.value;
    }

    synchronized V put(
        Object key, int hash, V value, boolean replace, ReferenceQueue<Object> queue) {
      Entry<V> e = find(key, hash);
      if (e != null) {
        V old = e.value;
        if (replace) e.value = value;
        return old;
      }
      try {
        e = new Entry<>(key, hash, value, queue);
      } catch (RuntimeException none) { // IdentityException, since Java 28
        tellOfValue(key);
        return replace ? null : value;
      }
      if (++count > heads.length) grow();
      Entry<V>[] heads = this.heads;
      e.next = heads[hash & heads.length - 1];
      heads[hash & heads.length - 1] = e;
      return null;
    }

    synchronized V remove(Object key, int hash) {
      Entry<V> e = find(key, hash);
      if (e == null) return null;
      unlink(e);
      e.clear();
      return e.value;
    }
  }

  private static volatile boolean toldOfValue;

  private static void tellOfValue(Object key) {
    if (toldOfValue) return;
    toldOfValue = true;
    System.err.println(
        "jopt: probes keep nothing of value objects, such as those of " + key.getClass().getName());
  }

  private final Part<V>[] parts = parts();
  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();

  /** A map without entries. */
  public WeakIdentityMap() {}

  @SuppressWarnings("unchecked")
  private static <V> Part<V>[] parts() {
    Part<V>[] made = (Part<V>[]) new Part<?>[PARTS];
    for (int i = 0; i < PARTS; i++) made[i] = new Part<>();
    return made;
  }

  /** Takes out entries whose keys are gone. */
  private void dropCollected() {
    for (Reference<?> r; (r = queue.poll()) != null; ) {
      Entry<V> entry = cast(r);
      part(entry.hash).unlink(entry);
    }
  }

  @SuppressWarnings("unchecked")
  private Entry<V> cast(Reference<?> r) {
    return (Entry<V>) r;
  }

  private static int hash(Object key) {
    int h = System.identityHashCode(key) * 0x9e3779b1;
    return h ^ h >>> 15;
  }

  private Part<V> part(int hash) {
    return parts[hash >>> 28 & PARTS - 1];
  }

  /**
   * The value of a key.
   *
   * @param key the key; null has none
   * @return its value; null if it has none
   */
  public V get(Object key) {
    if (key == null) return null;
    int h = hash(key);
    return part(h).get(key, h);
  }

  /**
   * Gives a key a value.
   *
   * @param key the key; null is ignored, and so is a value object
   * @param value the value
   * @return the value it had; null if it had none
   */
  public V put(Object key, V value) {
    if (key == null) return null;
    dropCollected();
    int h = hash(key);
    return part(h).put(key, h, value, true, queue);
  }

  /**
   * Gives a key a value, unless it has one.
   *
   * @param key the key; null is ignored, and so is a value object
   * @param value the value
   * @return the value it has and keeps; null if it had none; {@code value} if it is a value object
   */
  public V putIfAbsent(Object key, V value) {
    if (key == null) return null;
    dropCollected();
    int h = hash(key);
    return part(h).put(key, h, value, false, queue);
  }

  /**
   * Takes the value of a key away.
   *
   * @param key the key
   * @return the value it had; null if it had none
   */
  public V remove(Object key) {
    if (key == null) return null;
    dropCollected();
    int h = hash(key);
    return part(h).remove(key, h);
  }
}
