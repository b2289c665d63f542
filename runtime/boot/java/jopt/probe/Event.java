// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import jopt.boot.trace.Request;

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
  /** It has no object to show. */
  private static final Object NONE = new Object();

  private Object self = NONE;
  private boolean hasResult;
  private Object[] args;
  private Object result, thrown;
  private long nanos = -1, number;
  private StackTraceElement[] stack;
  private Detail detail;
  private Place place;
  private final Values values = new Values();

  /** How values are shown: without secrets, on a short line or by all their parts. */
  private static final class Values {
    private static final String[] NONE = {};
    private String[] names = NONE; // of the arguments
    private int depth = -1; // negative: on a short line
    private Expanded expanded;
    private Object id;

    private String name(int argument) {
      return argument < names.length ? names[argument] : null;
    }

    private Expanded.Node parts(String name, Object value) {
      if (expanded == null) expanded = new Expanded();
      return expanded.of(name, value, depth);
    }

    private static boolean isSecret(String name, Object value) {
      return value != null && !(value instanceof Boolean) && (Secrets.hides(name) || Secrets.hides(value.getClass()));
    }

    /** For people. */
    String text(String name, Object value) {
      if (depth >= 0 && !(value instanceof Was)) return parts(name, value).toString();
      return isSecret(name, value) ? Secrets.MASK : shortText(value);
    }

    /** As {@link Json} takes it. */
    Object json(String name, Object value) {
      if (depth >= 0 && !(value instanceof Was)) return parts(name, value).json();
      return isSecret(name, value) ? Secrets.MASK : shortJson(value);
    }
  }

  /** What there is of a call behind its line. */
  interface Detail {
    void addTo(StringBuilder text);

    void addTo(Json o);
  }

  /** The trace of the call in a folder, and that of another call. */
  private static final class Run implements Detail {
    private String folder, other;
    private long bytes, overwritten, otherNanos;

    @Override
    public void addTo(Json o) {
      o.put("run", folder).put("bytes", bytes);
      if (overwritten > 0) o.put("overwritten", overwritten);
      if (other != null) o.put("other", other).put("otherMs", otherNanos / 1e6);
    }

    @Override
    public void addTo(StringBuilder text) {
      text.append("\n    ").append(folder).append("  ").append(bytes).append(" bytes");
      if (overwritten > 0) text.append("; the first ").append(overwritten).append(" were overwritten");
      if (other != null) text.append("\n    ").append(other).append("  the last other call, ").append(Format.number(otherNanos / 1e6)).append(" ms");
    }
  }

  /** A line of the method, and the values that are shown of it. */
  private static final class Place {
    private int line; // 0: it is no line, but frames
    private String text;
    private List<Variable> variables;
    private List<FrameShown> frames;
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
      text = shortText(value);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** A frame, and its variables. */
  static final class FrameShown {
    private final StackTraceElement at;
    private final boolean catches;
    private final List<Variable> variables;

    FrameShown(StackTraceElement at, boolean catches, List<Variable> variables) {
      this.at = at;
      this.catches = catches;
      this.variables = variables;
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
   * Says what the arguments are called: those that are secrets are not shown.
   *
   * @param all with commas between them; the place of one that is not known is empty
   * @return this
   */
  public Event names(String all) {
    values.names = all.split(",", -1);
    return this;
  }

  /**
   * Shows objects by their fields and elements, not by their text.
   *
   * @param levels how deep; 0: types and lengths alone
   * @return this
   */
  public Event expand(int levels) {
    values.depth = levels;
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
   * Adds what identifies the request that the call is of.
   *
   * @param expression whose value it is
   * @param self the object of the call; null is none
   * @param arguments of the call
   * @return this
   */
  public Event id(Identifier expression, Object self, Object[] arguments) {
    values.id = values.json(null, expression.of(self, values.names, arguments));
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
    detail = tree;
    return this;
  }

  /** Adds where its trace is, and that of another call, if {@code other} is given, which took {@code nanos}. */
  Event run(String folder, Request request, String other, long nanos) {
    Run run = new Run();
    run.folder = folder;
    run.bytes = request.bytes();
    run.overwritten = request.overwritten();
    run.other = other;
    run.otherNanos = nanos;
    detail = run;
    return this;
  }

  /** Adds frames with their variables. */
  Event frames(List<FrameShown> all) {
    place = new Place();
    place.frames = all;
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
    self = self == NONE ? NONE : was(self);
    thrown = was(thrown);
    result = was(result);
    Object[] of = args;
    args = of == null ? null : new Object[of.length];
    for (int i = 0; of != null && i < of.length; i++) args[i] = was(of[i]);
    return this;
  }

  private static Object was(Object value) {
    if (value instanceof String) return cut((String) value);
    return value == null || value instanceof Boolean || Numbers.isPlain(value) ? value : new Was(value);
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
    if (self != NONE && self != null) row(text, null, "self", self);
    for (int i = 0; args != null && i < args.length; i++) row(text, values.name(i), "args[" + i + "]", args[i]);
    if (thrown != null) row(text, null, "thrown", thrown);
    else if (hasResult) row(text, method, "result", result);
    if (nanos >= 0) text.append("\n    durationMs  ").append(Format.number(nanos / 1e6));
    return addFrames(text).toString();
  }

  private static void row(StringBuilder text, String of, String name, Object value) {
    text.append("\n    ").append(name).append("  ");
    if (Values.isSecret(of, value)) {
      text.append(Secrets.MASK);
      return;
    }
    boolean isText = value instanceof String;
    String shown = SafeText.lines(Secrets.scrub(isText ? (String) value : shortText(value)));
    text.append(isText ? '"' + shown + '"' : shown);
  }

  private static void addVariables(StringBuilder text, List<Variable> variables, String indent) {
    int names = 0, types = 0;
    for (Variable v : variables) {
      names = Math.max(names, v.name.length());
      types = Math.max(types, v.type.length());
    }
    String form = '\n' + indent + "%-" + Math.max(names, 1) + "s  %-" + Math.max(types, 1) + "s  ";
    for (Variable v : variables)
      text.append(String.format(form, v.name, v.type)).append(v.value == null ? "(not kept by compiled code)" : v.value);
  }

  private StringBuilder addFrames(StringBuilder text) {
    if (stack != null) for (StackTraceElement f : stack) text.append("\n    at ").append(f);
    return text;
  }

  private String head() {
    StringBuilder line = new StringBuilder(TIME.format(time)).append(" [");
    line.append(SafeText.line(thread)).append("] ");
    if (values.id != null) line.append("id=").append(SafeText.line(String.valueOf(values.id))).append(' ');
    if (self != NONE && self != null) line.append(values.text(null, self)).append(' ');
    line.append(type).append('.').append(method);
    if (place != null && place.line > 0)
      return line.append(':').append(place.line).append(place.text == null ? "" : "  " + place.text).toString();
    line.append('(');
    for (int i = 0; args != null && i < args.length; i++)
      line.append(i == 0 ? "" : ", ").append(values.text(values.name(i), args[i]));
    line.append(')');
    if (thrown != null) line.append(" throws ").append(values.text(null, thrown));
    else if (hasResult) line.append(" = ").append(values.text(method, result));
    if (nanos >= 0) line.append("  ").append(Format.number(nanos / 1e6)).append(" ms");
    return line.toString();
  }

  private String text() {
    StringBuilder text = new StringBuilder(head());
    if (detail != null) detail.addTo(text);
    if (place != null && place.variables != null) addVariables(text, place.variables, "    ");
    for (FrameShown f : place == null || place.frames == null ? Collections.<FrameShown>emptyList() : place.frames) {
      text.append(f.catches ? "\n    caught at " : "\n    at ").append(f.at);
      addVariables(text, f.variables, "        ");
    }
    return addFrames(text).toString();
  }

  private void addPlace(Json o) {
    if (place.line > 0) o.put("line", place.line);
    if (place.frames != null) {
      Object[] all = new Object[place.frames.size()];
      for (int i = 0; i < all.length; i++) {
        FrameShown f = place.frames.get(i);
        Json frame = new Json().put("class", f.at.getClassName()).put("method", f.at.getMethodName());
        if (f.at.getLineNumber() > 0) frame.put("line", f.at.getLineNumber());
        all[i] = frame.put("catches", f.catches).put("variables", json(f.variables));
      }
      o.put("frames", all);
    }
    if (place.text != null) o.put("text", place.text);
    if (place.variables != null) o.put("variables", json(place.variables));
  }

  private static Object[] json(List<Variable> variables) {
    Object[] all = new Object[variables.size()];
    for (int i = 0; i < all.length; i++) {
      Variable v = variables.get(i);
      Json o = new Json().put("name", v.name).put("type", v.type);
      all[i] = v.value == null ? o.put("kept", false) : o.put("value", v.value.json());
    }
    return all;
  }

  private String json() {
    Json o = new Json();
    if (number > 0) o.put("number", number);
    o.put("time", time.toString()).put("thread", thread).put("class", type).put("method", method);
    if (values.id != null) o.put("id", values.id);
    if (place != null) addPlace(o);
    if (self != NONE) o.put("self", values.json(null, self));
    if (args != null) {
      Object[] all = new Object[args.length];
      for (int i = 0; i < all.length; i++) all[i] = values.json(values.name(i), args[i]);
      o.put("args", all);
    }
    if (thrown != null) o.put("thrown", values.json(null, thrown));
    else if (hasResult) o.put("result", values.json(method, result));
    if (nanos >= 0) o.put("durationMs", nanos / 1e6);
    if (detail != null) detail.addTo(o);
    if (stack != null) o.put("stack", stack);
    return o.toString();
  }

  /** Texts, and what an exception says; others by their parts, as their toString() is code of the program. */
  private static String shortText(Object value) {
    if (value instanceof Was) return value.toString();
    boolean isText = value instanceof String || value instanceof Throwable;
    return isText ? Secrets.scrub(Show.value(value)) : Expanded.brief(value);
  }

  /** Numbers and texts as they are, others as people see them. */
  private static Object shortJson(Object value) {
    if (value == null || value instanceof Boolean) return value;
    if (Numbers.isPlain(value)) return Numbers.json(value);
    if (value instanceof Character) return value.toString();
    return value instanceof String ? Secrets.scrub(cut((String) value)) : shortText(value);
  }

  private static String cut(String text) {
    return text.length() > MOST ? text.substring(0, MOST) + "..." : text;
  }
}
