// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.util.ArrayList;
import java.util.List;

/** Limits for elements of one kind, as the configuration has them. */
public final class Rule {
  private String element;
  private List<String> includes;
  private List<String> excludes;
  private List<Limit> limits;

  /** The list that {@code jopt-data check -rules=} reads, with an object for each limit. */
  static String toJson(List<Rule> rules) {
    StringBuilder to = new StringBuilder("[");
    for (Rule rule : rules) {
      for (Limit limit : rule.limits == null ? new ArrayList<Limit>() : rule.limits) {
        to.append(to.length() > 1 ? ",\n {" : "\n {");
        rule.write(limit, to);
        to.append('}');
      }
    }
    return to.append("\n]\n").toString();
  }

  private void write(Limit limit, StringBuilder to) {
    int begin = to.length();
    text(to, begin, "element", element);
    names(to, begin, "includes", includes);
    names(to, begin, "excludes", excludes);
    text(to, begin, "counter", limit.counter);
    text(to, begin, "value", limit.value);
    text(to, begin, "minimum", limit.minimum);
    text(to, begin, "maximum", limit.maximum);
  }

  private static void key(StringBuilder to, int begin, String key) {
    to.append(to.length() > begin ? ", " : "");
    quote(to, key);
    to.append(": ");
  }

  private static void text(StringBuilder to, int begin, String key, String value) {
    if (value != null) {
      key(to, begin, key);
      quote(to, value.trim());
    }
  }

  private static void names(StringBuilder to, int begin, String key, List<String> names) {
    if (names == null || names.isEmpty()) {
      return;
    }
    key(to, begin, key);
    to.append('[');
    for (int i = 0; i < names.size(); ++i) {
      to.append(i > 0 ? ", " : "");
      quote(to, names.get(i).trim());
    }
    to.append(']');
  }

  private static void quote(StringBuilder to, String text) {
    to.append('"');
    for (int i = 0; i < text.length(); ++i) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        to.append('\\').append(c);
      } else if (c < ' ') {
        to.append(String.format("\\u%04x", (int) c));
      } else {
        to.append(c);
      }
    }
    to.append('"');
  }
}
