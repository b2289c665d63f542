// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import org.gradle.api.Action;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Nested;

/** The block {@code jopt} of a build script. */
public abstract class JoptExtension {
  /** Whether tests run with the agent. */
  public abstract Property<Boolean> getEnabled();

  /** Version of the tools; by default that of the plugin. */
  public abstract Property<String> getVersion();

  /** Platform of the tools, as {@code linux-x86_64}; by default the machine's. */
  public abstract Property<String> getPlatform();

  /** Folder of an installed jopt, instead of the artifact. */
  public abstract DirectoryProperty getHome();

  /** Strategy that records coverage. */
  public abstract Property<String> getCoverage();

  /** Classes to cover, as {@code com.example.*}; all if there is none. */
  public abstract ListProperty<String> getIncludes();

  /** Classes not to cover. */
  public abstract ListProperty<String> getExcludes();

  /** More options of the agent. */
  public abstract ListProperty<String> getAgentOptions();

  /** Classes that do not count in reports and rules. */
  public abstract ListProperty<String> getReportExcludes();

  /** Rules for code that compilers add. */
  public abstract Property<String> getFilters();

  /** Files of reports: HTML, XML, CSV, LCOV, COBERTURA, SARIF. */
  public abstract ListProperty<String> getFormats();

  /** Limits for the tests of the suite {@code test}; with one, {@code check} keeps them. */
  public abstract ListProperty<CoverageRule> getRules();

  /** Probes, coverage and passes for the classes of the main source set. */
  @Nested
  public abstract Weaving getWeave();

  /** Adds a rule. */
  public void rule(Action<? super CoverageRule> action) {
    CoverageRule rule = new CoverageRule();
    action.execute(rule);
    getRules().add(rule);
  }

  /** Says what is woven. */
  public void weave(Action<? super Weaving> action) {
    action.execute(getWeave());
  }
}
