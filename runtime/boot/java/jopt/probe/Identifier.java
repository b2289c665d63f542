// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

/**
 * An expression that names the request that a call is of, as the trace id of a logger. It is read in the program, so it may
 * name classes that probes do not see. For any number of threads.
 */
public final class Identifier {
  private final Expression expression;

  /**
   * Reads one.
   *
   * @param text over the arguments by their names, {@code args}, fields of {@code this}, and classes by their full names
   */
  public Identifier(String text) {
    expression = Expression.of(text);
  }

  /** Its value; null if it throws anything, which is said at the end. */
  Object of(Object self, String[] names, Object[] args) {
    try {
      Object value = expression.in(new Call(self, names, args));
      return value == null || expression.secret() == null ? value : Secrets.MASK;
    } catch (Throwable e) {
      Failures.add("--id", e);
      return null;
    }
  }

  private static final class Call implements Expression.Scope {
    private final Object self;
    private final String[] names;
    private final Object[] args;

    Call(Object self, String[] names, Object[] args) {
      this.self = self;
      this.names = names;
      this.args = args == null ? new Object[0] : args;
    }

    @Override
    public Object find(String name) {
      if (name.equals("this")) return self == null ? Members.NONE : self;
      if (name.equals("args")) return args;
      for (int i = 0; i < args.length && i < names.length; i++) if (names[i].equals(name)) return args[i];
      return name.equals("thread") ? Thread.currentThread().getName() : Members.NONE;
    }

    @Override
    public ClassLoader loader() {
      return self == null ? Thread.currentThread().getContextClassLoader() : self.getClass().getClassLoader();
    }

    @Override
    public String names() {
      return String.join(", ", names) + (names.length > 0 ? ", " : "") + "args, this, thread";
    }
  }
}
