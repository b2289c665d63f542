// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The text that Prometheus reads (format 0.0.4). */
final class Prometheus extends Format {
  @Override
  List<String> lines(Samples s, boolean isFirst) {
    List<String> lines = new ArrayList<>();
    String metric = null;
    for (Samples.Row row : s.rows) {
      boolean isCounter = row.isCount();
      String name = "jopt_" + name(row.metric);
      if (!row.metric.equals(metric))
        lines.add("# TYPE " + name + (isCounter ? "_total counter" : " summary"));
      metric = row.metric;
      String key = row.key == null ? "" : "key=\"" + escape(row.key) + '"';
      if (isCounter) lines.add(name + "_total" + braces(key) + " " + row.values.get("count"));
      else addSummary(lines, name, key, row);
    }
    return lines;
  }

  private static void addSummary(List<String> lines, String name, String key, Samples.Row row) {
    for (Map.Entry<String, Number> v : row.values.entrySet()) {
      Double at = v.getKey().startsWith("max") ? Double.valueOf(1) : Otlp.percent(v.getKey());
      if (at == null) continue;
      String labels = (key.isEmpty() ? "" : key + ",") + "quantile=\"" + at + '"';
      lines.add(name + braces(labels) + " " + Format.number(v.getValue()));
    }
    lines.add(name + "_sum" + braces(key) + " " + Format.number(row.sum()));
    lines.add(name + "_count" + braces(key) + " " + row.values.get("count"));
  }

  private static String braces(String labels) {
    return labels.isEmpty() ? "" : "{" + labels + "}";
  }

  private static String name(String metric) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < metric.length(); i++) {
      char c = metric.charAt(i);
      boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      name.append(isPlain ? c : '_');
    }
    return name.toString();
  }

  private static String escape(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
