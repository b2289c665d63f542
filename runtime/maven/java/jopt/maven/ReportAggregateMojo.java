// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.model.Dependency;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Writes one report of several modules: those of this build that the project depends on. Of a
 * dependency with scope {@code test} the data count, and not the classes.
 */
@Mojo(name = "report-aggregate", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class ReportAggregateMojo extends AbstractReport {
  /** Folder of the report. */
  @Parameter(property = "jopt.aggregate.outputDirectory",
      defaultValue = "${project.reporting.outputDirectory}/jopt-aggregate")
  private File outputDirectory;

  /** Whether the project's own classes and data count, too. */
  @Parameter(property = "jopt.aggregate.includeCurrentProject", defaultValue = "false")
  private boolean includeCurrentProject;

  /** Whether all modules of the build count, whatever the project depends on. */
  @Parameter(property = "jopt.aggregate.allModules", defaultValue = "false")
  private boolean allModules;

  @Override
  void run() throws MojoExecutionException {
    List<File> data = new ArrayList<>();
    List<MavenProject> counted = new ArrayList<>();
    String ownData = relative(dataFolder, project);
    for (MavenProject each : session.getProjects()) {
      String scope = scopeOf(each);
      if (scope == null) {
        continue;
      }
      File folder = ownData == null ? dataFolder : new File(each.getBasedir(), ownData);
      if (hasData(folder) && !data.contains(folder)) {
        data.add(folder);
      }
      boolean hasClasses = new File(each.getBuild().getOutputDirectory()).isDirectory();
      if (hasClasses && !scope.equals(Artifact.SCOPE_TEST)) {
        counted.add(each);
      }
    }
    if (data.isEmpty() || counted.isEmpty()) {
      getLog().info("jopt is skipped: no module that " + project.getArtifactId()
          + " depends on has " + (data.isEmpty() ? "data" : "classes"));
      return;
    }
    write(data, counted, outputDirectory, list("-groups"));
  }

  /** The scope in which a module is a dependency; null if it is none. */
  private String scopeOf(MavenProject module) {
    if (module.equals(project)) {
      return includeCurrentProject || allModules ? Artifact.SCOPE_COMPILE : null;
    }
    if (allModules) {
      return Artifact.SCOPE_COMPILE;
    }
    for (Dependency each : project.getDependencies()) {
      if (each.getGroupId().equals(module.getGroupId())
          && each.getArtifactId().equals(module.getArtifactId())) {
        return each.getScope() == null ? Artifact.SCOPE_COMPILE : each.getScope();
      }
    }
    return null;
  }

  /** The path of a file below a project's folder; null if it is elsewhere. */
  private static String relative(File file, MavenProject of) {
    java.nio.file.Path base = of.getBasedir().toPath().toAbsolutePath().normalize();
    java.nio.file.Path path = file.toPath().toAbsolutePath().normalize();
    return path.startsWith(base) ? base.relativize(path).toString() : null;
  }
}
