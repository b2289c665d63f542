// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** The monitor that prints everything. */
final class Dprint extends MethodMonitorBase {
  /** Symbols by package. */
  private static final Map<String, String> PREFIXES =
      new ConcurrentSkipListMap<>();

  Dprint(Class<?> cls, MethodMonitorFactory factory) {
    super("Dprint", cls, factory);
  }

  static void addPrefix(String pkg, String symbol) {
    PREFIXES.put(pkg, symbol);
  }

  /** The longest package that has a symbol is replaced by it. */
  private static String abbreviate(String name) {
    for (int dot = name.lastIndexOf('.');
        dot > 0;
        dot = name.lastIndexOf('.', dot - 1)) {
      String symbol = PREFIXES.get(name.substring(0, dot));
      if (symbol != null) {
        return "(" + symbol + ")" + name.substring(dot);
      }
    }
    return name;
  }

  private static void append(StringBuilder line, Object[] args) {
    if (args.length == 0) {
      return;
    }
    line.append('(');
    for (int i = 0; i < args.length; i++) {
      line.append(i == 0 ? "" : " ").append(Texts.of(args[i]));
    }
    line.append(')');
  }

  private StringBuilder line(int ident) {
    return new StringBuilder("(")
        .append(Thread.currentThread().getName())
        .append("): ")
        .append(abbreviate(myClass().getName()))
        .append('.')
        .append(MethodMonitorRegistry.getMethodName(myClass(), ident));
  }

  @Override
  public void enter(int ident, Object... args) {
    StringBuilder line = line(ident).append("->");
    append(line, args);
    System.out.println(line);
  }

  @Override
  public void info(Object[] args, int callerIdent, int selfIdent) {
    StringBuilder line =
        line(callerIdent)
            .append("::(")
            .append(MethodMonitorRegistry.getMethodName(myClass(), selfIdent))
            .append(')');
    append(line, args);
    System.out.println(line);
  }

  @Override
  public void exit(int ident) {
    System.out.println(line(ident).append("<-"));
  }

  @Override
  public void exit(int ident, Object result) {
    StringBuilder line = line(ident).append("<-(");
    try {
      line.append(result);
    } catch (RuntimeException thrown) {
      line.append(Texts.of(result));
    }
    System.out.println(line.append(')'));
  }

  @Override
  public void exception(int ident, Throwable thrown) {
    System.out.println(line(ident).append(":throw:").append(thrown));
  }

  @Override
  public void clear() {}
}
