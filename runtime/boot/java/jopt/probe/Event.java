// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * The description of a call that one-liners print, as one line for people or as JSON. Not for several
 * threads.
 */
public final class Event {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

  /** Of a string in JSON. */
  private static final int MOST = 1000;

  private final Instant time = Instant.now();
  private final String thread = Thread.currentThread().getName();
  private final String type, method;
  private Object self;
  private boolean hasSelf, hasResult;
  private Object[] args;
  private Object result, thrown;
  private long nanos = -1, number;
  private StackTraceElement[] stack;
  private Tree.Request tree;
  private Place place;

  /** A line of the method, and the values that are shown of it. */
  private static final class Place {
    private int line;
    private String text;
    private List<Variable> variables;
  }

  /** A variable of the program, and what it is. */
  static final class Variable {
    private final String name, type;
    private final Expanded.Node value;

    Variable(String name, String descriptor, Expanded.Node value) {
      this.name = name;
      type = javaType(descriptor);
      this.value = value;
    }

    private static String javaType(String descriptor) {
      switch (descriptor.charAt(0)) {
        case '[':
          return javaType(descriptor.substring(1)) + "[]";
        case 'L':
          return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
        case 'Z':
          return "boolean";
        case 'B':
          return "byte";
        case 'C':
          return "char";
        case 'S':
          return "short";
        case 'I':
          return "int";
        case 'J':
          return "long";
        case 'F':
          return "float";
        default:
          return "double";
      }
    }
  }

  /** What a value was, as text. */
  private static final class Was {
    private final String text;

    Was(Object value) {
      text = Show.value(value);
    }

    @Override
    public String toString() {
      return text;
    }
  }

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
   * Makes an event for nobody: what its first one takes, classes and formats, is then no time of the program's call.
   *
   * @param asJson as {@link #print} is to print
   */
  public static void rehearse(boolean asJson) {
    Event e = of("jopt/probe/Event", "rehearse").self("").args(new Object[] {"", 1, 1L, 'c', true, new int[] {1}, Event.class});
    e.result(1.5, "()D").took(1_234_567).stack(Stacks.trace(2));
    for (Throwable thrown : new Throwable[] {null, new IllegalStateException()}) {
      e.thrown(thrown).rehearseOne(asJson);
    }
    RateLimit.first(1).take();
  }

  void rehearseOne(boolean asJson) {
    if (asJson) json();
    else text();
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
   * Adds all that the call did.
   *
   * @param tree with the calls in it
   * @return this
   */
  public Event tree(Tree.Request tree) {
    this.tree = tree;
    return this;
  }

  /** A place in the method, not a call of it. */
  Event line(int number) {
    place = new Place();
    place.line = number;
    return this;
  }

  /** Adds a text. */
  Event text(String text) {
    place.text = text;
    return this;
  }

  /** Adds variables, which are shown each on a line of its own. */
  Event variables(List<Variable> all) {
    place.variables = all;
    return this;
  }

  /**
   * Prints it, to who follows the probes, else on standard error.
   *
   * @param asJson as an object; else for people, frames each on a line of their own
   */
  public void print(boolean asJson) {
    Output.println(asJson ? json() : text());
  }

  /** This, without objects of the program: what they are now, as text. */
  Event kept(long number) {
    this.number = number;
    self = was(self);
    thrown = was(thrown);
    result = was(result);
    Object[] of = args;
    args = of == null ? null : new Object[of.length];
    for (int i = 0; of != null && i < of.length; i++) args[i] = was(of[i]);
    return this;
  }

  private static Object was(Object value) {
    if (value instanceof CharSequence) return plain(value);
    if (value == null || value instanceof Boolean) return value;
    boolean isBox = value instanceof Number && value.getClass().getName().startsWith("java.lang.");
    return isBox ? value : new Was(value);
  }

  /** By which it is kept. */
  long number() {
    return number;
  }

  /** One line. */
  String line(boolean asJson) {
    return asJson ? json() : "#" + number + ' ' + head();
  }

  /** For people, with a line for each value. */
  String page() {
    StringBuilder text = new StringBuilder("#").append(number).append(' ').append(TIME.format(time));
    text.append(" [").append(SafeText.line(thread)).append("] ").append(type).append('.').append(method);
    if (hasSelf && self != null) row(text, "self", self);
    for (int i = 0; args != null && i < args.length; i++) row(text, "args[" + i + "]", args[i]);
    if (thrown != null) row(text, "thrown", thrown);
    else if (hasResult) row(text, "result", result);
    if (nanos >= 0) text.append("\n    durationMs  ").append(Format.number(nanos / 1e6));
    return addFrames(text).toString();
  }

  private static void row(StringBuilder text, String name, Object value) {
    Object all = plain(value);
    text.append("\n    ").append(name).append("  ");
    String shown = SafeText.lines(String.valueOf(all));
    text.append(all instanceof String && value instanceof CharSequence ? '"' + shown + '"' : shown);
  }

  private static void addVariables(StringBuilder text, List<Variable> variables) {
    int names = 0, types = 0;
    for (Variable v : variables) {
      names = Math.max(names, v.name.length());
      types = Math.max(types, v.type.length());
    }
    String form = "\n    %-" + Math.max(names, 1) + "s  %-" + Math.max(types, 1) + "s  ";
    for (Variable v : variables) text.append(String.format(form, v.name, v.type)).append(v.value);
  }

  private StringBuilder addFrames(StringBuilder text) {
    if (stack != null) for (StackTraceElement f : stack) text.append("\n    at ").append(f);
    return text;
  }

  private String head() {
    StringBuilder line = new StringBuilder(TIME.format(time)).append(" [");
    line.append(SafeText.line(thread)).append("] ");
    if (hasSelf && self != null) line.append(Show.value(self)).append(' ');
    line.append(type).append('.').append(method);
    if (place != null)
      return line.append(':').append(place.line).append(place.text == null ? "" : "  " + place.text).toString();
    line.append('(');
    line.append(args == null ? "" : Show.values(args)).append(')');
    if (thrown != null) line.append(" throws ").append(Show.value(thrown));
    else if (hasResult) line.append(" = ").append(Show.value(result));
    if (nanos >= 0) line.append("  ").append(Format.number(nanos / 1e6)).append(" ms");
    return line.toString();
  }

  private String text() {
    StringBuilder text = new StringBuilder(head());
    if (tree != null) tree.addTo(text);
    if (place != null && place.variables != null) addVariables(text, place.variables);
    return addFrames(text).toString();
  }

  private void addPlace(Json o) {
    o.put("line", place.line);
    if (place.text != null) o.put("text", place.text);
    if (place.variables == null) return;
    Object[] all = new Object[place.variables.size()];
    for (int i = 0; i < all.length; i++) {
      Variable v = place.variables.get(i);
      all[i] = new Json().put("name", v.name).put("type", v.type).put("value", v.value.json());
    }
    o.put("variables", all);
  }

  private String json() {
    Json o = new Json();
    if (number > 0) o.put("number", number);
    o.put("time", time.toString()).put("thread", thread).put("class", type).put("method", method);
    if (place != null) addPlace(o);
    if (hasSelf) o.put("self", plain(self));
    if (args != null) {
      Object[] all = new Object[args.length];
      for (int i = 0; i < all.length; i++) all[i] = plain(args[i]);
      o.put("args", all);
    }
    if (thrown != null) o.put("thrown", plain(thrown));
    else if (hasResult) o.put("result", plain(result));
    if (nanos >= 0) o.put("durationMs", nanos / 1e6);
    if (tree != null) tree.addTo(o);
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
