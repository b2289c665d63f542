// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.Map;
import java.util.TreeMap;
import jopt.boot.Client;

/** Expressions of one-liners that threw something. What they were asked for then is left out, and said at the end. */
public final class Failures {
  private static final Map<String, Failures> ALL = new TreeMap<>();

  private final String first;
  private long count;

  private Failures(Throwable first) {
    this.first = SafeText.line(Show.text(first));
  }

  /**
   * An expression threw something.
   *
   * @param option whose expression
   * @param thrown what it threw
   */
  public static void add(String option, Throwable thrown) {
    Output.begin();
    synchronized (ALL) {
      Failures of = ALL.get(option);
      if (of == null) ALL.put(option, of = new Failures(thrown));
      of.count++;
    }
  }

  /**
   * Says how often that happened, to who follows the probes, else on standard error, and forgets it.
   *
   * @param followed only to who follows
   */
  public static void tell(boolean followed) {
    synchronized (ALL) {
      if (!followed || Client.isFollowed())
        ALL.forEach(
            (option, f) ->
                Output.undone(
                    "the expression of " + option + " threw " + f.first
                        + (option.equals("--text") ? "; texts without its value: " : "; events left out: ") + f.count));
      ALL.clear();
    }
  }
}
