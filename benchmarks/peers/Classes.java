//===- benchmarks/peers/Classes.java - the class files of a run -----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Class files of folders and archives, read into memory in a fixed order. */
final class Classes {
  final List<String> names = new ArrayList<>();
  final List<byte[]> files = new ArrayList<>();
  long bytes;

  /** Class files above this major version are left out. */
  private final int newest;

  Classes(int newest) { this.newest = newest; }

  void add(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      List<Path> inside;
      try (Stream<Path> walk = Files.walk(path)) {
        inside = walk.filter(Files::isRegularFile).sorted().toList();
      }
      for (Path file : inside) {
        if (file.toString().endsWith(".class"))
          add(path.relativize(file).toString(), Files.readAllBytes(file));
        else if (file.toString().endsWith(".jar"))
          addArchive(file);
      }
    } else if (path.toString().endsWith(".class")) {
      add(path.getFileName().toString(), Files.readAllBytes(path));
    } else {
      addArchive(path);
    }
  }

  private void addArchive(Path path) throws IOException {
    try (ZipFile zip = new ZipFile(path.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries()))
        if (entry.getName().endsWith(".class"))
          try (InputStream in = zip.getInputStream(entry)) {
            add(entry.getName(), in.readAllBytes());
          }
    }
  }

  private void add(String name, byte[] file) {
    if (file.length < 10 || (file[6] << 8 | file[7] & 0xFF) > newest)
      return;
    names.add(name);
    files.add(file);
    bytes += file.length;
  }
}
