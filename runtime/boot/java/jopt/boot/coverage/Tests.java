// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import jopt.boot.record.Recorder;

/**
 * Keeps the elements that each test reached. When a test begins or ends, the elements in the arrays are
 * added to the tests that were running meanwhile, and cleared. So a test that runs alone has the elements
 * that it reached itself, and a test that runs beside others has all elements that were reached while it
 * ran. {@code jopt.tests.Tests} knows this class by its name alone.
 */
public final class Tests implements Function<Object[], Object> {
  /** Somebody will begin tests, or did. Probes stay from then on: a test may reach known elements again. */
  private static volatile boolean isOn;

  private static boolean isWarned;

  /** Those that have begun and not ended. The lock of the writer guards it. */
  private static final List<TestRecord> running = new ArrayList<>();

  /** Tests that ended before anything was covered: until then nothing is written, nor is a folder made. */
  private static final List<TestRecord> early = new ArrayList<>();

  /** For what knows the name. */
  public Tests() {}

  /**
   * Does what a listener says.
   *
   * @param a {@code "expect"}; or {@code "next"}, the name of a test that ends, or null, that of one that begins, or
   *     null, and whether that is no test but what goes on around those of a class
   * @return null
   */
  @Override
  public Object apply(Object[] a) {
    isOn = true;
    if (a[0].equals("next")) Writer.nextTest((String) a[1], (String) a[2], (Boolean) a[3]);
    return null;
  }

  /** Somebody begins tests. */
  static boolean isOn() {
    return isOn;
  }

  /** The following are called with the writer's lock. */
  static boolean isAnyRunning() {
    return !running.isEmpty();
  }

  /** Its classes were looked at. */
  static void begin(String name, boolean isAround) {
    TestRecord made = new TestRecord(name, isAround);
    running.add(made);
    if (Writer.hasClasses()) made.define();
    if (running.size() > 1) for (int i = 0; i < running.size(); i++) running.get(i).isShared = true;
  }

  /** Its classes were looked at. */
  static void end(String name) {
    for (int i = running.size(); i-- > 0; )
      if (running.get(i).name.equals(name)) {
        TestRecord ended = running.remove(i);
        ended.end();
        early.add(ended);
        write();
        return;
      }
  }

  /** Records what there is, if anything is covered. */
  static void write() {
    if (!Writer.hasClasses()) return;
    for (int i = 0; i < early.size(); i++) early.get(i).write();
    early.clear();
    for (int i = 0; i < running.size(); i++) running.get(i).define();
  }

  /** The running tests reached those. */
  static void add(CoveredClass type, boolean[] reached) {
    for (int i = 0; i < running.size(); i++) running.get(i).add(type, reached);
  }

  /** The following was called. */
  static boolean isWarned() {
    return isWarned;
  }

  /** Before the first test begins: {@code lost} classes have no probes, or not all, any more. */
  static void tellLost(int lost, boolean pointsLink) {
    isWarned = true;
    if (lost == 0 && !pointsLink) return;
    String what =
        pointsLink
            ? "coverage=once records each place for the first test alone that comes there: coverage=pos is for each test"
            : "the probes of " + lost + " classes had left before the first test began: coverage-remove=off keeps them";
    Recorder.note("tests: " + what);
    System.err.println("jopt: tests: " + what);
  }
}
