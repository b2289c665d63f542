// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gradle.api.Action;
import org.gradle.api.Task;

/** Deletes what earlier tests recorded, before a task runs tests again. */
final class DeleteData implements Action<Task> {
  private final File folder;

  DeleteData(File folder) {
    this.folder = folder;
  }

  @Override
  public void execute(Task task) {
    if (!folder.isDirectory()) {
      return;
    }
    try (Stream<Path> below = Files.walk(folder.toPath())) {
      List<Path> all = below.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
      for (Path each : all) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the data of earlier tests cannot be deleted", e);
    }
  }
}
