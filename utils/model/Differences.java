//===- utils/model/Differences.java - what differed, smallest first -----===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/** The differences of a run. Those that come earliest in a drive are shown. */
final class Differences {
  private record Difference(String drive, String what, List<String> want,
                            List<String> have, int at,
                            Map<String, byte[]> originals,
                            Map<String, byte[]> probed) {}

  private final List<Difference> all = new ArrayList<>();

  int count() { return all.size(); }

  void add(String drive, String what, List<String> want, List<String> have,
           Map<String, byte[]> originals, Map<String, byte[]> probed) {
    int at = 0;
    while (at < want.size() && at < have.size() &&
           want.get(at).equals(have.get(at)))
      at++;
    all.add(new Difference(drive, what, List.copyOf(want), List.copyOf(have),
                           at, originals, probed));
  }

  /** Prints the smallest ones, with the code of the method concerned. */
  void print(int shown) throws IOException {
    all.sort(Comparator.comparingInt(Difference::at));
    for (Difference d : all.subList(0, Math.min(shown, all.size())))
      print(d);
  }

  private static String at(List<String> list, int i) {
    return i < list.size() ? brief(list.get(i), 0) : "(end)";
  }

  /** The text from about a place on, without what is long. */
  private static String brief(String text, int from) {
    int start = from < 100 ? 0 : from - 40;
    int end = Math.min(text.length(), start + 400);
    return (start > 0 ? "..." : "") + text.substring(start, end) +
        (end < text.length() ? "..." : "");
  }

  /** What differs of two events, if it is far behind. */
  private static void printPlace(String want, String have) {
    int at = 0;
    while (at < want.length() && at < have.length() &&
           want.charAt(at) == have.charAt(at))
      at++;
    if (at < 100)
      return;
    System.out.println("  expected there " + brief(want, at));
    System.out.println("       got there " + brief(have, at));
  }

  private static void print(Difference d) throws IOException {
    System.out.println("-- " + d.drive + ": " + d.what + " differ at " + d.at);
    for (int k = Math.max(0, d.at - 8); k < d.at; k++)
      System.out.println("      same  " + at(d.want, k));
    for (int k = d.at; k < d.at + 3; k++)
      System.out.println("  expected  " + at(d.want, k));
    for (int k = d.at; k < d.at + 3; k++)
      System.out.println("       got  " + at(d.have, k));
    if (d.at < d.want.size() && d.at < d.have.size())
      printPlace(d.want.get(d.at), d.have.get(d.at));
    Matcher host = host(d);
    if (host == null)
      return;
    System.out.println("  original " + code(d.originals, host));
    System.out.println("  probed " + code(d.probed, host));
  }

  private static final Pattern HOST = Pattern.compile(
      "^(?!before|after).* className=\"(\\S+)\" " +
      "methodName=\"(\\S+)\" methodSig=\"(\\S+)\"");

  /** Class, name and descriptor of the method of the last event before. */
  private static Matcher host(Difference d) {
    for (int i = Math.min(d.at, d.want.size() - 1); i >= 0; i--) {
      Matcher m = HOST.matcher(d.want.get(i));
      if (m.find())
        return m;
    }
    return null;
  }

  /** The code of a method as javap prints it. */
  private static String code(Map<String, byte[]> classes, Matcher host)
      throws IOException {
    byte[] bytes = classes.get(host.group(1));
    ToolProvider javap = ToolProvider.findFirst("javap").orElse(null);
    if (bytes == null || javap == null)
      return "(no code)";
    Path file = Files.createTempFile("model", ".class");
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    Files.write(file, bytes);
    javap.run(out, out, "-c", "-p", "-l", "-s", file.toString());
    Files.delete(file);
    String simple = host.group(2).equals("<init>")
        ? host.group(1).replace('/', '.')
        : host.group(2);
    for (String part : text.toString().split("\n\n"))
      if (part.contains("descriptor: " + host.group(3) + "\n") &&
          (part.contains(" " + simple + "(") ||
           (simple.equals("<clinit>") && part.contains("static {}"))))
        return "(version " + ((bytes[6] & 255) << 8 | (bytes[7] & 255)) +
            ")\n" + part;
    return "(no such method)";
  }
}
