// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The last calls, each with a number for later queries. They are kept as texts, which show the values as
 * they were then and keep no object of the program alive. No thread waits for another.
 */
public final class Calls extends Metric {
  private final AtomicLong numbers = new AtomicLong();
  private volatile AtomicReferenceArray<Event> last;

  private Calls(String name, int most) {
    super(name);
    last = new AtomicReferenceArray<>(most);
  }

  /**
   * The calls of that name, none at first.
   *
   * @param name of the kept calls
   * @param most only the last so many are kept
   * @return always the same, as long as somebody keeps calls there
   */
  public static Calls named(String name, int most) {
    Calls found = Registry.get(name, Calls.class, n -> new Calls(n, most));
    if (found.last.length() != most) found.last = new AtomicReferenceArray<>(most);
    return found;
  }

  /** Keeps calls from now on, none of before. For {@code onAttach}, as {@link RateLimit#again} is. */
  public void again() {
    isRetired = false;
    reset();
  }

  /**
   * Keeps a call.
   *
   * @param call complete
   */
  public void add(Event call) {
    AtomicReferenceArray<Event> to = last;
    long number = numbers.incrementAndGet();
    to.set((int) (number % to.length()), call.kept(number));
  }

  /**
   * Prints all that are kept, the oldest first, as {@link Output#println} does.
   *
   * @param asJson as objects
   */
  public void print(boolean asJson) {
    for (String line : list(asJson)) Output.println(line);
  }

  private List<String> list(boolean asJson) {
    List<Event> kept = new ArrayList<>();
    AtomicReferenceArray<Event> from = last;
    for (int i = 0; i < from.length(); i++) if (from.get(i) != null) kept.add(from.get(i));
    kept.sort((a, b) -> Long.compare(a.number(), b.number()));
    List<String> lines = new ArrayList<>();
    for (Event e : kept) lines.add(e.line(asJson));
    return lines;
  }

  /**
   * Answers a query about the calls that are kept anywhere.
   *
   * @param what {@code list}, or a number; {@code json} and a blank before it: as objects
   * @return lines, none if no such call is kept; null if nothing keeps calls
   */
  static String ask(String what) {
    boolean asJson = what.startsWith("json ");
    String which = asJson ? what.substring(5) : what;
    StringBuilder all = null;
    for (Metric m : Registry.all()) {
      if (!(m instanceof Calls) || m.isRetired) continue;
      if (all == null) all = new StringBuilder();
      Calls c = (Calls) m;
      if (which.equals("list")) for (String line : c.list(asJson)) all.append(line).append('\n');
      else all.append(c.one(which, asJson));
    }
    return all == null ? null : all.toString();
  }

  private String one(String which, boolean asJson) {
    AtomicReferenceArray<Event> from = last;
    long n = Long.parseLong(which);
    Event e = n < 1 ? null : from.get((int) (n % from.length()));
    if (e == null || e.number() != n) return "";
    return (asJson ? e.line(true) : e.page()) + '\n';
  }

  @Override
  void tell(String key, Samples to) {}

  @Override
  void reset() {
    last = new AtomicReferenceArray<>(last.length());
    numbers.set(0);
  }

  @Override
  long size() {
    return numbers.get();
  }
}
