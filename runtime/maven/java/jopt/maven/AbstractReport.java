// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** Goals that write reports. */
abstract class AbstractReport extends ReportOptions {
  /**
   * Which files: {@code HTML}, {@code XML}, {@code CSV}, {@code LCOV}, {@code COBERTURA}, {@code
   * SARIF}.
   */
  @Parameter(property = "jopt.report.formats", defaultValue = "HTML,XML,CSV")
  private List<String> formats;

  /** Name of the report. */
  @Parameter(property = "jopt.report.title", defaultValue = "${project.name}")
  private String title;

  /** File with the totals of all reports so far, which the pages show. */
  @Parameter(property = "jopt.report.history")
  private File history;

  /**
   * Writes the report.
   *
   * @param data folders and exec files
   * @param projects those whose classes and sources count
   * @param more further options
   */
  final void write(List<File> data, List<MavenProject> projects, File to, List<String> more)
      throws MojoExecutionException {
    List<String> command = list("report");
    for (File each : data) {
      command.add(each.getPath());
    }
    for (MavenProject each : projects) {
      File classes = new File(each.getBuild().getOutputDirectory());
      if (classes.isDirectory()) {
        command.add("-classes=" + classes);
      }
    }
    for (MavenProject each : projects) {
      for (String root : each.getCompileSourceRoots()) {
        if (new File(root).isDirectory()) {
          command.add("-sources=" + root);
        }
      }
    }
    command.add("-name=" + title);
    addOptions(command);
    if (!to.isDirectory() && !to.mkdirs()) {
      throw new MojoExecutionException("the folder " + to + " cannot be made");
    }
    for (String format : formats) {
      command.add(option(format.trim(), to));
    }
    if (history != null) {
      command.add("-history=" + history);
    }
    command.addAll(more);
    call("jopt-data", command);
    getLog().info("coverage is reported in " + to);
  }

  private static String option(String format, File to) throws MojoExecutionException {
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
        throw new MojoExecutionException("formats has '" + format
            + "'; there are HTML, XML, CSV, LCOV, COBERTURA and SARIF");
    }
  }

  static List<MavenProject> only(MavenProject project) {
    List<MavenProject> one = new ArrayList<>();
    one.add(project);
    return one;
  }
}
