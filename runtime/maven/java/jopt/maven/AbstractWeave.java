// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Parameter;

/** Goals that change the classes of a project, after they are compiled. */
abstract class AbstractWeave extends JoptMojo {
  /** Folder, archive or class file that is changed in place. */
  @Parameter(property = "jopt.classes", defaultValue = "${project.build.outputDirectory}")
  private File classes;

  /** Further options of jopt. */
  @Parameter(property = "jopt.arguments")
  private List<String> arguments;

  @Override
  String reasonToSkip() {
    return classes.exists() ? null : "there is no " + classes;
  }

  /** Runs jopt on the classes. Status 2, where something was left undone, fails the build. */
  final void weave(List<String> options) throws MojoExecutionException {
    List<String> command = list();
    command.addAll(options);
    if (arguments != null) {
      command.addAll(arguments);
    }
    command.add("-in-place");
    command.add(classes.getPath());
    int status = call("jopt", command);
    if (status != 0) {
      throw new MojoExecutionException(
          "jopt ended with status " + status + ": it left out what it names above");
    }
  }
}
