// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Exceptions as rows tell them: their text may repeat what the program gave a library. */
public final class Failures {
  private static final String KEY =
      "(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|identified\\s+by)\\w*";

  /** The value of a property, or what SQL names one by. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(" + KEY + "[\"']?(?:\\s*[=:]\\s*|\\s+(?=['\"])))"
              + "(\"[^\"]*\"|'[^']*'|[^\\s;&,)}\\]]+)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern NAMES_SECRET = Pattern.compile(KEY, Pattern.CASE_INSENSITIVE);
  private static final Pattern USER = Pattern.compile("//[^/\\s@]*:[^/\\s@]*@");

  private Failures() {}

  /** An exception that is nothing but its text. */
  private static final class Told extends Throwable {
    private static final long serialVersionUID = 1;
    private final String text;

    Told(String text) {
      super(null, null, false, false);
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * The text that describes an exception.
   *
   * @param thrown the exception; may be null
   * @param given texts that the program gave, each followed by what stands for it; may be null
   * @return the exception itself, if nothing of it is to be left out
   */
  public static Throwable told(Throwable thrown, String... given) {
    if (Settings.VALUES || thrown == null) return thrown;
    String text;
    try {
      text = thrown.toString();
    } catch (Throwable e) {
      return thrown; // the recorder knows what to say
    }
    if (text == null) return thrown;
    String shown = text;
    for (int i = 0; i + 1 < given.length; i += 2) {
      if (given[i] != null && !given[i].isEmpty()) shown = shown.replace(given[i], given[i + 1]);
    }
    shown = USER.matcher(shown).replaceAll("//");
    shown = VALUE.matcher(shown).replaceAll("$1...");
    return shown.equals(text) ? thrown : new Told(shown);
  }

  /**
   * The secrets among properties, as {@link #told} takes them.
   *
   * @param properties names and values; may be null
   * @param url a URL that may have some
   * @param shown what stands for it
   * @return the URL and the secrets, each followed by what stands for it
   */
  public static String[] secrets(Properties properties, String url, String shown) {
    List<String> found = new ArrayList<>();
    found.add(url);
    found.add(shown);
    if (properties != null) {
      for (String name : properties.stringPropertyNames()) {
        add(found, name, properties.getProperty(name));
      }
    }
    if (url != null) {
      for (String part : url.split("[;?&]")) {
        int at = part.indexOf('=');
        if (at > 0) add(found, part.substring(0, at), part.substring(at + 1));
      }
      Matcher user = USER.matcher(url);
      if (user.find()) {
        String password = user.group().substring(user.group().indexOf(':') + 1);
        add(found, "password", password.substring(0, password.length() - 1));
      }
    }
    return found.toArray(new String[0]);
  }

  private static void add(List<String> found, String name, String value) {
    if (!NAMES_SECRET.matcher(name).find()) return;
    found.add(value);
    found.add("...");
  }
}
