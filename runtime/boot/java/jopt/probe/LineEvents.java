// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What {@code jopt line} prints where control comes to a line: variables, the object, a text that is made of them. Made
 * once, by the methods that return it; then for any number of threads.
 */
public final class LineEvents {
  private Expression when;
  private Template text;
  private boolean hasLocals;
  private int depth = 1;
  private RateLimit limit;
  /** By the text of a place: its parts. */
  private final Map<String, String[]> names = new ConcurrentHashMap<>();

  /** Prints all that comes there, with nothing but its place. */
  public LineEvents() {}

  /**
   * Only where an expression is true.
   *
   * @param expression over the variables
   * @return this
   */
  public LineEvents when(String expression) {
    when = Expression.of(expression);
    return this;
  }

  /**
   * Adds a text.
   *
   * @param template with expressions in braces; two of them stand for one
   * @return this
   */
  public LineEvents text(String template) {
    text = new Template(template);
    return this;
  }

  /**
   * Adds all variables, and the object.
   *
   * @return this
   */
  public LineEvents locals() {
    hasLocals = true;
    return this;
  }

  /**
   * How deep objects are shown.
   *
   * @param levels 0: their types and lengths alone
   * @return this
   */
  public LineEvents expand(int levels) {
    depth = levels;
    return this;
  }

  /**
   * Only the first so many.
   *
   * @param most how many
   * @return this
   */
  public LineEvents limit(long most) {
    limit = RateLimit.first(most);
    return this;
  }

  /**
   * Begins, with an event for nobody: what the first one takes is then no time of the program.
   *
   * @param asJson as {@link #at} is to print
   */
  public void rehearse(boolean asJson) {
    if (limit != null) limit.again();
    Event.rehearse(asJson);
    Variables here = new Variables("java/lang/Object", new Object(), namesIn("n I"), new Object[] {1});
    Event event = Event.of("", "").line(1).text("").variables(here.all(new Expanded(), 1));
    event.rehearseOne(asJson);
    Expression.of("n > 0").isTrue(here);
  }

  /**
   * Control is at a line.
   *
   * @param asJson prints an object
   * @param className of the class, with slashes
   * @param methodName of the method
   * @param line its number
   * @param self the object; null if there is none
   * @param names of the variables, each with its type as a descriptor, all with blanks between
   * @param values the variables; null for those that are not there
   */
  public void at(boolean asJson, String className, String methodName, int line, Object self, String names, Object[] values) {
    Variables here = new Variables(className, self, namesIn(names), values);
    if (when != null) {
      try {
        if (!when.isTrue(here)) return;
      } catch (Throwable e) {
        Failures.add("--when", e);
        return;
      }
    }
    if (limit != null && !limit.take()) return;
    Expanded expanded = new Expanded();
    Event event = Event.of(className, methodName).line(line);
    if (text != null) event.text(text.in(here, expanded, depth));
    if (hasLocals) event.variables(here.all(expanded, depth));
    event.print(asJson);
  }

  private String[] namesIn(String all) {
    return names.computeIfAbsent(all, text -> text.isEmpty() ? new String[0] : text.split(" "));
  }

  /** The variables of a place, and the object. */
  private static final class Variables implements Expression.Scope {
    private final String className;
    private final Object self;
    private final String[] names; // and types
    private final Object[] values;

    Variables(String className, Object self, String[] names, Object[] values) {
      this.className = className;
      this.self = self;
      this.names = names;
      this.values = values;
      for (int i = 0; i < values.length; i++) values[i] = narrowed(values[i], this.names[2 * i + 1].charAt(0));
    }

    /** A slot without a variable is read as an int. */
    private static Object narrowed(Object value, char type) {
      if (!(value instanceof Integer)) return value;
      int n = (Integer) value;
      return type == 'Z' ? (Object) (n != 0)
          : type == 'B' ? (Object) (byte) n
          : type == 'C' ? (Object) (char) n
          : type == 'S' ? (Object) (short) n
          : value;
    }

    @Override
    public Object find(String name) {
      if (name.equals("this")) return self == null ? hostClass() : self;
      for (int i = 0; i < values.length; i++)
        if (names[2 * i].equals(name) && isThere(i)) return values[i];
      return name.equals("thread") ? Thread.currentThread().getName() : Members.NONE;
    }

    private Object hostClass() {
      Class<?> type = Members.findClass(className.replace('/', '.'), loader());
      return type == null ? Members.NONE : new Members.Static(type);
    }

    @Override
    public ClassLoader loader() {
      return self == null ? Thread.currentThread().getContextClassLoader() : self.getClass().getClassLoader();
    }

    @Override
    public String names() {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < values.length; i++) if (isThere(i)) all.append(names[2 * i]).append(", ");
      return all.append(self == null ? "" : "this, ").append("thread").toString();
    }

    /** A number has a value where it is in scope. */
    private boolean isThere(int i) {
      return values[i] != null || names[2 * i + 1].length() > 1;
    }

    /** As a descriptor; of a slot without a variable that of its value. */
    private String typeOf(int i) {
      String type = names[2 * i + 1];
      if (!type.equals("?")) return type;
      Object value = values[i];
      return value instanceof Integer ? "I"
          : value instanceof Long ? "J"
          : value instanceof Float ? "F"
          : value instanceof Double ? "D"
          : 'L' + value.getClass().getName().replace('.', '/') + ';';
    }

    List<Event.Variable> all(Expanded expanded, int depth) {
      List<Event.Variable> all = new ArrayList<>();
      for (int i = 0; i < values.length; i++)
        if (isThere(i))
          all.add(new Event.Variable(names[2 * i], typeOf(i), expanded.of(names[2 * i], values[i], depth)));
      if (self != null) all.add(new Event.Variable("this", 'L' + className + ';', expanded.of(null, self, Math.max(depth, 1))));
      return all;
    }
  }

  /** A text with expressions in it. */
  private static final class Template {
    private final List<Object> parts = new ArrayList<>(); // String or Expression

    Template(String text) {
      StringBuilder plain = new StringBuilder();
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean isTwice = i + 1 < text.length() && text.charAt(i + 1) == c;
        if ((c == '{' || c == '}') && isTwice) {
          plain.append(c);
          i++;
        } else if (c == '{') {
          int end = end(text, i);
          parts.add(plain.toString());
          plain.setLength(0);
          parts.add(Expression.of(text.substring(i + 1, end).trim()));
          i = end;
        } else {
          plain.append(c);
        }
      }
      parts.add(plain.toString());
    }

    /** Where the brace closes that opens there; a brace in quotes does not. */
    private static int end(String text, int open) {
      char quote = 0;
      for (int i = open + 1; i < text.length(); i++) {
        char c = text.charAt(i);
        if (quote != 0 && c == '\\') i++;
        else if (quote != 0) quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'') quote = c;
        else if (c == '}') return i;
      }
      return text.length();
    }

    String in(Variables here, Expanded expanded, int depth) {
      StringBuilder text = new StringBuilder();
      for (Object part : parts) {
        if (part instanceof String) {
          text.append((String) part);
          continue;
        }
        Expression e = (Expression) part;
        try {
          text.append(expanded.of(e.secret(), e.in(here), depth).bare());
        } catch (Throwable thrown) {
          Failures.add("--text", thrown);
          text.append("{!").append(SafeText.line(Secrets.scrub(Show.text(thrown)))).append('}');
        }
      }
      return text.toString();
    }
  }
}
