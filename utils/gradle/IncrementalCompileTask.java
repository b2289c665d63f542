// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package org.gradle.internal.compiler.java;

import java.util.Locale;
import javax.annotation.processing.Processor;
import javax.tools.JavaCompiler;

/**
 * In the place of a class of Gradle that no registry has: compiles, and tells nothing of which
 * source a class is from, so Gradle compiles all of a project again.
 */
public class IncrementalCompileTask implements JavaCompiler.CompilationTask {
  private final JavaCompiler.CompilationTask task;

  public IncrementalCompileTask(
      JavaCompiler.CompilationTask task, Object a, Object b, Object c, Object d, Object e) {
    this.task = task;
  }

  @Override
  public void addModules(Iterable<String> names) {
    task.addModules(names);
  }

  @Override
  public void setProcessors(Iterable<? extends Processor> processors) {
    task.setProcessors(processors);
  }

  @Override
  public void setLocale(Locale locale) {
    task.setLocale(locale);
  }

  @Override
  public Boolean call() {
    return task.call();
  }
}
