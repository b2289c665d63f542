// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;

/** The parameters that all goals have, and how a goal runs a tool of jopt. */
abstract class JoptMojo extends AbstractMojo {
  /** Whether nothing is done. */
  @Parameter(property = "jopt.skip", defaultValue = "false")
  private boolean skip;

  /**
   * Folder of an installed jopt, which has {@code bin} and {@code lib}. Without it the goals use
   * the artifact {@code io.github.jopt:jopt} of this machine's platform.
   */
  @Parameter(property = "jopt.home")
  private File home;

  /** Platform of the artifact, as {@code linux-x86_64}; by default that of this machine. */
  @Parameter(property = "jopt.platform")
  private String platform;

  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  MavenProject project;

  @Parameter(defaultValue = "${session}", readonly = true, required = true)
  MavenSession session;

  @Parameter(defaultValue = "${plugin.version}", readonly = true, required = true)
  private String version;

  @Component
  private RepositorySystem repositories;

  private NativeTools tools;

  @Override
  public final void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      getLog().info("jopt is skipped: skip is set");
      return;
    }
    String reason = reasonToSkip();
    if (reason != null) {
      getLog().info("jopt is skipped: " + reason);
      return;
    }
    run();
  }

  /** The work of the goal. */
  abstract void run() throws MojoExecutionException, MojoFailureException;

  /** Why the goal has nothing to do in this project; null if it has. */
  String reasonToSkip() {
    return null;
  }

  /** The unpacked tools. */
  final NativeTools tools() throws MojoExecutionException {
    if (tools == null) {
      tools = home != null
          ? NativeTools.installed(home)
          : NativeTools.resolve(repositories, session, project, version, platform);
    }
    return tools;
  }

  /**
   * Runs a tool and writes its output to the log.
   *
   * @return its exit status: 0, or 2 if something was left out; other statuses throw
   */
  final int call(String tool, List<String> arguments) throws MojoExecutionException {
    ToolRun run = start(tool, arguments, line -> ToolRun.Level.INFO);
    if (run.status != 0 && run.status != 2) {
      throw new MojoExecutionException(tool + ": " + run.lastError());
    }
    return run.status;
  }

  /** Runs a tool; its output goes to the log, at a level for each line. */
  final ToolRun start(String tool, List<String> arguments,
      Function<String, ToolRun.Level> levelOf) throws MojoExecutionException {
    List<String> command = new ArrayList<>();
    command.add(tools().program(tool).getPath());
    command.addAll(arguments);
    getLog().debug("running " + command);
    return ToolRun.of(command, project.getBasedir(), getLog(), levelOf);
  }

  static List<String> list(String... texts) {
    return new ArrayList<>(Arrays.asList(texts));
  }
}
