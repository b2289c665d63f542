// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Nested;
import org.gradle.api.tasks.OutputFile;
import org.gradle.api.tasks.TaskAction;

/** Fails if a rule is not kept. */
@CacheableTask
public abstract class JoptVerification extends JoptTask {
  /** The rules. */
  @Nested
  public abstract ListProperty<CoverageRule> getRules();

  /** The counters, as jopt-data prints them. */
  @OutputFile
  public abstract RegularFileProperty getResult();

  /** Checks the rules. */
  @TaskAction
  public void verify() {
    List<String> command = arguments();
    if (command == null) {
      return;
    }
    File rules = new File(getTemporaryDir(), "rules.json");
    write(rules, CoverageRule.toJson(getRules().get()));
    command.add("-rules=" + rules);
    Run run = run("check", command);
    if (run.status == 1) {
      throw new GradleException("coverage of " + getTitle().get() + ":\n" + run.output + "\n"
          + run.errors);
    }
    demandSuccess(run);
    write(getResult().get().getAsFile(), run.output + "\n");
  }

  private static void write(File to, String text) {
    try {
      Files.write(to.toPath(), text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(to + " cannot be written", e);
    }
  }
}
