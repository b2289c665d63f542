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
import org.apache.maven.project.MavenProject;

/** Puts the data of several modules or machines into one folder or exec file. */
@Mojo(name = "merge", defaultPhase = LifecyclePhase.GENERATE_RESOURCES, threadSafe = true)
public final class MergeMojo extends JoptMojo {
  /** Data folders and exec files; by default {@code target/jopt-data} of each module. */
  @Parameter(property = "jopt.merge.inputs")
  private List<File> inputs;

  /** Output: an exec file of JaCoCo if its name ends with {@code .exec}, else a folder. */
  @Parameter(property = "jopt.merge.output",
      defaultValue = "${project.build.directory}/jopt.exec")
  private File output;

  @Override
  void run() throws MojoExecutionException {
    List<String> command = list("merge");
    for (File each : inputs == null || inputs.isEmpty() ? ofModules() : inputs) {
      if (each.isFile() || Folders.hasRuns(each)) {
        command.add(each.getPath());
      } else {
        getLog().info("no data in " + each);
      }
    }
    if (command.size() == 1) {
      getLog().info("jopt is skipped: there is nothing to merge");
      return;
    }
    File folder = output.getAbsoluteFile().getParentFile();
    if (!folder.isDirectory() && !folder.mkdirs()) {
      throw new MojoExecutionException("the folder " + folder + " cannot be made");
    }
    command.add("-o=" + output);
    if (output.getName().endsWith(".exec")) {
      command.add("-format=exec");
    }
    call("jopt-data", command);
    getLog().info(output + " has the data of " + (command.size() - 2) + " inputs");
  }

  private List<File> ofModules() {
    List<File> all = new ArrayList<>();
    for (MavenProject each : session.getProjects()) {
      all.add(new File(each.getBuild().getDirectory(), "jopt-data"));
    }
    return all;
  }
}
