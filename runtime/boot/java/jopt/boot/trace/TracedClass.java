// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.util.Arrays;

/** A class that is traced, or several that are equal in different loaders. */
final class TracedClass {
  private static final TracedMethod[] NO_METHODS = {};

  /** Classes of a run have numbers in the order in which they came. */
  final int number;

  /** The number of frames of the JVM is asked for. */
  final boolean isDeep;

  /** Its events are recorded in memory alone. */
  final boolean isForRequests;

  /** By the numbers of their enter events. */
  volatile TracedMethod[] methods = NO_METHODS;

  /** For text at once; else null. */
  Text.Lines lines;

  /** Where the methods begin that open the guard; for each the exits that close it. */
  private int[] entries = {};

  private int[][] exits = {};

  /** By the numbers of their enter events, how many arguments methods tell; null for none. */
  private int[] arguments;

  TracedClass(int number, Declarations declared, String text) {
    this.number = number;
    isDeep = declared.option("calldepth") != null;
    isForRequests = declared.option(Requests.OPTION) != null;
    if (declared.letters().indexOf('E') >= 0) new Declarations(text).accept(new Arguments());
    if (isForRequests) return;
    String method = declared.option("entry-method");
    String type = declared.option("entry-class");
    String wanted = method == null ? "main([Ljava/lang/String;)V" : method;
    if (method != null && type != null && !declared.name.equals(type)) return;
    int parameters = wanted.indexOf('(');
    // To read all of the text takes its time.
    if (parameters < 0
        || !text.contains(wanted.substring(0, parameters))
        || !text.contains(wanted.substring(parameters))) return;
    new Declarations(text).accept(new Entries(wanted, method != null));
  }

  /** Some method of it opens the guard. */
  boolean hasEntry() {
    return entries.length > 0;
  }

  /** Counts the arguments of methods that are references. */
  final class Arguments implements Declarations.Visitor {
    private int count, event;
    private boolean isFirst;

    @Override
    public void method(String name, String descriptor, int access) {
      count = Declarations.references(descriptor);
      isFirst = true;
    }

    @Override
    public void event(Declarations.Kind kind, int line, int bci, String[] operands) {
      if (isFirst && count > 0) {
        if (arguments == null) arguments = new int[event + 1];
        if (event >= arguments.length) arguments = Arrays.copyOf(arguments, 2 * event);
        arguments[event] = count;
      }
      isFirst = false;
      event++;
    }

    @Override
    public void flow(int from, int fromOpcode, int to, int toOpcode, int isExceptional) {}
  }

  /** Finds the methods that open the guard. */
  final class Entries implements Declarations.Visitor {
    private final String wanted;
    private final boolean closes;
    private boolean isEntry, isFirst;
    private int event;

    Entries(String wanted, boolean closes) {
      this.wanted = wanted;
      this.closes = closes;
    }

    @Override
    public void method(String name, String descriptor, int access) {
      isEntry = isFirst = wanted.equals(name + descriptor);
    }

    @Override
    public void event(Declarations.Kind kind, int line, int bci, String[] operands) {
      if (isFirst) {
        entries = Arrays.copyOf(entries, entries.length + 1);
        exits = Arrays.copyOf(exits, entries.length);
        entries[entries.length - 1] = event;
        exits[entries.length - 1] = new int[0];
      }
      if (isEntry && closes && kind.isExit()) {
        int[] all = exits[exits.length - 1];
        all = Arrays.copyOf(all, all.length + 1);
        all[all.length - 1] = event;
        exits[exits.length - 1] = all;
      }
      isFirst = false;
      event++;
    }

    @Override
    public void flow(int from, int fromOpcode, int to, int toOpcode, int isExceptional) {}
  }

  /** The method whose enter event that is; null if it cannot be recorded now. */
  synchronized TracedMethod define(int event) {
    TracedMethod[] all = methods;
    if (event < all.length && all[event] != null) return all[event];
    int method = Definitions.method(number, event, isForRequests);
    if (method == 0) return null;
    if (event >= all.length) all = Arrays.copyOf(all, Math.max(event + 1, all.length * 2));
    int entry = 0;
    while (entry < entries.length && entries[entry] != event) entry++;
    int count = arguments != null && event < arguments.length ? arguments[event] : 0;
    int[] ends = entry < entries.length ? exits[entry] : null;
    all[event] = new TracedMethod(this, method, event, ends, count);
    TracedMethod.add(all[event]);
    methods = all;
    return all[event];
  }
}
