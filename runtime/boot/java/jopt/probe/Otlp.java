// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Requests of OpenTelemetry's protocol in JSON, one a line, as its collector's receiver of files reads them: counters
 * as sums, all else as summaries and gauges.
 */
final class Otlp extends Format {
  private final String began = nanos(System.currentTimeMillis());

  private static String nanos(long millis) {
    return millis + "000000";
  }

  @Override
  List<String> lines(Samples s, boolean isFirst) {
    List<String> lines = new ArrayList<>();
    for (Samples.Row row : s.rows) lines.add(line(s, row));
    return lines;
  }

  private String line(Samples s, Samples.Row row) {
    Json point = new Json().put("startTimeUnixNano", began).put("timeUnixNano", nanos(s.time));
    if (row.key != null) {
      Json text = new Json().put("stringValue", row.key);
      point.put("attributes", new Object[] {new Json().put("key", "key").put("value", text)});
    }
    Json metric = new Json().put("name", row.metric);
    String count = String.valueOf(row.values.get("count"));
    if (row.isCount()) {
      Object[] points = {point.put("asInt", count)};
      metric.put(
          "sum",
          new Json().put("aggregationTemporality", 2).put("isMonotonic", true).put("dataPoints", points));
    } else {
      metric.put("summary", new Json().put("dataPoints", new Object[] {summary(row, count, point)}));
    }
    Json scope =
        new Json()
            .put("scope", new Json().put("name", "jopt"))
            .put("metrics", new Object[] {metric});
    Json resource =
        new Json().put("resource", new Json()).put("scopeMetrics", new Object[] {scope});
    return new Json().put("resourceMetrics", new Object[] {resource}).toString();
  }

  private static Json summary(Samples.Row row, String count, Json point) {
    List<Object> quantiles = new ArrayList<>();
    for (Map.Entry<String, Number> v : row.values.entrySet()) {
      String name = v.getKey();
      Double at = name.startsWith("max") ? Double.valueOf(1) : percent(name);
      if (at != null)
        quantiles.add(new Json().put("quantile", at).put("value", v.getValue().doubleValue()));
    }
    return point
        .put("count", count)
        .put("sum", row.sum())
        .put("quantileValues", quantiles.toArray());
  }

  /** Of {@code p99} 0.99; null if it is no such name. */
  static Double percent(String name) {
    for (double p : Samples.PERCENTS) {
      String is = "p" + (int) p;
      if (name.equals(is) || name.startsWith(is + "_")) return p / 100;
    }
    return null;
  }
}
