// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.flight;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * {@code Samples FILE cpu|wall|alloc PERIOD START}: the stacks of a recording, a line each: samples, nanoseconds or
 * bytes, and the frames with {@code ;} between them, the outermost first. PERIOD is that between two samples, in
 * nanoseconds; START is when the recording began, in milliseconds since 1970. What was sampled how stands in the first
 * line.
 */
final class Samples {
  private static final String CPU = "jdk.CPUTimeSample", JAVA = "jdk.ExecutionSample", NATIVE = "jdk.NativeMethodSample";

  /** Waits, as far as they last longer than the period. */
  private static final List<String> WAITS =
      List.of("jdk.ThreadSleep", "jdk.ThreadPark", "jdk.JavaMonitorWait", "jdk.JavaMonitorEnter");

  /** The second and third are of Java 11 to 15. */
  private static final String ALLOCATED = "jdk.ObjectAllocationSample",
      IN_BUFFER = "jdk.ObjectAllocationInNewTLAB", OUTSIDE = "jdk.ObjectAllocationOutsideTLAB";

  private final Map<String, long[]> stacks = new HashMap<>();
  private final Map<RecordedMethod, String> names = new HashMap<>();
  private final String kind;
  private final long period;
  private final Instant start;
  private long lost, truncated;
  private boolean hasCpuTime, hasAllocated;

  private Samples(String kind, long period, Instant start) {
    this.kind = kind;
    this.period = period;
    this.start = start;
  }

  public static void main(String[] args) throws IOException {
    Path file = Paths.get(args[0]);
    Samples all = new Samples(args[1], Long.parseLong(args[2]), Instant.ofEpochMilli(Long.parseLong(args[3])));
    all.look(file);
    all.read(file);
    try (Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8))) {
      out.write((all.hasCpuTime ? "cpu-time" : "java") + ' ' + all.lost + ' ' + all.truncated + '\n');
      for (Map.Entry<String, long[]> e : all.stacks.entrySet())
        out.write(e.getValue()[0] + " " + e.getValue()[1] + " " + e.getKey() + '\n');
    }
  }

  /** Which of the events that mean the same are there. */
  private void look(Path path) throws IOException {
    try (RecordingFile file = new RecordingFile(path)) {
      while (file.hasMoreEvents()) {
        String name = file.readEvent().getEventType().getName();
        hasCpuTime |= name.equals(CPU);
        hasAllocated |= name.equals(ALLOCATED);
      }
    }
  }

  private void read(Path path) throws IOException {
    try (RecordingFile file = new RecordingFile(path)) {
      while (file.hasMoreEvents()) {
        RecordedEvent e = file.readEvent();
        if (e.getEventType().getName().equals("jdk.DataLoss")) lost += e.getLong("amount");
        else add(e, weight(e));
      }
    }
  }

  /** Nanoseconds or bytes; 0: it does not count. */
  private long weight(RecordedEvent e) {
    String name = e.getEventType().getName();
    if (kind.equals("alloc")) {
      if (hasAllocated) return name.equals(ALLOCATED) ? e.getLong("weight") : 0;
      return name.equals(IN_BUFFER) ? e.getLong("tlabSize") : name.equals(OUTSIDE) ? e.getLong("allocationSize") : 0;
    }
    if (kind.equals("cpu") && hasCpuTime) return name.equals(CPU) ? e.getDuration("samplingPeriod").toNanos() : 0;
    if (name.equals(JAVA)) return period;
    if (kind.equals("cpu")) return 0;
    if (name.equals(NATIVE)) return period;
    if (!WAITS.contains(name)) return 0;
    Instant from = e.getStartTime().isBefore(start) ? start : e.getStartTime();
    return Math.max(0, Duration.between(from, e.getEndTime()).toNanos());
  }

  private void add(RecordedEvent e, long weight) {
    RecordedStackTrace stack = e.getStackTrace();
    if (weight == 0) return;
    StringBuilder text = new StringBuilder();
    if (stack == null) {
      text.append("[no stack]");
    } else {
      if (stack.isTruncated()) {
        truncated++;
        text.append("[outer frames left out]");
      }
      List<RecordedFrame> frames = stack.getFrames();
      for (int i = frames.size(); i-- > 0; ) {
        if (text.length() > 0) text.append(';');
        text.append(name(frames.get(i).getMethod()));
      }
    }
    if (kind.equals("alloc") && e.hasField("objectClass")) {
      RecordedClass type = e.getClass("objectClass");
      if (type != null) text.append(";new ").append(typeName(type.getName()));
    }
    long[] sum = stacks.computeIfAbsent(text.toString(), k -> new long[2]);
    boolean isWait = WAITS.contains(e.getEventType().getName());
    sum[0] += isWait ? Math.max(1, weight / period) : 1;
    sum[1] += weight;
  }

  private String name(RecordedMethod method) {
    if (method == null) return "[unknown]";
    String known = names.get(method);
    if (known != null) return known;
    // No two runs have the same names of hidden classes.
    String type = method.getType().getName().replaceAll("(\\$\\$Lambda)?(\\$[0-9]+)?[+/](0x)?[0-9a-f.]+$", "$1");
    String name = type + '.' + method.getName();
    names.put(method, name);
    return name;
  }

  /** The Java name of what may be {@code [I} or {@code [Ljava.lang.String;}. */
  private static String typeName(String name) {
    int dimensions = 0;
    while (name.charAt(dimensions) == '[') dimensions++;
    if (dimensions == 0) return name;
    String of = name.substring(dimensions);
    String primitive = "ZBCSIJFD".indexOf(of.charAt(0)) < 0 || of.length() > 1 ? null
        : new String[] {"boolean", "byte", "char", "short", "int", "long", "float", "double"}["ZBCSIJFD".indexOf(of.charAt(0))];
    StringBuilder text = new StringBuilder(primitive != null ? primitive : of.substring(1, of.length() - 1));
    for (int i = 0; i < dimensions; i++) text.append("[]");
    return text.toString();
  }
}
