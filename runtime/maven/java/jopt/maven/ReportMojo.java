// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Writes a report of what the tests of a project covered. */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class ReportMojo extends AbstractReport {
  /** Folder of the report: {@code index.html}, {@code jopt.xml}, {@code jopt.csv}. */
  @Parameter(property = "jopt.report.outputDirectory",
      defaultValue = "${project.reporting.outputDirectory}/jopt")
  private File outputDirectory;

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
  void run() throws MojoExecutionException {
    List<File> data = new ArrayList<>();
    data.add(dataFolder);
    write(data, only(project), outputDirectory, list());
  }
}
