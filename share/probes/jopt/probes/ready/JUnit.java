// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.util.Optional;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/**
 * Tests of JUnit 4 (and 3) and of JUnit's platform (5 and later). What other ready probes record
 * while a test runs, in its thread, has the row of that test. JUnit's types are in no class path of
 * this one, so they are reached by reflection.
 */
public final class JUnit {
  private JUnit() {}

  private static final Nesting nesting = new Nesting();

  /** Of what runs its row, and the row in which it runs. */
  private static final WeakKeyMap<Object, int[]> running = new WeakKeyMap<>();

  private static final WeakKeyMap<Object, Throwable> failures = new WeakKeyMap<>();
  private static final ObjectSet<Object> aborted = new ObjectSet<>();

  private static int row(String kind, String type, String method, String name) {
    Tests t = Tests.TABLE;
    int row = t.createRow();
    t.kind.setValue(row, kind);
    t.type.setValue(row, type);
    t.method.setValue(row, method);
    t.name.setValue(row, name);
    return row;
  }

  private static void begin(Object what, int row) {
    running.put(what, new int[] {row, Tests.enter(row)});
  }

  private static void end(int row, String result, Throwable thrown) {
    Tests.TABLE.result.setValue(row, result);
    Tests.TABLE.closeRow(row, thrown);
  }

  private static void end(Object what, String result, Throwable thrown) {
    int[] state = running.remove(what);
    if (state == null) return;
    int now = Tests.enter(state[1]);
    if (now != state[0]) Tests.enter(now); // it ran in another thread
    end(state[0], result, thrown);
  }

  private static final String V4 = "org.junit.runner.";
  private static final Getter className = new Getter("getClassName", V4);
  private static final Getter testClass = new Getter("getTestClass", V4);
  private static final Getter methodName = new Getter("getMethodName", V4);
  private static final Getter displayName = new Getter("getDisplayName", V4);
  private static final Getter description = new Getter("getDescription", V4);
  private static final Getter exception = new Getter("getException", V4);

  private static int rowOf(Object described) {
    String method = methodName.text(described);
    String kind = method == null ? "class" : "test";
    return row(kind, className.text(described), method, displayName.text(described));
  }

  /** Tests, and classes of them, that begin. */
  @MethodPattern({
    "org.junit.runner.notification.RunNotifier:fireTestStarted(*)",
    "org.junit.runner.notification.RunNotifier:fireTestSuiteStarted(*)"
  })
  public static final class Started {
    public static boolean onEnter() {
      return nesting.enter();
    }

    public static void onExit(@Param(1) Object described, @OnEnterResult boolean outermost) {
      nesting.leave();
      // Else it is a suite of nobody's.
      if (outermost && testClass.get(described) != null) begin(described, rowOf(described));
    }
  }

  /** The platform hears of it, and takes it for what is below. */
  @MethodPattern({
    "org.junit.runner.notification.RunNotifier:fireTestRunStarted(*)",
    "org.junit.runner.notification.RunNotifier:fireTestRunFinished(*)"
  })
  public static final class Run {
    public static void onEnter() {
      nesting.enter();
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  /** Tests that fail; a class can fail before any of its tests begins. */
  @MethodPattern({
    "org.junit.runner.notification.RunNotifier:fireTestFailure(*)",
    "org.junit.runner.notification.RunNotifier:fireTestAssumptionFailed(*)"
  })
  public static final class Failed {
    public static void onEnter(@MethodName String method, @Param(1) Object failure) {
      if (!nesting.enter()) return;
      Object described = description.get(failure);
      Throwable thrown = (Throwable) exception.get(failure);
      boolean aborts = method.equals("fireTestAssumptionFailed");
      if (!running.containsKey(described)) {
        end(rowOf(described), aborts ? "aborted" : "failed", thrown);
        return;
      }
      failures.put(described, thrown);
      if (aborts) aborted.add(described);
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  /** Tests that are left out. */
  @MethodPattern("org.junit.runner.notification.RunNotifier:fireTestIgnored(*)")
  public static final class Ignored {
    public static void onEnter(@Param(1) Object described) {
      if (nesting.enter()) end(rowOf(described), "skipped", null);
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  /** Tests, and classes of them, that end. */
  @MethodPattern({
    "org.junit.runner.notification.RunNotifier:fireTestFinished(*)",
    "org.junit.runner.notification.RunNotifier:fireTestSuiteFinished(*)"
  })
  public static final class Finished {
    public static void onEnter(@Param(1) Object described) {
      if (!nesting.enter()) return;
      Throwable thrown = failures.remove(described);
      boolean aborts = aborted.remove(described);
      end(described, aborts ? "aborted" : thrown != null ? "failed" : "passed", thrown);
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  private static final String V5 = "org.junit.platform.engine.";
  private static final Getter isTest = new Getter("isTest", V5);
  private static final Getter source = new Getter("getSource", V5);
  private static final Getter shownName = new Getter("getDisplayName", V5);
  private static final Getter sourceClass = new Getter("getClassName", V5);
  private static final Getter sourceMethod = new Getter("getMethodName", V5);
  private static final Getter status = new Getter("getStatus", V5);
  private static final Getter throwable = new Getter("getThrowable", V5);

  private static Object value(Object optional) {
    return optional instanceof Optional ? ((Optional<?>) optional).orElse(null) : null;
  }

  /** The row of a test or of a class of them; one that is to be ignored for what is around those. */
  private static int rowOfNode(Object node) {
    Object from = value(source.get(node));
    String type = sourceClass.text(from);
    String method = sourceMethod.text(from);
    boolean test = Boolean.TRUE.equals(isTest.get(node));
    if (!test && (type == null || method != null)) return Table.NO_ROW;
    return row(test ? "test" : "class", type, method, shownName.text(node));
  }

  /** Tests, and classes of them, that begin. */
  @MethodPattern("*:executionStarted(org.junit.platform.engine.TestDescriptor)")
  @InstanceOf("org.junit.platform.engine.EngineExecutionListener")
  public static final class NodeStarted {
    public static boolean onEnter() {
      return nesting.enter();
    }

    public static void onExit(@Param(1) Object node, @OnEnterResult boolean outermost) {
      nesting.leave();
      if (!outermost) return;
      int row = rowOfNode(node);
      if (!Table.shouldIgnoreRow(row)) begin(node, row);
    }
  }

  /** Tests that are left out. */
  @MethodPattern("*:executionSkipped(org.junit.platform.engine.TestDescriptor, String)")
  @InstanceOf("org.junit.platform.engine.EngineExecutionListener")
  public static final class NodeSkipped {
    public static void onEnter(@Param(1) Object node) {
      if (nesting.enter()) end(rowOfNode(node), "skipped", null);
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  /** Tests, and classes of them, that end. */
  @MethodPattern(
      "*:executionFinished(org.junit.platform.engine.TestDescriptor,"
          + " org.junit.platform.engine.TestExecutionResult)")
  @InstanceOf("org.junit.platform.engine.EngineExecutionListener")
  public static final class NodeFinished {
    public static void onEnter(@Param(1) Object node, @Param(2) Object result) {
      if (!nesting.enter()) return;
      String how = status.text(result);
      end(
          node,
          "SUCCESSFUL".equals(how) ? "passed" : "ABORTED".equals(how) ? "aborted" : "failed",
          (Throwable) value(throwable.get(result)));
    }

    public static void onExit() {
      nesting.leave();
    }
  }
}
