// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import jopt.maven.ToolRun.Level;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Fails the build if less is covered than rules ask for. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CheckMojo extends ReportOptions {
  /** A line about a limit that is not kept. */
  private static final String VIOLATION =
      ".*, (less than|the (minimum|maximum) is) [0-9.]+( %)?";

  /**
   * Rules, in the form of JaCoCo's plugin: {@code element}, {@code includes}, {@code excludes}
   * and {@code limits} with {@code counter}, {@code value}, {@code minimum}, {@code maximum}.
   */
  @Parameter
  private List<Rule> rules;

  /** File with rules in JSON, instead of {@code rules}. */
  @Parameter(property = "jopt.check.rulesFile")
  private File rulesFile;

  /** Limits in short, in percent: {@code line:80,branch:70}. */
  @Parameter(property = "jopt.check.min")
  private String min;

  /** Whether the build fails, or the log has a warning. */
  @Parameter(property = "jopt.haltOnFailure", defaultValue = "true")
  private boolean haltOnFailure;

  @Override
  String reasonToSkip() {
    if (!hasData(dataFolder)) {
      return "no data in " + dataFolder;
    }
    return new File(project.getBuild().getOutputDirectory()).isDirectory()
        ? null
        : "no classes in " + project.getBuild().getOutputDirectory();
  }

  @Override
  void run() throws MojoExecutionException, MojoFailureException {
    boolean hasRules = rules != null && !rules.isEmpty();
    if (!hasRules && rulesFile == null && min == null) {
      throw new MojoExecutionException("check wants rules, rulesFile or min");
    }
    if (hasRules && rulesFile != null) {
      throw new MojoExecutionException("check takes rules or rulesFile; give one of them");
    }
    List<String> command = list("check", dataFolder.getPath(),
        "-classes=" + project.getBuild().getOutputDirectory());
    for (String root : project.getCompileSourceRoots()) {
      if (new File(root).isDirectory()) {
        command.add("-sources=" + root);
      }
    }
    command.add("-name=" + project.getName());
    addOptions(command);
    if (min != null) {
      command.add("-min=" + min);
    }
    if (rulesFile != null) {
      command.add("-rules=" + rulesFile);
    } else if (hasRules) {
      command.add("-rules=" + written());
    }
    ToolRun run = start("jopt-data", command, line ->
        line.matches(VIOLATION) ? Level.WARNING : Level.INFO);
    if (run.status == 0 || run.status == 2) {
      getLog().info("all coverage rules are kept");
      return;
    }
    String what = "coverage of " + project.getName() + ": " + run.lastError();
    if (haltOnFailure) {
      throw new MojoFailureException(what);
    }
    getLog().warn(what);
  }

  /** The rules as a file for jopt-data. */
  private File written() throws MojoExecutionException {
    File file = new File(project.getBuild().getDirectory(), "jopt-rules.json");
    try {
      Files.write(file.toPath(), Rule.toJson(rules).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new MojoExecutionException(file + " cannot be written: " + e, e);
    }
    return file;
  }
}
