// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugins.annotations.Parameter;

/** The parameters of goals that read recorded data. */
abstract class ReportOptions extends JoptMojo {
  /** Folder of the recorded data, or an exec file of JaCoCo. */
  @Parameter(property = "jopt.dataFolder",
      defaultValue = "${project.build.directory}/jopt-data")
  File dataFolder;

  /** Classes that do not count, as {@code com.example.gen.*}. */
  @Parameter(property = "jopt.report.excludes")
  private List<String> excludes;

  /** Annotations of classes and methods that do not count. */
  @Parameter(property = "jopt.report.excludeAnnotations")
  private List<String> excludeAnnotations;

  /**
   * Rules for code that compilers add. The default has the counters of JaCoCo 0.8.16;
   * {@code all} counts the same without that version's faults.
   */
  @Parameter(property = "jopt.filters", defaultValue = "jacoco-0.8.16")
  private String filters;

  /** Whether lines that began and threw are covered, if {@code begun} recorded them. */
  @Parameter(property = "jopt.countBegun", defaultValue = "false")
  private boolean countBegun;

  /** File with a diff: its added lines are what is reported or checked. */
  @Parameter(property = "jopt.changedSince")
  File changedSince;

  /** Whether there is something to read, in a folder or an exec file. */
  static boolean hasData(File data) {
    return data.isFile() || Folders.hasRuns(data);
  }

  final void addOptions(List<String> to) {
    to.add("-filters=" + filters);
    if (excludes != null) {
      for (String name : excludes) {
        to.add("-exclude=" + name);
      }
    }
    if (excludeAnnotations != null) {
      for (String name : excludeAnnotations) {
        to.add("-exclude-annotation=" + name);
      }
    }
    if (countBegun) {
      to.add("-count-begun");
    }
    if (changedSince != null) {
      to.add("-changed-since=" + changedSince);
    }
  }
}
