// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Sets a property, {@code argLine} by default, to an option that gives the JVM of the tests jopt's
 * agent. Surefire and Failsafe read that property; other options in it stay.
 */
@Mojo(name = "prepare-agent", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class PrepareAgentMojo extends JoptMojo {
  private static final String TEST_CLASS_PATH = "maven.test.additionalClasspath";

  /** Property that gets the option. */
  @Parameter(property = "jopt.propertyName", defaultValue = "argLine")
  private String propertyName;

  /** Folder of the recorded data; each JVM has a folder of its own in it. */
  @Parameter(property = "jopt.dataFolder",
      defaultValue = "${project.build.directory}/jopt-data")
  private File dataFolder;

  /** Whether the data of earlier builds stay, and add up with those of this one. */
  @Parameter(property = "jopt.append", defaultValue = "false")
  private boolean append;

  /** Strategy that records coverage: {@code pos}, {@code begun}, {@code edges}, … */
  @Parameter(property = "jopt.coverage", defaultValue = "pos")
  private String coverage;

  /** Classes to cover, as {@code com.example.*}; without it all but those of the JDK. */
  @Parameter(property = "jopt.includes")
  private List<String> includes;

  /** Classes not to cover. */
  @Parameter(property = "jopt.excludes")
  private List<String> excludes;

  /**
   * Whether it is recorded which test reaches what, which needs JUnit's platform. Surefire gets
   * jopt-junit.jar as an additional element of the class path.
   */
  @Parameter(property = "jopt.perTest", defaultValue = "false")
  private boolean perTest;

  /** More options of the agent, as {@code level=info}. */
  @Parameter(property = "jopt.agentOptions")
  private List<String> agentOptions;

  @Override
  String reasonToSkip() {
    return "pom".equals(project.getPackaging()) ? "packaging is pom, which has no tests" : null;
  }

  @Override
  void run() throws MojoExecutionException {
    if (!append) {
      try {
        Folders.deleteRunsBefore(dataFolder, session.getStartTime());
      } catch (IOException e) {
        throw new MojoExecutionException(
            "the data of earlier builds cannot be deleted: " + e, e);
      }
    }
    String own = quoted("-agentpath:" + tools().library("libjopt-agent.so") + "=" + options());
    String old = project.getProperties().getProperty(propertyName);
    String all = old == null || old.trim().isEmpty() ? own : own + " " + old;
    project.getProperties().setProperty(propertyName, all);
    getLog().info(propertyName + " set to " + all);
    if (perTest) {
      addToTestClassPath(tools().library("jopt-junit.jar"));
    }
  }

  private String options() {
    StringBuilder all = new StringBuilder();
    add(all, "coverage", coverage);
    add(all, "data", dataFolder.getAbsolutePath());
    for (String name : orNone(includes)) {
      add(all, "include", name);
    }
    for (String name : orNone(excludes)) {
      add(all, "exclude", name);
    }
    for (String option : orNone(agentOptions)) {
      all.append(',').append(option);
    }
    return all.toString();
  }

  private void addToTestClassPath(File jar) {
    String old = project.getProperties().getProperty(TEST_CLASS_PATH);
    project.getProperties().setProperty(TEST_CLASS_PATH,
        old == null || old.isEmpty() ? jar.getPath() : old + "," + jar);
  }

  private static List<String> orNone(List<String> names) {
    return names == null ? list() : names;
  }

  /** The agent takes two commas for one that belongs to a value. */
  private static void add(StringBuilder to, String key, String value) {
    if (to.length() > 0) {
      to.append(',');
    }
    to.append(key).append('=').append(value.replace(",", ",,"));
  }

  /** As Surefire splits the property. */
  private static String quoted(String argument) {
    if (!argument.matches(".*[\\s\"'\\\\].*")) {
      return argument;
    }
    return argument.indexOf('\'') < 0 ? "'" + argument + "'" : '"' + argument + '"';
  }
}
