// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MutableCallSite;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Switches probes that were woven off-line, where they are called by sites: one that is off does
 * nothing, and costs nothing once it is compiled again. Takes no lock: sites come on any thread.
 */
public final class Switches {
  /** The mode of a probe class and of the classes nested in it. */
  static final class Mode {
    /** An internal name. */
    final String owner;

    final boolean on;

    Mode(String owner, boolean on) {
      this.owner = owner;
      this.on = on;
    }
  }

  /** Of several that are about a class the first counts, which is the last one said. */
  private static final Chain<Mode> MODES = new Chain<>();

  private static final Chain<WeakReference<Site>> SITES = new Chain<>();

  /** How many sites there were when those that are gone were last dropped. */
  private static volatile int dropped = 64;

  private Switches() {}

  /**
   * Switches a probe class, and those that are nested in it.
   *
   * @param name its binary name
   * @param on whether it is called
   */
  public static void set(String name, boolean on) {
    String owner = name.replace('.', '/');
    say(new Mode(owner, on));
    List<Site> all;
    Chain.Node<Mode> seen;
    // What another thread says meanwhile may be about the same ones: the last one wins.
    do {
      seen = MODES.first();
      all = turn(owner, seen);
    } while (MODES.first() != seen);
    if (!all.isEmpty()) MutableCallSite.syncAll(all.toArray(new MutableCallSite[0]));
  }

  /** In place of what it makes void. */
  private static void say(Mode mode) {
    Chain.Node<Mode> seen, now;
    do {
      seen = MODES.first();
      now = new Chain.Node<>(mode, without(mode.owner, seen));
    } while (!MODES.replace(seen, now));
  }

  private static Chain.Node<Mode> without(String owner, Chain.Node<Mode> all) {
    if (all == null) return null;
    Chain.Node<Mode> rest = without(owner, all.next);
    if (isIn(all.value.owner, owner)) return rest;
    return rest == all.next ? all : new Chain.Node<>(all.value, rest);
  }

  /** Turns the sites of that class to what was said; which they are. */
  private static List<Site> turn(String owner, Chain.Node<Mode> modes) {
    List<Site> all = new ArrayList<>();
    Set<String> asked = new HashSet<>();
    for (Chain.Node<WeakReference<Site>> n = SITES.first(); n != null; n = n.next) {
      Site s = n.value.get();
      if (s == null || !isIn(s.owner(), owner)) continue;
      all.add(s);
      if (s.asks()) asked.add(s.name());
    }
    // What takes the place of a value is called as long as a site says that it is there.
    for (Site s : all) {
      boolean on = isOn(s.owner(), modes);
      if (on || s.asks() || !asked.contains(s.name())) s.turn(on);
    }
    return all;
  }

  /** The class, or one that is nested in it. */
  private static boolean isIn(String name, String owner) {
    return name.startsWith(owner)
        && (name.length() == owner.length() || name.charAt(owner.length()) == '$');
  }

  private static boolean isOn(String owner, Chain.Node<Mode> modes) {
    for (Chain.Node<Mode> m = modes; m != null; m = m.next)
      if (isIn(owner, m.value.owner)) return m.value.on;
    return true;
  }

  /**
   * The site calls a class that may be switched: from now on {@code found}, or nothing if that is
   * off. Returns which.
   */
  static MethodHandle link(Site site, MethodHandle found) {
    // Marked when it is there, not before: threads that link it at once may add it more than once.
    if (!site.isSwitched) {
      SITES.add(new WeakReference<>(site));
      site.isSwitched = true;
      dropGone();
    }
    // After it was added: whoever says otherwise later finds it. Both look again once they have set
    // it, so that whichever does it last sets what was said last.
    Chain.Node<Mode> seen;
    do {
      seen = MODES.first();
      if (isOn(site.owner(), seen) || isAsked(site)) site.setTarget(found);
      else site.turn(false);
    } while (MODES.first() != seen);
    return site.getTarget();
  }

  /** Its value takes the place of another, as one that was asked has just said. */
  private static boolean isAsked(Site site) {
    if (site.asks()) return false;
    for (Chain.Node<WeakReference<Site>> n = SITES.first(); n != null; n = n.next) {
      Site s = n.value.get();
      if (s != null && s.asks() && s.owner().equals(site.owner()) && s.name().equals(site.name()))
        return true;
    }
    return false;
  }

  /** Whenever there are twice as many, those that are gone leave. */
  private static void dropGone() {
    Chain.Node<WeakReference<Site>> seen = SITES.first();
    if (seen.length < 2 * dropped) return;
    Chain.Node<WeakReference<Site>> now = null;
    for (Chain.Node<WeakReference<Site>> n = seen; n != null; n = n.next)
      if (n.value.get() != null) now = new Chain.Node<>(n.value, now);
    if (SITES.replace(seen, now)) dropped = now == null ? 64 : Math.max(64, now.length);
  }
}
