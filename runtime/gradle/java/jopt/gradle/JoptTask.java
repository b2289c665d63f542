// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.inject.Inject;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.IgnoreEmptyDirectories;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.SkipWhenEmpty;
import org.gradle.process.ExecOperations;

/** Tasks that read recorded data. */
public abstract class JoptTask extends DefaultTask {
  /** The folder with the tools. */
  @InputFiles
  @PathSensitive(PathSensitivity.NONE)
  public abstract ConfigurableFileCollection getTools();

  /** Data folders and exec files. Those without data are left out. */
  @InputFiles
  @SkipWhenEmpty
  @IgnoreEmptyDirectories
  @PathSensitive(PathSensitivity.NONE)
  public abstract ConfigurableFileCollection getData();

  /** Folders and archives of the classes that count. */
  @InputFiles
  @PathSensitive(PathSensitivity.RELATIVE)
  @IgnoreEmptyDirectories
  public abstract ConfigurableFileCollection getClasses();

  /** Folders of their sources. */
  @InputFiles
  @PathSensitive(PathSensitivity.RELATIVE)
  @IgnoreEmptyDirectories
  public abstract ConfigurableFileCollection getSources();

  /** Name of the report. */
  @Input
  public abstract Property<String> getTitle();

  /** Rules for code that compilers add. */
  @Input
  public abstract Property<String> getFilters();

  /** Classes that do not count. */
  @Input
  public abstract ListProperty<String> getExcludes();

  @Inject
  protected abstract ExecOperations getExec();

  public JoptTask() {
    setGroup("verification");
  }

  /** The command, without its verb; null if there is nothing to read. */
  final List<String> arguments() {
    List<String> to = new ArrayList<>();
    for (File each : getData()) {
      if (hasData(each)) {
        to.add(each.getPath());
      }
    }
    int data = to.size();
    for (File each : getClasses()) {
      if (each.exists()) {
        to.add("-classes=" + each);
      }
    }
    if (data == 0 || to.size() == data) {
      getLogger().lifecycle("jopt is skipped: there are no "
          + (data == 0 ? "data" : "classes"));
      return null;
    }
    for (File each : getSources()) {
      if (each.isDirectory()) {
        to.add("-sources=" + each);
      }
    }
    to.add("-name=" + getTitle().get());
    to.add("-filters=" + getFilters().get());
    for (String name : getExcludes().get()) {
      to.add("-exclude=" + name);
    }
    return to;
  }

  /** A finished run of {@code jopt-data}. */
  static final class Run {
    final int status;
    final String output;
    final String errors;

    Run(int status, String output, String errors) {
      this.status = status;
      this.output = output;
      this.errors = errors;
    }
  }

  /** Runs {@code jopt-data}. */
  final Run run(String verb, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(getTools().getSingleFile() + "/bin/jopt-data");
    command.add(verb);
    command.addAll(arguments);
    getLogger().info("running " + command);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status = getExec().exec(spec -> {
      spec.commandLine(command);
      spec.setIgnoreExitValue(true);
      spec.setStandardOutput(output);
      spec.setErrorOutput(errors);
    }).getExitValue();
    return new Run(status, text(output), text(errors));
  }

  /** Throws if a run did not end with 0, or with 2, where it left something out and named it. */
  final void demandSuccess(Run run) {
    if (run.status != 0 && run.status != 2) {
      throw new GradleException(run.errors);
    }
    if (!run.errors.isEmpty()) {
      getLogger().warn(run.errors);
    }
  }

  private static String text(ByteArrayOutputStream bytes) {
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8).trim();
  }

  private static boolean hasData(File file) {
    if (file.isFile()) {
      return true;
    }
    File[] runs = file.listFiles(each -> new File(each, "run.txt").isFile());
    return new File(file, "run.txt").isFile() || runs != null && runs.length > 0;
  }
}
