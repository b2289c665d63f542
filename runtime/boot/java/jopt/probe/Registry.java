// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** All metrics, by their names. */
final class Registry {
  private static final Map<String, Metric> ALL = new TreeMap<>();

  private Registry() {}

  /** That of the name, which is made if there is none; one of another type gets another name. */
  static <M extends Metric> M get(String name, Class<M> type, Function<String, M> make) {
    synchronized (ALL) {
      Output.begin();
      String of = name;
      for (int n = 2; ; n++) {
        Metric there = ALL.get(of);
        if (there == null || there.isRetired && !type.isInstance(there)) {
          M made = make.apply(of);
          ALL.put(of, made);
          return made;
        }
        if (type.isInstance(there)) {
          there.isRetired = false;
          return type.cast(there);
        }
        of = name + " (" + n + ")";
      }
    }
  }

  /** What there is now, in the order of names. */
  static List<Metric> all() {
    synchronized (ALL) {
      return new ArrayList<>(ALL.values());
    }
  }

  /** Resets all metrics, for probes that use them later. */
  static void retire() {
    for (Metric m : all()) m.isRetired = true;
    resetRetired();
  }

  /** Resets the metrics that nobody has used since. */
  static void resetRetired() {
    for (Metric m : all()) if (m.isRetired) m.reset();
  }
}
