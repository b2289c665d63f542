// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.util.Collections;
import jopt.builds.Platform;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.attributes.Attribute;
import org.gradle.api.attributes.Usage;
import org.gradle.api.file.Directory;
import org.gradle.api.file.FileCollection;
import org.gradle.api.plugins.JavaPluginExtension;
import org.gradle.api.plugins.jvm.JvmTestSuite;
import org.gradle.api.plugins.jvm.JvmTestSuiteTarget;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.testing.Test;
import org.gradle.testing.base.TestingExtension;
import org.gradle.util.GradleVersion;

/**
 * Gives the JVMs of tests jopt's agent, reports and checks what they covered, for one project and
 * for several, and weaves or optimises the classes of the main source set.
 *
 * <p>Projects hand each other classes, sources and data as artifacts of configurations, so no
 * project reads another's model.
 */
public abstract class JoptPlugin implements Plugin<Project> {
  private static final Attribute<String> TYPE = Attribute.of("artifactType", String.class);
  private static final String TOOLS = "jopt-tools";
  private static final String CLASSES = "Classes";
  private static final String SOURCES = "Sources";
  private static final String DATA = "Data";

  @Override
  public void apply(Project project) {
    JoptExtension jopt = project.getExtensions().create("jopt", JoptExtension.class);
    jopt.getEnabled().convention(true);
    jopt.getVersion().convention(Version.TEXT);
    jopt.getPlatform().convention(Platform.name());
    jopt.getCoverage().convention("pos");
    jopt.getFilters().convention("jacoco-0.8.16");
    jopt.getFormats().convention(JoptReport.USUAL_FORMATS);
    FileCollection tools = tools(project, jopt);
    project.getTasks().withType(JoptTask.class).configureEach(task -> {
      task.getTools().from(tools);
      task.getFilters().convention(jopt.getFilters());
      task.getExcludes().convention(jopt.getReportExcludes());
    });
    project.getTasks().withType(JoptReport.class).configureEach(
        task -> task.getFormats().convention(jopt.getFormats()));
    project.getTasks().withType(JoptVerification.class).configureEach(
        task -> task.getRules().convention(jopt.getRules()));
    registerAggregate(project);
    project.getPlugins().withId("java", plugin -> applyToJava(project, jopt, tools));
  }

  /** The folder with the unpacked tools, which is found out when a task needs it. */
  private static FileCollection tools(Project project, JoptExtension jopt) {
    project.getDependencies().registerTransform(UnpackTools.class, spec -> {
      spec.getFrom().attribute(TYPE, "jar");
      spec.getTo().attribute(TYPE, TOOLS);
    });
    Configuration tools = project.getConfigurations().create("joptTools", made -> {
      hide(made);
      made.setCanBeConsumed(false);
      made.setDescription("The tools and the agent of jopt for this platform.");
      made.defaultDependencies(all -> all.add(project.getDependencies().create(
          "io.github.jopt:jopt:" + jopt.getVersion().get() + ":"
              + jopt.getPlatform().get() + "@jar")));
    });
    FileCollection unpacked = tools.getIncoming().artifactView(
        view -> view.getAttributes().attribute(TYPE, TOOLS)).getFiles();
    return project.getObjects().fileCollection().from(
        jopt.getHome().map(home -> (Object) home).orElse(unpacked));
  }

  /**
   * Before Gradle 9 {@code assemble} makes what visible configurations offer, so it would run the
   * tests. Later versions do not, warn of the property, and will be without it.
   */
  private static void hide(Configuration made) {
    if (GradleVersion.current().compareTo(GradleVersion.version("9.0")) < 0) {
      made.setVisible(false);
    }
  }

  private static void applyToJava(Project project, JoptExtension jopt, FileCollection tools) {
    SourceSet main = project.getExtensions().getByType(JavaPluginExtension.class)
        .getSourceSets().getByName(SourceSet.MAIN_SOURCE_SET_NAME);
    publish(project, CLASSES, main.getOutput().getClassesDirs());
    publish(project, SOURCES, main.getAllJava().getSourceDirectories());
    Configuration dataElements = elements(project, DATA);
    project.getTasks().withType(Test.class).configureEach(
        test -> giveAgent(project, jopt, tools, test));
    project.getExtensions().getByType(TestingExtension.class).getSuites()
        .withType(JvmTestSuite.class).all(suite -> suite.getTargets().all(
            target -> addTasks(project, jopt, main, dataElements, target)));
    Weaving.apply(project, jopt, main, tools);
  }

  /** A configuration by which a project hands folders of a kind to others. */
  private static Configuration elements(Project project, String kind) {
    return project.getConfigurations().create("jopt" + kind + "Elements", made -> {
      hide(made);
      made.setCanBeResolved(false);
      made.setDescription(kind + " for reports of several projects.");
      made.getAttributes().attribute(Usage.USAGE_ATTRIBUTE,
          project.getObjects().named(Usage.class, "jopt-" + kind));
    });
  }

  /** Hands folders to other projects; which these are is known before the tasks have run. */
  private static void publish(Project project, String kind, FileCollection folders) {
    elements(project, kind).getOutgoing().artifacts(
        project.provider(folders::getFiles), of -> of.builtBy(folders));
  }

  private static Provider<Directory> dataOf(Project project, String test) {
    return project.getLayout().getBuildDirectory().dir("jopt-data/" + test);
  }

  private static void giveAgent(
      Project project, JoptExtension jopt, FileCollection tools, Test test) {
    Provider<Directory> data = dataOf(project, test.getName());
    TestAgent agent = project.getObjects().newInstance(TestAgent.class);
    agent.getEnabled().set(jopt.getEnabled());
    agent.getTools().from(project.provider(() ->
        jopt.getEnabled().get() ? tools : Collections.emptyList()));
    agent.getCoverage().set(jopt.getCoverage());
    agent.getIncludes().set(jopt.getIncludes());
    agent.getExcludes().set(jopt.getExcludes());
    agent.getOptions().set(jopt.getAgentOptions());
    agent.getData().set(data);
    test.getJvmArgumentProviders().add(agent);
    // Data are an output as the results of tests are: a build cache keeps them. By the public
    // type: getOutputs() of the class has a type of Gradle's own.
    Task task = test;
    task.getOutputs().dir(data).withPropertyName("joptData").optional();
    task.doFirst("delete data of jopt", new DeleteData(data.get().getAsFile()));
  }

  /** The report and the verification of one suite of tests. */
  private static void addTasks(Project project, JoptExtension jopt, SourceSet main,
      Configuration dataElements, JvmTestSuiteTarget target) {
    TaskProvider<Test> test = target.getTestTask();
    String name = Character.toUpperCase(test.getName().charAt(0)) + test.getName().substring(1);
    Provider<Directory> data = dataOf(project, test.getName());
    dataElements.getOutgoing().artifact(data, of -> of.builtBy(test));
    project.getTasks().register("jopt" + name + "Report", JoptReport.class, task -> {
      task.setDescription("Reports what the tests of " + test.getName() + " covered.");
      task.getData().from(data).builtBy(test);
      task.getClasses().from(main.getOutput().getClassesDirs());
      task.getSources().from(main.getAllJava().getSourceDirectories());
      task.getTitle().convention(project.getName());
      task.getOutput().convention(
          project.getLayout().getBuildDirectory().dir("reports/jopt/" + test.getName()));
    });
    TaskProvider<JoptVerification> verification = project.getTasks().register(
        "jopt" + name + "Verification", JoptVerification.class, task -> {
      task.setDescription("Checks rules for what the tests of " + test.getName() + " cover.");
      task.getData().from(data).builtBy(test);
      task.getClasses().from(main.getOutput().getClassesDirs());
      task.getSources().from(main.getAllJava().getSourceDirectories());
      task.getTitle().convention(project.getName());
      task.getResult().convention(project.getLayout().getBuildDirectory()
          .file("jopt-rules/" + test.getName() + ".txt"));
    });
    if (test.getName().equals("test")) {
      project.getTasks().named("check").configure(check -> check.dependsOn(
          jopt.getRules().map(rules -> rules.isEmpty()
              ? Collections.emptyList()
              : Collections.singletonList(verification))));
    }
  }

  /** The report of the projects that {@code joptAggregation} names. */
  private static void registerAggregate(Project project) {
    Configuration of = project.getConfigurations().create("joptAggregation", made -> {
      hide(made);
      made.setCanBeConsumed(false);
      made.setCanBeResolved(false);
      made.setDescription("The projects that the aggregate report is about.");
    });
    FileCollection data = parts(project, of, DATA);
    FileCollection classes = parts(project, of, CLASSES);
    FileCollection sources = parts(project, of, SOURCES);
    project.getTasks().register("joptAggregateReport", JoptReport.class, task -> {
      task.setDescription("Reports what the tests of several projects covered.");
      task.getData().from(data);
      task.getClasses().from(classes);
      task.getSources().from(sources);
      task.getTitle().convention(project.getName());
      task.getGroups().convention(true);
      task.getOutput().convention(
          project.getLayout().getBuildDirectory().dir("reports/jopt/aggregate"));
    });
  }

  /** What the projects of a configuration hand out of a kind. */
  private static FileCollection parts(Project project, Configuration of, String kind) {
    return project.getConfigurations().create("jopt" + kind + "Parts", made -> {
      hide(made);
      made.setCanBeConsumed(false);
      made.setTransitive(false);
      made.extendsFrom(of);
      made.getAttributes().attribute(Usage.USAGE_ATTRIBUTE,
          project.getObjects().named(Usage.class, "jopt-" + kind));
    });
  }
}
