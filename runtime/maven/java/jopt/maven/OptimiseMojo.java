// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Optimises the classes of a project before its tests run, so these test the same code. */
@Mojo(name = "optimise", defaultPhase = LifecyclePhase.PROCESS_CLASSES, threadSafe = true)
public final class OptimiseMojo extends AbstractWeave {
  /** Level: {@code O1}, {@code O2}, {@code Os} or {@code Oz}. */
  @Parameter(property = "jopt.level", defaultValue = "O2")
  private String level;

  /** What stays for debuggers: {@code keep}, {@code lines} or {@code none}. */
  @Parameter(property = "jopt.debugInfo", defaultValue = "keep")
  private String debugInfo;

  @Override
  void run() throws MojoExecutionException {
    List<String> options = list("-" + level, "-g=" + debugInfo, "-keep-original=off");
    weave(options);
  }
}
