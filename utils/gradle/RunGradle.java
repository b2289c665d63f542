// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gradle.api.internal.StartParameterInternal;
import org.gradle.api.logging.LogLevel;
import org.gradle.api.logging.configuration.WarningMode;
import org.gradle.initialization.DefaultBuildCancellationToken;
import org.gradle.initialization.DefaultBuildRequestContext;
import org.gradle.initialization.DefaultBuildRequestMetaData;
import org.gradle.initialization.NoOpBuildEventConsumer;
import org.gradle.internal.buildoption.Option;
import org.gradle.internal.buildprocess.BuildProcessState;
import org.gradle.internal.classpath.ClassPath;
import org.gradle.internal.instrumentation.agent.AgentStatus;
import org.gradle.internal.logging.LoggingManagerInternal;
import org.gradle.internal.logging.services.DefaultLoggingManagerFactory;
import org.gradle.internal.logging.services.LoggingServiceRegistry;
import org.gradle.internal.nativeintegration.services.NativeServices;
import org.gradle.internal.nativeintegration.services.NativeServices.NativeServicesMode;
import org.gradle.internal.service.ServiceRegistry;
import org.gradle.launcher.exec.BuildActionResult;
import org.gradle.launcher.exec.BuildExecutor;
import org.gradle.launcher.exec.DefaultBuildActionParameters;
import org.gradle.tooling.internal.provider.action.ExecuteBuildAction;

/**
 * Runs a build of Gradle in this process, in the folder where it stands, with the configuration
 * cache and the build cache: {@code RunGradle [-Pkey=value]... TASK...}. Its exit status is 1 if
 * the build failed. Gradle's own launcher is in none of the jars that registries have.
 */
public final class RunGradle {
  public static void main(String[] arguments) throws Exception {
    File home = new File(System.getProperty("gradle.user.home"));
    ServiceRegistry logging = LoggingServiceRegistry.newCommandLineProcessLogging();
    NativeServices.initializeOnDaemon(home, NativeServicesMode.fromSystemProperties());
    LoggingManagerInternal log = logging.get(DefaultLoggingManagerFactory.class).create();
    log.setLevelInternal(LogLevel.LIFECYCLE);
    log.captureSystemSources();
    log.attachSystemOutAndErr();
    log.start();
    BuildProcessState state = new BuildProcessState(true, AgentStatus.disabled(),
        ClassPath.EMPTY, logging, NativeServices.getInstance());
    StartParameterInternal start = new StartParameterInternal();
    start.setGradleUserHomeDir(home);
    start.setCurrentDir(new File(".").getCanonicalFile());
    start.setConfigurationCache(Option.Value.value(true));
    start.setBuildCacheEnabled(true);
    start.setWarningMode(WarningMode.All);
    Map<String, String> properties = new HashMap<>();
    List<String> tasks = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.startsWith("-P")) {
        String[] parts = argument.substring(2).split("=", 2);
        properties.put(parts[0], parts[1]);
      } else {
        tasks.add(argument);
      }
    }
    start.setProjectProperties(properties);
    start.setTaskNames(tasks);
    BuildActionResult result = state.getServices().get(BuildExecutor.class).execute(
        new ExecuteBuildAction(start),
        new DefaultBuildActionParameters(System.getProperties(), System.getenv(),
            start.getCurrentDir(), LogLevel.LIFECYCLE, false, ClassPath.EMPTY),
        new DefaultBuildRequestContext(
            new DefaultBuildRequestMetaData(System.currentTimeMillis()),
            new DefaultBuildCancellationToken(), new NoOpBuildEventConsumer()));
    if (result.getException() != null) {
      result.getException().printStackTrace();
    }
    state.close();
    log.stop();
    System.exit(result.hasFailure() ? 1 : 0);
  }
}
