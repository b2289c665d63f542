// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MutableCallSite;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Switches probes that were woven off-line, where they are called by sites: one that is off does
 * nothing, and costs nothing once it is compiled again.
 */
public final class Switches {
  /** Internal names of probe classes, and whether they are on: of several the last counts. */
  private static final Map<String, Boolean> MODES = new LinkedHashMap<>();

  /** By the internal name of a probe class. */
  private static final Map<String, List<WeakReference<Site>>> SITES = new HashMap<>();

  private Switches() {}

  /**
   * Switches a probe class, and those that are nested in it.
   *
   * @param name its binary name
   * @param on whether it is called
   */
  public static void set(String name, boolean on) {
    List<Site> all = new ArrayList<>();
    synchronized (SITES) {
      String owner = name.replace('.', '/');
      MODES.keySet().removeIf(o -> isIn(o, owner));
      MODES.put(owner, on);
      for (Map.Entry<String, List<WeakReference<Site>>> e : SITES.entrySet()) {
        if (!isIn(e.getKey(), owner)) continue;
        for (WeakReference<Site> w : e.getValue()) {
          Site s = w.get();
          if (s != null) all.add(s);
        }
      }
      // What takes the place of a value is called as long as a site says that it is there.
      Set<String> asked = new HashSet<>();
      for (Site s : all) if (s.asks()) asked.add(s.name());
      for (Site s : all) if (on || s.asks() || !asked.contains(s.name())) s.turn(on);
    }
    if (!all.isEmpty()) MutableCallSite.syncAll(all.toArray(new MutableCallSite[0]));
  }

  /** The class, or one that is nested in it. */
  private static boolean isIn(String name, String owner) {
    return name.startsWith(owner)
        && (name.length() == owner.length() || name.charAt(owner.length()) == '$');
  }

  /** The site calls a class that may be switched; false: it is off now. */
  static boolean add(String owner, Site site) {
    synchronized (SITES) {
      List<WeakReference<Site>> known = SITES.get(owner);
      if (known == null) SITES.put(owner, known = new ArrayList<>());
      // Whenever there are twice as many, those that are gone leave.
      if ((known.size() & known.size() - 1) == 0) known.removeIf(w -> w.get() == null);
      known.add(new WeakReference<>(site));
      boolean on = true;
      for (Map.Entry<String, Boolean> e : MODES.entrySet())
        if (isIn(owner, e.getKey())) on = e.getValue();
      // Its value takes the place of another, as one that was asked has just said.
      if (!on && !site.asks())
        for (WeakReference<Site> w : known) {
          Site s = w.get();
          on |= s != null && s.asks() && s.name().equals(site.name());
        }
      return on;
    }
  }
}
