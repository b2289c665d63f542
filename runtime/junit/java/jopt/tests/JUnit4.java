// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tests;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.internal.TextListener;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.RunListener;

/** Listens to JUnit 4; or runs tests with it, {@code java jopt.tests.JUnit4 p.ATest ...}. */
@RunListener.ThreadSafe
public final class JUnit4 extends RunListener {
  /** For who knows the name. */
  public JUnit4() {
    Tests.expect();
  }

  private static String name(Description test) {
    String method = test.getMethodName();
    return method == null ? test.getDisplayName() : test.getClassName() + '#' + method;
  }

  /** Of suites that run, the innermost first. */
  private final Deque<Around> around = new ArrayDeque<>();

  private static String className(Description suite) {
    return suite.getTestClass() == null ? null : suite.getClassName();
  }

  private Around above() {
    return around.isEmpty() ? new Around(null) : around.peek();
  }

  // Since JUnit 4.13; before, nothing is known of what goes on around tests.
  @Override
  public synchronized void testSuiteStarted(Description suite) {
    String own = className(suite);
    if (own != null) Tests.next(above().enter(), own, true);
    around.push(own == null ? above() : new Around(own));
  }

  @Override
  public synchronized void testSuiteFinished(Description suite) {
    if (!around.isEmpty()) around.pop();
    String own = className(suite);
    if (own != null) Tests.next(own, above().leave(), true);
  }

  @Override
  public synchronized void testStarted(Description test) {
    Tests.next(above().enter(), name(test), false);
  }

  @Override
  public synchronized void testFinished(Description test) {
    Tests.next(name(test), above().leave(), true);
  }

  /**
   * Runs tests.
   *
   * @param classes names of classes
   * @throws ClassNotFoundException if there is no such class
   */
  public static void main(String... classes) throws ClassNotFoundException {
    Class<?>[] all = new Class<?>[classes.length];
    for (int i = 0; i < all.length; i++) all[i] = Class.forName(classes[i]);
    JUnitCore core = new JUnitCore();
    core.addListener(new TextListener(System.out));
    core.addListener(new JUnit4());
    System.exit(core.run(all).wasSuccessful() ? 0 : 1);
  }
}
