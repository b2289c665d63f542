// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.TaskAction;

/** Writes a report of what tests covered. */
@CacheableTask
public abstract class JoptReport extends JoptTask {
  static final List<String> USUAL_FORMATS = Arrays.asList("HTML", "XML", "CSV");

  /** Files to write: HTML, XML, CSV, LCOV, COBERTURA, SARIF. */
  @Input
  public abstract ListProperty<String> getFormats();

  /** Whether XML and CSV have a group for each folder of classes. */
  @Input
  @Optional
  public abstract Property<Boolean> getGroups();

  /** Folder of the report. */
  @OutputDirectory
  public abstract DirectoryProperty getOutput();

  /** Writes the report. */
  @TaskAction
  public void write() {
    List<String> command = arguments();
    if (command == null) {
      return;
    }
    File to = getOutput().get().getAsFile();
    for (String format : getFormats().get()) {
      command.add(option(format, to));
    }
    if (getGroups().getOrElse(false)) {
      command.add("-groups");
    }
    demandSuccess(run("report", command));
  }

  private static String option(String format, File to) {
    switch (format) {
      case "HTML":
        return "-html=" + to;
      case "XML":
        return "-xml=" + new File(to, "jopt.xml");
      case "CSV":
        return "-csv=" + new File(to, "jopt.csv");
      case "LCOV":
        return "-lcov=" + new File(to, "lcov.info");
      case "COBERTURA":
        return "-cobertura=" + new File(to, "cobertura.xml");
      case "SARIF":
        return "-sarif=" + new File(to, "jopt.sarif");
      default:
        throw new GradleException("formats has '" + format
            + "'; there are HTML, XML, CSV, LCOV, COBERTURA and SARIF");
    }
  }
}
