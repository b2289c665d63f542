// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.logging.Log;

/** A finished run of a tool, whose lines went to the log of the build. */
final class ToolRun {
  int status;
  private volatile String lastError;

  private ToolRun() {}

  /** The last line of standard error, without the tool's name. */
  String lastError() {
    if (lastError == null) {
      return "exit status " + status;
    }
    return lastError.replaceFirst("^(jopt(-data)?: )?(error: )?", "");
  }

  /** How loudly a line is logged. */
  enum Level { INFO, WARNING }

  static ToolRun of(List<String> command, File folder, Log log,
      Function<String, Level> levelOf) throws MojoExecutionException {
    ToolRun run = new ToolRun();
    Process process = null;
    try {
      process = new ProcessBuilder(command).directory(folder).start();
      process.getOutputStream().close();
      Thread errors = copy(process.getErrorStream(), line -> {
        run.lastError = line;
        log.warn(line);
      });
      Thread output = copy(process.getInputStream(), line -> {
        if (levelOf.apply(line) == Level.WARNING) {
          log.warn(line);
        } else {
          log.info(line);
        }
      });
      run.status = process.waitFor();
      errors.join();
      output.join();
      return run;
    } catch (IOException e) {
      throw new MojoExecutionException(
          command.get(0) + " cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted while " + command.get(0) + " ran", e);
    }
  }

  private static Thread copy(InputStream from, Consumer<String> to) {
    Thread thread = new Thread(() -> {
      try (BufferedReader reader = new BufferedReader(
          new InputStreamReader(from, StandardCharsets.UTF_8))) {
        for (String line; (line = reader.readLine()) != null; ) {
          to.accept(line);
        }
      } catch (IOException e) {
        to.accept("the output of the tool was lost: " + e.getMessage());
      }
    }, "jopt-output");
    thread.start();
    return thread;
  }
}
