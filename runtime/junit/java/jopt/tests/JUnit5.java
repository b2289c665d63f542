// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tests;

import org.junit.platform.engine.TestExecutionResult;
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

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) Tests.begin(name(test));
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) Tests.end(name(test));
  }
}
