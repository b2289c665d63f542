// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

/** An object of JSON on one line, as JSON lines have it. Not for several threads. */
public final class Json {
  private final StringBuilder text = new StringBuilder("{");

  /** An empty one. */
  public Json() {}

  /**
   * Adds a member.
   *
   * @param name its name
   * @param value null, a Number, a Boolean, a Json, an array of objects; of all else its toString()
   * @return this
   */
  public Json put(String name, Object value) {
    if (text.length() > 1) text.append(',');
    quote(text, name).append(':');
    append(text, value);
    return this;
  }

  @Override
  public String toString() {
    return text + "}";
  }

  /** A number that is written with all its digits. */
  private static final class Exact {
    private final Number number;

    Exact(Number number) {
      this.number = number;
    }

    @Override
    public String toString() {
      return number.toString();
    }
  }

  /** As {@link #put} takes a number of the language that is finite, for all its digits. */
  static Object exact(Number number) {
    return new Exact(number);
  }

  private static void append(StringBuilder to, Object value) {
    if (value == null || value instanceof Boolean || value instanceof Json || value instanceof Exact) {
      to.append(value);
    } else if (value instanceof Number) {
      appendNumber(to, (Number) value);
    } else if (value instanceof Object[]) {
      char before = '[';
      for (Object each : (Object[]) value) {
        append(to.append(before), each);
        before = ',';
      }
      to.append(before == '[' ? "[]" : "]");
    } else {
      quote(to, Show.text(value));
    }
  }

  /** JSON has no NaN and no infinity; a mean of 0.1 needs no 17 digits. */
  private static void appendNumber(StringBuilder to, Number value) {
    if (!(value instanceof Double) && !(value instanceof Float)) {
      if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte)
        to.append(value);
      else quote(to, Show.text(value));
      return;
    }
    double d = value.doubleValue();
    if (Double.isNaN(d) || Double.isInfinite(d)) to.append("null");
    else to.append(Math.abs(d) < 1e12 ? Format.number(d) : String.valueOf(d));
  }

  private static StringBuilder quote(StringBuilder to, String text) {
    to.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') to.append('\\').append(c);
      else if (c == '\n') to.append("\\n");
      else if (c < ' ' || Character.isSurrogate(c) && !isPaired(text, i))
        to.append("\\u").append(Integer.toHexString(0x10000 + c), 1, 5);
      else to.append(c);
    }
    return to.append('"');
  }

  private static boolean isPaired(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }
}
