// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.ref.WeakReference;

/** Copies of probe classes by another loader and a name. It keeps neither alive, and has no lock. */
final class Homes {
  static final class Home {
    /** Null: the boot loader. */
    final WeakReference<ClassLoader> from;

    final String name;
    final WeakReference<ProbeLoader> copy;

    Home(ClassLoader from, String name, ProbeLoader copy) {
      this.from = from == null ? null : new WeakReference<>(from);
      this.name = name;
      this.copy = new WeakReference<>(copy);
    }

    boolean isOf(ClassLoader loader, String wanted) {
      return (from == null ? loader == null : loader != null && from.get() == loader)
          && name.equals(wanted);
    }
  }

  /** By the hashes of loaders. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private final Chain<Home>[] bins = new Chain[64];

  Homes() {
    for (int i = 0; i < bins.length; i++) bins[i] = new Chain<>();
  }

  private Chain<Home> bin(ClassLoader from) {
    return bins[System.identityHashCode(from) & bins.length - 1];
  }

  private static ProbeLoader find(Chain.Node<Home> all, ClassLoader from, String name) {
    for (Chain.Node<Home> n = all; n != null; n = n.next)
      if (n.value.isOf(from, name)) return n.value.copy.get();
    return null;
  }

  /** Null if there is none, or none any more. */
  ProbeLoader find(ClassLoader from, String name) {
    return find(bin(from).first(), from, name);
  }

  /** Adds {@code copy} if there is none; that which there is from now on. */
  ProbeLoader add(ClassLoader from, String name, ProbeLoader copy) {
    Chain<Home> bin = bin(from);
    Home made = new Home(from, name, copy);
    while (true) {
      Chain.Node<Home> seen = bin.first(), now = null;
      ProbeLoader known = find(seen, from, name);
      if (known != null) return known;
      for (Chain.Node<Home> n = seen; n != null; n = n.next)
        if (n.value.copy.get() != null) now = new Chain.Node<>(n.value, now);
      if (bin.replace(seen, new Chain.Node<>(made, now))) return copy;
    }
  }

  /** All copies that are there, as a list. */
  Chain.Node<ProbeLoader> all() {
    Chain.Node<ProbeLoader> all = null;
    for (Chain<Home> bin : bins)
      for (Chain.Node<Home> n = bin.first(); n != null; n = n.next) {
        ProbeLoader copy = n.value.copy.get();
        if (copy != null) all = new Chain.Node<>(copy, all);
      }
    return all;
  }
}
