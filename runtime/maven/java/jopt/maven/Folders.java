// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Date;

/** Data folders, and folders in general. */
final class Folders {
  private static final String RUN = "run.txt";

  private Folders() {}

  /** Whether a folder has the record of a run. */
  static boolean hasRuns(File folder) {
    if (new File(folder, RUN).isFile()) {
      return true;
    }
    File[] runs = folder.listFiles(file -> new File(file, RUN).isFile());
    return runs != null && runs.length > 0;
  }

  /** Deletes the runs in a data folder that began before a time. */
  static void deleteRunsBefore(File folder, Date time) throws IOException {
    File[] runs = folder.listFiles(file -> new File(file, RUN).isFile()
        && new File(file, RUN).lastModified() < time.getTime());
    if (runs != null) {
      for (File run : runs) {
        delete(run.toPath());
      }
    }
  }

  /** Deletes a folder with all in it; nothing if it is not there. */
  static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    Files.walkFileTree(folder, new SimpleFileVisitor<Path>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes of) throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path visited, IOException e)
          throws IOException {
        if (e != null) {
          throw e;
        }
        Files.delete(visited);
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
