// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

/**
 * What probes keep for one class. It lives as long as the class and keeps no other alive; classes of
 * the boot loader are never unloaded, and theirs are in a table that calls no method of the JDK
 * that may have probes.
 */
final class Store {
  private static final ClassValue<Store> STORES =
      new ClassValue<Store>() {
        @Override
        protected Store computeValue(Class<?> host) {
          return new Store(host);
        }
      };

  /** Open addressing; never full. Stores are only added, so that who reads needs no lock. */
  private static volatile Store[] boot = new Store[64];

  private static int count;

  private final Class<?> host;
  private volatile Cell cells;

  private Store(Class<?> host) {
    this.host = host;
  }

  static Store of(Class<?> host) {
    if (host.getClassLoader() != null) return STORES.get(host);
    Store[] table = boot;
    Store found = table[index(table, host)];
    return found != null ? found : add(host);
  }

  /** Where the store of {@code host} is, or is to be. */
  private static int index(Store[] table, Class<?> host) {
    int i = System.identityHashCode(host) & table.length - 1;
    while (table[i] != null && table[i].host != host) i = i + 1 & table.length - 1;
    return i;
  }

  private static synchronized Store add(Class<?> host) {
    Store[] table = boot;
    Store found = table[index(table, host)];
    if (found != null) return found;
    if (++count * 2 > table.length) {
      Store[] larger = new Store[table.length * 2];
      for (Store s : table) if (s != null) larger[index(larger, s.host)] = s;
      boot = table = larger;
    }
    return table[index(table, host)] = new Store(host);
  }

  /** The cell of that key. Keys are constants of class files: one object for each text. */
  @SuppressWarnings("StringEquality")
  Cell cell(String key) {
    for (Cell c = cells; c != null; c = c.next) if (c.key == key) return c;
    synchronized (this) {
      for (Cell c = cells; c != null; c = c.next) if (c.key == key) return c;
      return cells = new Cell(key, cells);
    }
  }
}
