// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Samples as lines. */
abstract class Format {
  /** The lines of {@code s}; {@code isFirst}: none were written before them. */
  abstract List<String> lines(Samples s, boolean isFirst);

  /** Null if there is none of that name. */
  static Format of(String name) {
    switch (name) {
      case "text":
        return new Text();
      case "csv":
        return new Csv();
      case "json":
        return new JsonLines();
      case "folded":
        return new Folded();
      case "otlp":
        return new Otlp();
      case "prometheus":
        return new Prometheus();
      default:
        return null;
    }
  }

  /** Numbers with a point, however the program writes them. */
  static String number(Number n) {
    if (n instanceof Long) return n.toString();
    return String.format(Locale.ROOT, "%.3f", n.doubleValue());
  }

  /** For people: a table for each metric. */
  private static final class Text extends Format {
    @Override
    List<String> lines(Samples s, boolean isFirst) {
      List<String> lines = new ArrayList<>();
      int width = 20;
      for (Samples.Row row : s.rows) width = Math.max(width, Math.min(100, title(row).length() + 2));
      String metric = null;
      for (Samples.Row row : s.rows) {
        if (!row.metric.equals(metric)) lines.add(head(row, width));
        metric = row.metric;
        StringBuilder line = new StringBuilder(title(row));
        int column = width;
        for (Number n : row.values.values()) {
          pad(line, column += 10, number(n));
        }
        lines.add(line.toString());
      }
      return lines;
    }

    private static String title(Samples.Row row) {
      return row.key == null ? SafeText.line(row.metric) : "  " + SafeText.line(row.key);
    }

    /** The names of the columns, behind that of the metric where rows have keys. */
    private static String head(Samples.Row row, int width) {
      StringBuilder line = new StringBuilder(row.key == null ? "" : row.metric);
      int column = width;
      for (String name : row.values.keySet()) pad(line, column += 10, name);
      return line.toString();
    }

    /** Appends a text so that it ends at a column, with a blank before it. */
    private static void pad(StringBuilder line, int column, String text) {
      do line.append(' ');
      while (line.length() + text.length() < column);
      line.append(text);
    }
  }

  /** A row for each number. */
  private static final class Csv extends Format {
    @Override
    List<String> lines(Samples s, boolean isFirst) {
      List<String> lines = new ArrayList<>();
      if (isFirst) lines.add("time,metric,key,value,number");
      for (Samples.Row row : s.rows)
        for (Map.Entry<String, Number> v : row.values.entrySet())
          lines.add(
              s.time + "," + SafeText.cell(row.metric) + "," + (row.key == null ? "" : SafeText.cell(row.key)) + ","
                  + v.getKey() + "," + number(v.getValue()));
      return lines;
    }
  }

  /** An object a row. */
  private static final class JsonLines extends Format {
    @Override
    List<String> lines(Samples s, boolean isFirst) {
      List<String> lines = new ArrayList<>();
      for (Samples.Row row : s.rows) {
        Json line = new Json().put("time", s.time).put("metric", row.metric);
        if (row.key != null) line.put("key", row.key);
        for (Map.Entry<String, Number> v : row.values.entrySet()) line.put(v.getKey(), v.getValue());
        lines.add(line.toString());
      }
      return lines;
    }
  }

  /** Keys and their counts, as flame graphs are made of where keys are stacks. */
  private static final class Folded extends Format {
    @Override
    List<String> lines(Samples s, boolean isFirst) {
      List<String> lines = new ArrayList<>();
      for (Samples.Row row : s.rows)
        if (row.key != null) lines.add(SafeText.line(row.key) + " " + row.values.get("count"));
      return lines;
    }
  }
}
