// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What metrics were at a moment: a row for each, or for each key of one. */
final class Samples {
  /** Of {@link #of}. */
  static final double[] PERCENTS = {50, 90, 99};

  static final class Row {
    final String metric;

    /** Null if the metric has none. */
    final String key;

    /** Of what it tells the name and the number: a Long, or a Double. */
    final Map<String, Number> values = new LinkedHashMap<>();

    /** Of all that was counted, the sum of the values, in their unit. */
    double sum() {
      for (Map.Entry<String, Number> v : values.entrySet()) {
        if (v.getKey().startsWith("total")) return v.getValue().doubleValue();
        if (v.getKey().startsWith("mean"))
          return v.getValue().doubleValue() * values.get("count").longValue();
      }
      return 0;
    }

    /** Only counts: all else has values. */
    boolean isCount() {
      return values.size() == 1;
    }

    Row(String metric, String key) {
      this.metric = metric;
      this.key = key;
    }
  }

  /** Milliseconds since 1970. */
  final long time = System.currentTimeMillis();

  final List<Row> rows = new ArrayList<>();

  /** Why metrics have no rows. */
  final List<String> failed = new ArrayList<>();

  private Samples() {}

  /** All that there is now, but for what is retired and empty. */
  static Samples take() {
    return take(Registry.all());
  }

  /** The same of some metrics. One that fails does not keep others from being told. */
  static Samples take(List<? extends Metric> of) {
    Samples s = new Samples();
    for (Metric m : of) {
      int before = s.rows.size();
      try {
        if (!m.isRetired || m.size() != 0) m.tell(null, s);
      } catch (Throwable e) {
        s.rows.subList(before, s.rows.size()).clear();
        s.failed.add("the table '" + m.name() + "' cannot be made: " + e);
      }
    }
    return s;
  }

  /** A row to which the caller adds. */
  Row add(String metric, String key) {
    Row row = new Row(metric, key);
    rows.add(row);
    return row;
  }

  void count(String metric, String key, long n) {
    add(metric, key).values.put("count", n);
  }

  void distribution(String metric, String key, Distribution d) {
    addTo(add(metric, key), "", d);
  }

  /** The values of a distribution, each name with {@code unit} behind it. */
  static void addTo(Row row, String unit, Distribution d) {
    row.values.put("count", d.count());
    row.values.put("mean" + unit, d.mean());
    for (double p : PERCENTS) row.values.put("p" + (int) p + unit, d.percentile(p));
    row.values.put("max" + unit, d.max());
  }
}
