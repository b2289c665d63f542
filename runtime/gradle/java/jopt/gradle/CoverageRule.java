// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Optional;

/** A limit for elements of one kind, in the words of JaCoCo. */
public final class CoverageRule implements Serializable {
  private static final long serialVersionUID = 1;
  private String element = "BUNDLE";
  private String counter = "INSTRUCTION";
  private String value = "COVEREDRATIO";
  private String minimum;
  private String maximum;
  private List<String> includes = new ArrayList<>();
  private List<String> excludes = new ArrayList<>();

  /** Kind of element: BUNDLE, PACKAGE, CLASS, SOURCEFILE, METHOD. */
  @Input
  public String getElement() {
    return element;
  }

  public void setElement(String element) {
    this.element = element;
  }

  /** Counter: INSTRUCTION, BRANCH, LINE, COMPLEXITY, METHOD, CLASS. */
  @Input
  public String getCounter() {
    return counter;
  }

  public void setCounter(String counter) {
    this.counter = counter;
  }

  /** Value: COVEREDRATIO, MISSEDRATIO, COVEREDCOUNT, MISSEDCOUNT, TOTALCOUNT. */
  @Input
  public String getValue() {
    return value;
  }

  public void setValue(String value) {
    this.value = value;
  }

  /** The least that is allowed: a number or a percentage. */
  @Input
  @Optional
  public String getMinimum() {
    return minimum;
  }

  public void setMinimum(Object minimum) {
    this.minimum = String.valueOf(minimum);
  }

  /** The most that is allowed. */
  @Input
  @Optional
  public String getMaximum() {
    return maximum;
  }

  public void setMaximum(Object maximum) {
    this.maximum = String.valueOf(maximum);
  }

  /** Names of elements, with {@code *}; all if there is none. */
  @Input
  public List<String> getIncludes() {
    return includes;
  }

  public void setIncludes(List<String> includes) {
    this.includes = includes;
  }

  /** Names of elements without limits. */
  @Input
  public List<String> getExcludes() {
    return excludes;
  }

  public void setExcludes(List<String> excludes) {
    this.excludes = excludes;
  }

  /** The list that {@code jopt-data check -rules=} reads. */
  static String toJson(List<CoverageRule> rules) {
    StringBuilder to = new StringBuilder("[");
    for (CoverageRule rule : rules) {
      to.append(to.length() > 1 ? ",\n {" : "\n {");
      text(to, "element", rule.element);
      text(to, "counter", rule.counter);
      text(to, "value", rule.value);
      text(to, "minimum", rule.minimum);
      text(to, "maximum", rule.maximum);
      names(to, "includes", rule.includes);
      names(to, "excludes", rule.excludes);
      to.setLength(to.length() - 2);
      to.append('}');
    }
    return to.append("\n]\n").toString();
  }

  private static void text(StringBuilder to, String key, String value) {
    if (value != null) {
      quote(to, key).append(": ");
      quote(to, value).append(", ");
    }
  }

  private static void names(StringBuilder to, String key, List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    quote(to, key).append(": [");
    for (int i = 0; i < names.size(); ++i) {
      to.append(i > 0 ? ", " : "");
      quote(to, names.get(i));
    }
    to.append("], ");
  }

  private static StringBuilder quote(StringBuilder to, String text) {
    to.append('"');
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        to.append('\\').append(c);
      } else if (c < ' ') {
        to.append(String.format("\\u%04x", (int) c));
      } else {
        to.append(c);
      }
    }
    return to.append('"');
  }
}
