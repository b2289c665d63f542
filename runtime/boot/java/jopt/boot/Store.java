// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

/**
 * What probes keep for one class. It lives as long as the class and keeps no other alive; classes of
 * the boot loader are never unloaded, and theirs are in a table that calls no method of the JDK
 * that may have probes. No method here calls one while it has a lock.
 */
final class Store {
  /** One for each class. */
  static final class Stores extends ClassValue<Store> {
    @Override
    protected Store computeValue(Class<?> host) {
      return new Store(host);
    }
  }

  private static final Stores STORES = new Stores();

  /** Open addressing; never full. Stores are only added, so that readers need no lock. */
  private static volatile Store[] boot = new Store[64];

  private static int count;

  private final Class<?> host;
  private volatile Cell cells;
  private volatile Bridge bridges;

  /** What lives as long as the class does: the first of a list. */
  private ProbeLoader kept;

  Store(Class<?> host) {
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

  /** The cell of that request. Requests are constants of class files: one object for each text. */
  @SuppressWarnings("StringEquality")
  Cell cell(String request) {
    for (Cell c = cells; c != null; c = c.next) if (c.request == request) return c;
    synchronized (this) {
      for (Cell c = cells; c != null; c = c.next) if (c.request == request) return c;
      return cells = new Cell(request, cells);
    }
  }

  /** The cell of that request, and what it holds, is gone. */
  @SuppressWarnings("StringEquality")
  synchronized void forget(String request) {
    if (cells != null && cells.request == request) cells = cells.next;
    for (Cell c = cells; c != null; c = c.next)
      if (c.next != null && c.next.request == request) c.next = c.next.next;
  }

  /** The bridge that is called with these constants, which are one object for each text. */
  Bridge bridge(String request, String name, String type) {
    for (Bridge b = bridges; b != null; b = b.next) if (b.is(request, name, type)) return b;
    Bridge made = new Bridge(host, request, name, type);
    synchronized (this) {
      for (Bridge b = bridges; b != null; b = b.next) if (b.is(request, name, type)) return b;
      made.next = bridges;
      return bridges = made;
    }
  }

  /** The site is not called any more. */
  synchronized void forget(Site site) {
    if (bridges != null && bridges.site == site) bridges = bridges.next;
    for (Bridge b = bridges; b != null; b = b.next)
      if (b.next != null && b.next.site == site) b.next = b.next.next;
  }

  /** No other store has it. */
  synchronized void keep(ProbeLoader loader) {
    loader.nextKept = kept;
    kept = loader;
  }

  synchronized void drop(ProbeLoader loader) {
    if (kept == loader) kept = loader.nextKept;
    for (ProbeLoader l = kept; l != null; l = l.nextKept)
      if (l.nextKept == loader) l.nextKept = loader.nextKept;
    loader.nextKept = null;
  }
}
