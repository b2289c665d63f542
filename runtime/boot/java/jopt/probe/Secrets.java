// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which values of the program nobody is to read: known by the names of variables, fields, keys and types. */
final class Secrets {
  /** It stands in place of a secret. */
  static final String MASK = "***";

  /** In lower case, without what is no letter; a name that contains one is that of a secret. */
  private static final String[] WORDS = {
    "password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "privatekey", "authorization",
    "credential", "bearer", "cookie", "sessionid"
  };

  /** Types that contain one of the words and hold none. */
  private static final String[] HARMLESS = {"java.util.StringTokenizer", "java.io.StreamTokenizer"};

  private static final String NAMES =
      "(?:password|passwd|passphrase|pwd|secret|token|api[_.-]?key|access[_.-]?key|private[_.-]?key|authorization|credential"
          + "|cookie|session[_.-]?id)s?";

  /** Up to its end, or that of the text. */
  private static final String QUOTED = "\"(?:[^\"\\\\]|\\\\.)*+\"?|'(?:[^'\\\\]|\\\\.)*+'?";

  /** Behind `Authorization:` and `Cookie:` the rest of the line, which has several words. */
  private static final Pattern IN_HEADER =
      Pattern.compile(
          "((?:authorization|cookie)s?2?\\s{0,4}+[:=]\\s{0,4}+)[^\\s\"'}\\])\\\\][^\\r\\n\"'}\\])\\\\]*+", Pattern.CASE_INSENSITIVE);

  /** Behind `--password` and a blank. */
  private static final Pattern IN_COMMAND =
      Pattern.compile(
          "(\\B--?[\\w-]{0,40}" + NAMES + "[\\w-]{0,40}\\s{1,4}+)(?:" + QUOTED + "|[^\\s\"'-]\\S*+)",
          Pattern.CASE_INSENSITIVE);

  /** Behind `password=`, `"apiKey": "`, `Authorization: Bearer`: the value. */
  private static final Pattern IN_TEXT =
      Pattern.compile(
          "(" + NAMES + "[\\w.-]{0,40}[\"']?\\s{0,4}[:=]\\s{0,4})"
              + "(?:" + QUOTED + "|(?:bearer|basic|digest)\\s+[^\\s,;&\"'}\\])]++|[^\\s,;&\"'}\\])]++)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern IN_ELEMENT =
      Pattern.compile(
          "(<[\\w:.-]{0,40}" + NAMES + "[\\w:.-]{0,40}(?:\\s[^<>]{0,200})?>)(?:<!\\[CDATA\\[.*?(?:\\]\\]>|$)|[^<]++)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** Not behind a name: `Bearer abc`, and `//user:password@host`. */
  private static final Pattern BEARER = Pattern.compile("\\b(bearer\\s+)[\\w.~+/=-]++", Pattern.CASE_INSENSITIVE);

  private static final Pattern IN_URL = Pattern.compile("(//[^\\s/:@]{0,200}:)[^\\s/@]{1,200}@");

  private Secrets() {}

  /** A variable, a field or a key of that name is not shown. */
  static boolean hides(String name) {
    if (name == null) return false;
    StringBuilder letters = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) if (Character.isLetter(name.charAt(i))) letters.append(name.charAt(i));
    String lower = letters.toString().toLowerCase(Locale.ROOT);
    for (String word : WORDS) if (lower.contains(word)) return true;
    return false;
  }

  /** Objects of that class are not shown. */
  static boolean hides(Class<?> type) {
    String name = type.getName();
    for (String harmless : HARMLESS) if (name.equals(harmless)) return false;
    return hides(name.substring(name.lastIndexOf('.') + 1));
  }

  /** A text without the secrets in it that stand behind such a name. */
  static String scrub(String text) {
    if (text.length() < 6) return text;
    for (Pattern each : new Pattern[] {IN_HEADER, IN_TEXT, IN_COMMAND, IN_ELEMENT, BEARER})
      text = each.matcher(text).replaceAll("$1" + Matcher.quoteReplacement(MASK));
    return IN_URL.matcher(text).replaceAll("$1" + Matcher.quoteReplacement(MASK) + "@");
  }
}
