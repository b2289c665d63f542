// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;

/**
 * An expression over the variables of a place, in the syntax of Java: names, fields whoever may see them, calls,
 * elements, literals and operators. It knows no types before it runs. Immutable.
 */
final class Expression {
  /** Something is wrong with it, or with what it is about. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
      super(message, null, false, false);
    }

    @Override
    public String toString() {
      return getMessage();
    }
  }

  /** What names mean. */
  interface Scope {
    /** The value of a variable, boxed; {@link Members#NONE} if there is no such variable. */
    Object find(String name);

    /** Where classes are looked for; null is the boot loader. */
    ClassLoader loader();

    /** The names of all variables, for messages. */
    String names();
  }

  /** A part of one. */
  private abstract static class Term {
    abstract Object in(Scope s);
  }

  private final String text;
  private final Term root;
  private final String wrong;
  /** Some name in it is that of a secret. */
  private final boolean isSecret;

  private Expression(String text, Term root, String wrong, boolean isSecret) {
    this.text = text;
    this.root = root;
    this.wrong = wrong;
    this.isSecret = isSecret;
  }

  /**
   * Reads one.
   *
   * @param text of it; {@link #in} says what is wrong with it
   */
  static Expression of(String text) {
    Reader r = new Reader(text);
    try {
      Term t = r.expression();
      r.end();
      return new Expression(text, t, null, r.isSecret);
    } catch (Wrong e) {
      return new Expression(text, null, e.getMessage(), true);
    }
  }

  /** A name that is shown of its value: that of the secret that it names, else null. */
  String secret() {
    return isSecret ? "secret" : null;
  }

  /** What it is there. Throws what the program throws, and {@link Wrong}. */
  Object in(Scope s) {
    if (root == null) throw new Wrong("'" + text + "': " + wrong);
    return root.in(s);
  }

  /** It is true there. */
  boolean isTrue(Scope s) {
    Object value = in(s);
    if (value instanceof Boolean) return (Boolean) value;
    throw new Wrong("'" + text + "' is no condition");
  }

  /** Reads the text from left to right. */
  private static final class Reader {
    private static final String[] OPERATORS = {
      "||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", ".", ",", "(", ")", "[", "]", "?", ":"
    };
    private static final String[][] LEVELS = {
      {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">", "instanceof"}, {"+", "-"}, {"*", "/", "%"}
    };
    /** So that no stack overflows. */
    private static final int DEEPEST = 100;

    private final String text;
    private int at, depth;
    boolean isSecret;

    Reader(String text) {
      this.text = text;
    }

    private void skip() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    }

    void end() {
      skip();
      if (at < text.length()) throw new Wrong("'" + text.substring(at) + "' is not expected");
    }

    /** The operator that stands here, or "". */
    private String operator() {
      skip();
      if (text.startsWith("instanceof", at)
          && (at + 10 == text.length() || !Character.isJavaIdentifierPart(text.charAt(at + 10)))) return "instanceof";
      for (String o : OPERATORS) if (text.startsWith(o, at)) return o;
      return "";
    }

    private boolean take(String operator) {
      if (!operator().equals(operator)) return false;
      at += operator.length();
      return true;
    }

    private void expect(String operator) {
      if (!take(operator)) throw new Wrong("'" + operator + "' is expected" + (at < text.length() ? " at '" + text.substring(at) + "'" : " at the end"));
    }

    Term expression() {
      if (++depth > DEEPEST) throw new Wrong("it is nested too deep");
      Term t = level(0);
      if (take("?")) {
        Term then = expression();
        expect(":");
        Term otherwise = expression();
        t = new Choice(t, then, otherwise);
      }
      depth--;
      return t;
    }

    private Term level(int n) {
      if (n == LEVELS.length) return unary();
      Term left = level(n + 1);
      while (true) {
        String found = null, here = operator();
        for (String o : LEVELS[n]) if (o.equals(here)) found = o;
        if (found == null) return left;
        at += found.length();
        if (found.equals("instanceof")) left = new IsOf(left, name());
        else left = new Binary(found, left, level(n + 1));
      }
    }

    private Term unary() {
      if (++depth > DEEPEST) throw new Wrong("it is nested too deep");
      Term t = take("!") ? new Not(unary()) : take("-") ? new Binary("-", new Literal(0), unary()) : behind(primary());
      depth--;
      return t;
    }

    private Term behind(Term t) {
      while (true) {
        if (take("[")) {
          Term index = expression();
          expect("]");
          t = new Element(t, index);
        } else if (take(".")) {
          String name = word();
          t = take("(") ? new Call(t, name, arguments()) : new Member(t, name);
        } else {
          return t;
        }
      }
    }

    private List<Term> arguments() {
      List<Term> all = new ArrayList<>();
      if (take(")")) return all;
      do all.add(expression());
      while (take(","));
      expect(")");
      return all;
    }

    private String word() {
      skip();
      int from = at;
      if (at < text.length() && Character.isJavaIdentifierStart(text.charAt(at)))
        while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) at++;
      if (from == at) throw new Wrong("a name is expected" + (at < text.length() ? " at '" + text.substring(at) + "'" : " at the end"));
      String word = text.substring(from, at);
      isSecret |= Secrets.hides(word);
      return word;
    }

    /** One with dots, of a class. */
    private String name() {
      StringBuilder name = new StringBuilder(word());
      while (take(".")) name.append('.').append(word());
      return name.toString();
    }

    private Term primary() {
      skip();
      if (at == text.length()) throw new Wrong("something is missing at the end");
      char c = text.charAt(at);
      if (take("(")) {
        Term t = expression();
        expect(")");
        return t;
      }
      if (c == '"' || c == '\'') return quoted(c);
      if (c >= '0' && c <= '9') return number();
      String word = word();
      switch (word) {
        case "true":
          return new Literal(true);
        case "false":
          return new Literal(false);
        case "null":
          return new Literal(null);
        default:
          return take("(") ? new Call(new Name("this"), word, arguments()) : new Name(word);
      }
    }

    private Term quoted(char quote) {
      StringBuilder found = new StringBuilder();
      for (at++; at < text.length() && text.charAt(at) != quote; at++) {
        char c = text.charAt(at);
        if (c == '\\' && at + 1 < text.length()) {
          c = text.charAt(++at);
          c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        found.append(c);
      }
      if (at++ >= text.length()) throw new Wrong("a quote does not end");
      if (quote == '\'' && found.length() == 1) return new Literal(found.charAt(0));
      isSecret |= Secrets.hides(found.toString());
      return new Literal(found.toString());
    }

    private Term number() {
      int from = at;
      while (at < text.length()
          && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_'
              || text.charAt(at) == '.' && at + 1 < text.length() && Character.isDigit(text.charAt(at + 1)))) at++;
      String digits = text.substring(from, at).replace("_", "");
      try {
        String lower = digits.toLowerCase(java.util.Locale.ROOT);
        if (lower.endsWith("l")) return new Literal(Long.decode(digits.substring(0, digits.length() - 1)));
        if (lower.startsWith("0x")) return new Literal(Integer.parseUnsignedInt(digits.substring(2), 16));
        if (lower.indexOf('.') < 0 && lower.indexOf('e') < 0 && !lower.endsWith("d") && !lower.endsWith("f"))
          return new Literal(Integer.parseInt(digits));
        if (lower.endsWith("f")) return new Literal(Float.parseFloat(digits));
        return new Literal(Double.parseDouble(digits));
      } catch (NumberFormatException e) {
        throw new Wrong("'" + digits + "' is no number");
      }
    }
  }

  private static final class Literal extends Term {
    private final Object value;

    Literal(Object value) {
      this.value = value;
    }

    @Override
    Object in(Scope s) {
      return value;
    }
  }

  /** A variable, a field of {@code this}, or the first word of the name of a class. */
  private static final class Name extends Term {
    private final String name;
    private final Members.FieldOf field;

    Name(String name) {
      this.name = name;
      field = new Members.FieldOf(name);
    }

    @Override
    Object in(Scope s) {
      Object found = variable(s);
      if (found != Members.NONE) return found;
      Class<?> type = Members.findClass(name, s.loader());
      if (type != null) return new Members.Static(type);
      throw new Wrong("there is no variable and no field '" + name + "'; there are: " + s.names());
    }

    Object variable(Scope s) {
      Object found = s.find(name);
      if (found != Members.NONE) return found;
      Object self = s.find("this");
      return self == Members.NONE || self == null ? Members.NONE : field.in(self);
    }
  }

  private static final class Member extends Term {
    private final Term of;
    private final String name;
    private final Members.FieldOf field;
    /** A name of a class may end here. */
    private final String path;

    Member(Term of, String name) {
      this.of = of;
      this.name = name;
      field = new Members.FieldOf(name);
      String before = of instanceof Name ? ((Name) of).name : of instanceof Member ? ((Member) of).path : null;
      path = before == null ? null : before + '.' + name;
    }

    @Override
    Object in(Scope s) {
      Class<?> type = asClass(s);
      if (type != null) return new Members.Static(type);
      Object owner = of.in(s);
      if (owner == null) throw new Wrong("null has no field '" + name + "'");
      if (name.equals("length") && owner.getClass().isArray()) return java.lang.reflect.Array.getLength(owner);
      Object found = field.in(owner);
      if (found != Members.NONE) return found;
      throw new Wrong(Members.typeOf(owner) + " has no field '" + name + "'");
    }

    /** Where this is the full name of a class: `com.shop.Cart`. */
    private Class<?> asClass(Scope s) {
      if (path == null) return null;
      Term first = this;
      while (first instanceof Member) first = ((Member) first).of;
      return ((Name) first).variable(s) == Members.NONE ? Members.findClass(path, s.loader()) : null;
    }

  }

  private static final class Call extends Term {
    private final Term of;
    private final String name;
    private final List<Term> arguments;

    Call(Term of, String name, List<Term> arguments) {
      this.of = of;
      this.name = name;
      this.arguments = arguments;
    }

    @Override
    Object in(Scope s) {
      Object owner = of.in(s);
      if (owner == null) throw new Wrong("null has no method '" + name + "'");
      Object[] all = new Object[arguments.size()];
      for (int i = 0; i < all.length; i++) all[i] = arguments.get(i).in(s);
      return Members.call(owner, name, all);
    }
  }

  private static final class Element extends Term {
    private final Term of, index;

    Element(Term of, Term index) {
      this.of = of;
      this.index = index;
    }

    @Override
    Object in(Scope s) {
      Object array = of.in(s), at = index.in(s);
      if (array == null || !array.getClass().isArray() || !(at instanceof Number))
        throw new Wrong(Members.typeOf(array) + " has no elements");
      return java.lang.reflect.Array.get(array, ((Number) at).intValue());
    }
  }

  private static final class Not extends Term {
    private final Term of;

    Not(Term of) {
      this.of = of;
    }

    @Override
    Object in(Scope s) {
      return !truth(of.in(s));
    }
  }

  private static final class Choice extends Term {
    private final Term when, then, otherwise;

    Choice(Term when, Term then, Term otherwise) {
      this.when = when;
      this.then = then;
      this.otherwise = otherwise;
    }

    @Override
    Object in(Scope s) {
      return (truth(when.in(s)) ? then : otherwise).in(s);
    }
  }

  private static final class IsOf extends Term {
    private final Term of;
    private final String type;

    IsOf(Term of, String type) {
      this.of = of;
      this.type = type;
    }

    @Override
    Object in(Scope s) {
      Object value = of.in(s);
      return value != null && Members.isOf(value.getClass(), type);
    }
  }

  private static boolean truth(Object value) {
    if (value instanceof Boolean) return (Boolean) value;
    throw new Wrong(Members.typeOf(value) + " is neither true nor false");
  }

  private static final class Binary extends Term {
    private final String operator;
    private final Term left, right;

    Binary(String operator, Term left, Term right) {
      this.operator = operator;
      this.left = left;
      this.right = right;
    }

    @Override
    Object in(Scope s) {
      Object l = left.in(s);
      if (operator.equals("&&")) return truth(l) && truth(right.in(s));
      if (operator.equals("||")) return truth(l) || truth(right.in(s));
      Object r = right.in(s);
      if (operator.equals("==")) return isSame(l, r);
      if (operator.equals("!=")) return !isSame(l, r);
      if (operator.equals("+") && (l instanceof String || r instanceof String)) return String.valueOf(l) + r;
      Number a = number(l), b = number(r);
      if (a instanceof Double || b instanceof Double || a instanceof Float || b instanceof Float)
        return of(a.doubleValue(), b.doubleValue());
      long result;
      long x = a.longValue(), y = b.longValue();
      switch (operator) {
        case "<":
          return x < y;
        case ">":
          return x > y;
        case "<=":
          return x <= y;
        case ">=":
          return x >= y;
        case "+":
          result = x + y;
          break;
        case "-":
          result = x - y;
          break;
        case "*":
          result = x * y;
          break;
        case "/":
          result = x / y;
          break;
        default:
          result = x % y;
      }
      if (a instanceof Long || b instanceof Long) return result;
      return (int) result;
    }

    private Object of(double x, double y) {
      switch (operator) {
        case "<":
          return x < y;
        case ">":
          return x > y;
        case "<=":
          return x <= y;
        case ">=":
          return x >= y;
        case "+":
          return x + y;
        case "-":
          return x - y;
        case "*":
          return x * y;
        case "/":
          return x / y;
        default:
          return x % y;
      }
    }

    private Number number(Object value) {
      if (Numbers.isPlain(value)) return (Number) value;
      if (value instanceof Character) return (int) (Character) value;
      throw new Wrong("'" + operator + "' needs numbers, not " + Members.typeOf(value));
    }

    /** As the language has it: boxes are numbers here, objects are the same or not. */
    private static boolean isSame(Object l, Object r) {
      Number a = l instanceof Character ? (Number) (int) (Character) l : Numbers.isPlain(l) ? (Number) l : null;
      Number b = r instanceof Character ? (Number) (int) (Character) r : Numbers.isPlain(r) ? (Number) r : null;
      if (a == null || b == null) return l instanceof Boolean ? l.equals(r) : l == r;
      if (a instanceof Double || b instanceof Double || a instanceof Float || b instanceof Float)
        return a.doubleValue() == b.doubleValue();
      return a.longValue() == b.longValue();
    }
  }
}
