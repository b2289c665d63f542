// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

/**
 * Texts of the program where they must not act as a command of a terminal, a line of their own or a
 * formula. The tools have the same (Support/SafeText.h).
 */
final class SafeText {
  private SafeText() {}

  /** On one line. */
  static String line(String text) {
    return safe(text, false);
  }

  /** Line ends and tabs stay. */
  static String lines(String text) {
    return safe(text, true);
  }

  private static String safe(String text, boolean keepsLines) {
    StringBuilder safe = null; // Most texts need none.
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean stays = keepsLines && (c == '\n' || c == '\t') || !isActive(c);
      if (stays) {
        if (safe != null) safe.append(c);
        continue;
      }
      if (safe == null) safe = new StringBuilder(text.length() + 8).append(text, 0, i);
      if (c == '\n') safe.append("\\n");
      else if (c == '\t') safe.append("\\t");
      else safe.append(String.format(c < ' ' ? "\\x%02x" : "\\u%04x", (int) c));
    }
    return safe == null ? text : safe.toString();
  }

  /** It does something else than to appear. */
  private static boolean isActive(char c) {
    return c < 0x20
        || c >= 0x7f && c < 0xa0
        || c == 0x061c
        || c == 0x200e
        || c == 0x200f
        || c >= 0x2028 && c <= 0x202e
        || c >= 0x2066 && c <= 0x2069
        || c >= 0xfff9 && c <= 0xfffb;
  }

  /** A cell of CSV: a text that a spreadsheet would run begins with an apostrophe. */
  static String cell(String text) {
    if (!text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 && !isNumber(text)) text = '\'' + text;
    boolean isPlain = true;
    for (int i = 0; i < text.length(); i++) isPlain &= ",\"\n\r".indexOf(text.charAt(i)) < 0;
    return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) return false;
    try {
      Double.parseDouble(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
