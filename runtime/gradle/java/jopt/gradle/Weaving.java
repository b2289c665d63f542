// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.inject.Inject;
import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileCollection;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.compile.JavaCompile;
import org.gradle.process.ExecOperations;

/**
 * Probes, coverage and passes for the classes of the main source set. The task that compiles them
 * weaves them, so its inputs are those of the classes, and nothing runs if none changed.
 */
public abstract class Weaving {
  /** Probe files, jars and folders of probe classes. */
  public abstract ConfigurableFileCollection getProbes();

  /** Ready probes, as {@code lib:jdbc}. */
  public abstract ListProperty<String> getReadyProbes();

  /** Strategy of coverage. */
  public abstract Property<String> getCoverage();

  /** Letters of a trace. */
  public abstract Property<String> getTrace();

  /** Level of the optimiser: {@code O1}, {@code O2}, {@code Os}, {@code Oz}. */
  public abstract Property<String> getOptimise();

  /** More options of jopt. */
  public abstract ListProperty<String> getArguments();

  /** The options but for probes in files; none if nothing else is asked for. */
  private List<String> options() {
    List<String> to = new ArrayList<>();
    getReadyProbes().get().forEach(name -> to.add("-probes=" + name));
    if (getCoverage().isPresent()) {
      to.add("-coverage=" + getCoverage().get());
    }
    if (getTrace().isPresent()) {
      to.add("-trace=" + getTrace().get());
    }
    if (getOptimise().isPresent()) {
      to.add("-" + getOptimise().get());
    }
    to.addAll(getArguments().get());
    return to;
  }

  static void apply(Project project, JoptExtension jopt, SourceSet main, FileCollection tools) {
    Weaving own = jopt.getWeave();
    Provider<List<String>> options = project.provider(own::options);
    FileCollection used = project.getObjects().fileCollection().from(project.provider(() ->
        own.options().isEmpty() && own.getProbes().isEmpty()
            ? Collections.emptyList()
            : tools));
    project.getTasks().withType(JavaCompile.class).named(main.getCompileJavaTaskName())
        .configure(compile -> {
      // By the public type: getInputs() of the class has a type of Gradle's own.
      Task task = compile;
      task.getInputs().files(own.getProbes()).withPropertyName("joptProbes")
          .withPathSensitivity(PathSensitivity.NONE);
      task.getInputs().files(used).withPropertyName("joptTools")
          .withPathSensitivity(PathSensitivity.NONE);
      task.getInputs().property("joptOptions", options);
      Weave weave = project.getObjects().newInstance(Weave.class);
      weave.getTools().from(used);
      weave.getProbes().from(own.getProbes());
      weave.getOptions().set(options);
      weave.getClasses().set(compile.getDestinationDirectory());
      task.doLast("weave", weave);
    });
  }

  /** Runs jopt on compiled classes. */
  public abstract static class Weave implements Action<Task> {
    public abstract ConfigurableFileCollection getTools();

    public abstract ConfigurableFileCollection getProbes();

    public abstract ListProperty<String> getOptions();

    public abstract DirectoryProperty getClasses();

    @Inject
    protected abstract ExecOperations getExec();

    @Override
    public void execute(Task task) {
      if (getOptions().get().isEmpty() && getProbes().isEmpty()) {
        return;
      }
      List<String> command = new ArrayList<>();
      command.add(getTools().getSingleFile() + "/bin/jopt");
      getProbes().forEach(file -> command.add("-probes=" + file));
      command.addAll(getOptions().get());
      command.add("-in-place");
      command.add(getClasses().get().getAsFile().getPath());
      getExec().exec(spec -> spec.commandLine(command));
    }
  }
}
