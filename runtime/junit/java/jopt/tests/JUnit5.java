// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tests;

import java.util.HashMap;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Listens to JUnit's platform, which finds it by its service file: JUnit 5, and JUnit 4 below it. */
public final class JUnit5 implements TestExecutionListener {
  /** For the platform. */
  public JUnit5() {
    Tests.expect();
  }

  /** As JUnit 4 has it, {@code p.ATest#method[1]}; parameters stand in no name. */
  private static String name(TestIdentifier test) {
    Object source = test.getSource().orElse(null);
    if (!(source instanceof MethodSource)) return test.getUniqueId();
    String reported = test.getLegacyReportingName().replaceAll("\\([^)]*\\)", "");
    return ((MethodSource) source).getClassName() + '#' + reported;
  }

  /** Of containers that run, by id. */
  private final Map<String, Around> around = new HashMap<>();

  private static String className(TestIdentifier container) {
    Object source = container.getSource().orElse(null);
    return source instanceof ClassSource ? ((ClassSource) source).getClassName() : null;
  }

  private Around above(TestIdentifier test) {
    Around found = around.get(test.getParentId().orElse(""));
    return found == null ? new Around(null) : found;
  }

  @Override
  public synchronized void executionStarted(TestIdentifier test) {
    Around above = above(test);
    if (test.isTest()) {
      Tests.next(above.enter(), name(test), false);
      return;
    }
    String own = className(test);
    around.put(test.getUniqueId(), own == null ? above : new Around(own));
    if (own != null) Tests.next(above.enter(), own, true);
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Around above = above(test);
    String own = test.isTest() ? name(test) : className(test);
    if (!test.isTest()) around.remove(test.getUniqueId());
    if (own != null) Tests.next(own, above.leave(), true);
  }
}
