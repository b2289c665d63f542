// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.util.Collections;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.process.CommandLineArgumentProvider;

/** The option that gives the JVM of tests the agent. */
public abstract class TestAgent implements CommandLineArgumentProvider {
  @Input
  public abstract Property<Boolean> getEnabled();

  @InputFiles
  @PathSensitive(PathSensitivity.NONE)
  public abstract ConfigurableFileCollection getTools();

  @Input
  public abstract Property<String> getCoverage();

  @Input
  public abstract ListProperty<String> getIncludes();

  @Input
  public abstract ListProperty<String> getExcludes();

  @Input
  public abstract ListProperty<String> getOptions();

  /** An output of the task of tests. */
  @Internal
  public abstract DirectoryProperty getData();

  @Override
  public Iterable<String> asArguments() {
    if (!getEnabled().get()) {
      return Collections.emptyList();
    }
    StringBuilder to = new StringBuilder("-agentpath:").append(getTools().getSingleFile())
        .append("/lib/libjopt-agent.so=coverage=").append(getCoverage().get());
    add(to, "data", getData().get().getAsFile().getPath());
    for (String name : getIncludes().get()) {
      add(to, "include", name);
    }
    for (String name : getExcludes().get()) {
      add(to, "exclude", name);
    }
    for (String option : getOptions().get()) {
      to.append(',').append(option);
    }
    return Collections.singletonList(to.toString());
  }

  /** The agent takes two commas for one that belongs to a value. */
  private static void add(StringBuilder to, String key, String value) {
    to.append(',').append(key).append('=').append(value.replace(",", ",,"));
  }
}
