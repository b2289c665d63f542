// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

/** Objects that were defined, and their numbers. Looking one up waits for nobody. */
final class Interned {
  private static final class Entry {
    final Object key;
    final int hash;
    final int id;
    final Entry next;

    Entry(Object key, int hash, int id, Entry next) {
      this.key = key;
      this.hash = hash;
      this.id = id;
      this.next = next;
    }
  }

  private volatile Entry[] heads = new Entry[256];
  private volatile int count;

  /** How many there are. */
  int count() {
    return count;
  }

  /** The number of an object that is equal; 0 if there is none. */
  int find(Object key, int hash) {
    Entry[] all = heads;
    for (Entry e = all[spread(hash) & all.length - 1]; e != null; e = e.next) {
      if (e.hash == hash && e.key.equals(key)) return e.id;
    }
    return 0;
  }

  /** Adds an object with the next number; one caller at a time. */
  int add(Object key, int hash) {
    Entry[] all = heads;
    if (count >= all.length) all = grown(all);
    int i = spread(hash) & all.length - 1;
    Entry e = new Entry(key, hash, count + 1, all[i]);
    all[i] = e;
    heads = all;
    count = e.id;
    return e.id;
  }

  private static Entry[] grown(Entry[] old) {
    Entry[] all = new Entry[old.length * 2];
    for (Entry head : old) {
      for (Entry e = head; e != null; e = e.next) {
        int i = spread(e.hash) & all.length - 1;
        all[i] = new Entry(e.key, e.hash, e.id, all[i]);
      }
    }
    return all;
  }

  private static int spread(int hash) {
    return hash ^ hash >>> 16;
  }
}
