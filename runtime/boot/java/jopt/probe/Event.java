// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.time.Instant;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;

/**
 * What there is to tell of a call, as one line for people or as JSON: what one-liners print. Not for
 * several threads.
 */
public final class Event {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  /** Of a string in JSON. */
  private static final int MOST = 1000;

  private final String type, method;
  private Object self;
  private boolean hasSelf, hasResult;
  private Object[] args;
  private Object result;
  private Throwable thrown;
  private long nanos = -1;
  private StackTraceElement[] stack;

  private Event(String type, String method) {
    this.type = type.replace('/', '.');
    this.method = method;
  }

  /**
   * A call.
   *
   * @param className of the class, with slashes or dots
   * @param methodName of the method
   * @return an event to which the methods below add
   */
  public static Event of(String className, String methodName) {
    return new Event(className, methodName);
  }

  /**
   * Adds the object.
   *
   * @param self the object; null is none
   * @return this
   */
  public Event self(Object self) {
    this.self = self;
    hasSelf = true;
    return this;
  }

  /**
   * Adds the arguments.
   *
   * @param args all of them
   * @return this
   */
  public Event args(Object[] args) {
    this.args = args;
    return this;
  }

  /**
   * Adds what the call returned, unless it threw something or its method returns nothing.
   *
   * @param result the result
   * @param descriptor of the method
   * @return this
   */
  public Event result(Object result, String descriptor) {
    this.result = result;
    hasResult = !descriptor.endsWith("V");
    return this;
  }

  /**
   * Adds what the call threw.
   *
   * @param thrown null: nothing
   * @return this
   */
  public Event thrown(Throwable thrown) {
    this.thrown = thrown;
    return this;
  }

  /**
   * Adds how long it took.
   *
   * @param nanos in nanoseconds
   * @return this
   */
  public Event took(long nanos) {
    this.nanos = nanos;
    return this;
  }

  /**
   * Adds a stack.
   *
   * @param frames the innermost first
   * @return this
   */
  public Event stack(StackTraceElement[] frames) {
    stack = frames;
    return this;
  }

  /**
   * Adds where an exception was made.
   *
   * @param of the exception
   * @param most no more frames than so many
   * @return this
   */
  public Event stackOf(Throwable of, int most) {
    StackTraceElement[] all = of.getStackTrace();
    return stack(all.length > most ? java.util.Arrays.copyOf(all, most) : all);
  }

  /**
   * Prints it, to who follows the probes, else on standard error.
   *
   * @param asJson as an object; else for people, frames each on a line of their own
   */
  public void print(boolean asJson) {
    Output.println(asJson ? json() : text());
  }

  private String text() {
    StringBuilder line = new StringBuilder(LocalTime.now().format(TIME));
    line.append(" [").append(Thread.currentThread().getName()).append("] ");
    if (hasSelf && self != null) line.append(Show.value(self)).append(' ');
    line.append(type).append('.').append(method).append('(');
    line.append(args == null ? "" : Show.values(args)).append(')');
    if (thrown != null) line.append(" throws ").append(Show.value(thrown));
    else if (hasResult) line.append(" = ").append(Show.value(result));
    if (nanos >= 0) line.append("  ").append(Format.number(nanos / 1e6)).append(" ms");
    if (stack != null) for (StackTraceElement f : stack) line.append("\n    at ").append(f);
    return line.toString();
  }

  private String json() {
    Json o = new Json().put("time", Instant.now().toString());
    o.put("thread", Thread.currentThread().getName()).put("class", type).put("method", method);
    if (hasSelf) o.put("self", plain(self));
    if (args != null) {
      Object[] all = new Object[args.length];
      for (int i = 0; i < all.length; i++) all[i] = plain(args[i]);
      o.put("args", all);
    }
    if (thrown != null) o.put("thrown", plain(thrown));
    else if (hasResult) o.put("result", plain(result));
    if (nanos >= 0) o.put("durationMs", nanos / 1e6);
    if (stack != null) o.put("stack", stack);
    return o.toString();
  }

  /** Numbers and texts as they are, others as people see them. */
  private static Object plain(Object value) {
    if (value == null || value instanceof Number || value instanceof Boolean) return value;
    if (!(value instanceof CharSequence)) return Show.value(value);
    String text = Show.text(value);
    return text.length() > MOST ? text.substring(0, MOST) + "..." : text;
  }
}
