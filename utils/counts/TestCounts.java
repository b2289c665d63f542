//===- TestCounts.java - How often what happened --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.atomic.LongAdder;

/** What the code that TestCountingAgent adds calls. By its name it is not traced. */
public final class TestCounts {
  /** Types of events, in the order of their numbers. */
  public static final String[] TYPES = {
    "$enter$", "$exit$", "$line$", "$invoke$", "$complete$", "$var$", "$iinc$", "$jump$", "$field$", "$constant$",
    "$type$", "$switch$", "$arrayload$", "$arraystore$", "$stack$", "$math$", "$compare$", "$arraylen$", "$monitor$",
    "$athrow$",
    // Sites of probes/count-sites.xml, in its words.
    "fieldRead usual", "fieldRead before", "fieldWrite usual", "fieldWrite after", "new usual", "new before",
    "newArray usual", "newArray before", "arrayRead usual", "arrayRead before", "arrayWrite usual", "arrayWrite after",
    "monitorEnter usual", "monitorEnter after", "monitorExit usual", "monitorExit after", "cast usual", "cast after",
    "instanceOf usual", "instanceOf after", "throw usual", "line usual", "loop usual", "localWrite usual",
    "localWrite after"
  };

  private static final LongAdder[] counts = new LongAdder[TYPES.length];
  private static final LongAdder mains = new LongAdder();
  private static volatile boolean isOpen;

  static {
    for (int i = 0; i < counts.length; i++) counts[i] = new LongAdder();
  }

  private TestCounts() {}

  /** A method that the trace begins with is entered. */
  public static void open() {
    isOpen = true;
    mains.increment();
  }

  public static void count(int type) {
    if (isOpen) counts[type].increment();
  }

  /** Writes them into {@code file}. */
  public static void write(String file) {
    try (PrintWriter out = new PrintWriter(file, "UTF-8")) {
      out.println(mains + " main");
      for (int i = 0; i < TYPES.length; i++) if (counts[i].sum() > 0) out.println(counts[i] + " " + TYPES[i]);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
