// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.Map;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Samples as events of the flight recorder, of which a recording that is on has each number. */
final class FlightWriter extends Writer {
  FlightWriter(String where) {
    super(where);
  }

  @Override
  void write(Samples s) {
    for (Samples.Row row : s.rows)
      for (Map.Entry<String, Number> v : row.values.entrySet()) {
        Sample event = new Sample();
        if (!event.isEnabled()) return;
        event.metric = row.metric;
        event.key = row.key;
        event.number = v.getKey();
        event.value = v.getValue().doubleValue();
        event.commit();
      }
  }

  @Name("jopt.Metric")
  @Label("Metric")
  @Category("jopt")
  @StackTrace(false)
  static final class Sample extends Event {
    @Label("Metric") String metric;
    @Label("Key") String key;
    @Label("Number") String number;
    @Label("Value") double value;
  }
}
