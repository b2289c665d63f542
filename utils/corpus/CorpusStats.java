//===- utils/corpus/CorpusStats.java - what a corpus holds ----------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts classes, methods with code, code bytes and bytes of class files in
// folders and archives (not nested ones). Run it as a single source file:
//   java CorpusStats.java NAME=PATH...
// Prints one line per NAME and the sum.
//
//===----------------------------------------------------------------------===//

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

final class CorpusStats {
  private static final String ROW = "%-14s %9s %9s %12s %12s%s%n";

  private long classes, methods, codeBytes, bytes, unreadable;

  public static void main(String[] args) throws IOException {
    System.out.printf(ROW, "corpus", "classes", "methods", "code bytes",
                      "bytes", "");
    CorpusStats sum = new CorpusStats();
    for (String arg : args) {
      int eq = arg.indexOf('=');
      if (eq < 0)
        throw new IllegalArgumentException("expected NAME=PATH: " + arg);
      CorpusStats one = new CorpusStats();
      one.add(Path.of(arg.substring(eq + 1)));
      one.print(arg.substring(0, eq));
      sum.classes += one.classes;
      sum.methods += one.methods;
      sum.codeBytes += one.codeBytes;
      sum.bytes += one.bytes;
    }
    sum.print("sum");
  }

  private void print(String name) {
    System.out.printf(ROW, name, classes, methods, codeBytes, bytes,
                      unreadable == 0 ? "" : "  unreadable: " + unreadable);
  }

  private void add(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      List<Path> files;
      try (Stream<Path> walk = Files.walk(path)) {
        files = walk.filter(Files::isRegularFile).sorted().toList();
      }
      for (Path file : files)
        add(file);
      return;
    }
    String name = path.toString();
    if (name.endsWith(".class")) {
      count(Files.readAllBytes(path));
    } else if (name.endsWith(".jar")) {
      try (ZipFile zip = new ZipFile(path.toFile())) {
        for (ZipEntry entry : Collections.list(zip.entries()))
          if (entry.getName().endsWith(".class"))
            count(zip.getInputStream(entry).readAllBytes());
      }
    }
  }

  private void count(byte[] file) {
    bytes += file.length;
    ++classes;
    try {
      countMethods(ByteBuffer.wrap(file));
    } catch (RuntimeException e) {
      ++unreadable;
    }
  }

  /** Walks one class file; the only thing looked at is the size of Code. */
  private void countMethods(ByteBuffer in) {
    if (in.getInt() != 0xCAFEBABE)
      throw new IllegalArgumentException("no class file");
    in.getInt();
    int poolSize = in.getShort() & 0xFFFF;
    boolean[] isCode = new boolean[poolSize];
    for (int i = 1; i < poolSize; ++i) {
      int tag = in.get();
      switch (tag) {
      case 1 -> {
        byte[] text = new byte[in.getShort() & 0xFFFF];
        in.get(text);
        isCode[i] = text.length == 4 && text[0] == 'C' && text[1] == 'o' &&
                    text[2] == 'd' && text[3] == 'e';
      }
      case 3, 4, 9, 10, 11, 12, 17, 18 -> skip(in, 4);
      case 5, 6 -> {
        skip(in, 8);
        ++i;
      }
      case 7, 8, 16, 19, 20 -> skip(in, 2);
      case 15 -> skip(in, 3);
      default -> throw new IllegalArgumentException("pool tag " + tag);
      }
    }
    skip(in, 6);
    skip(in, 2 * (in.getShort() & 0xFFFF));
    for (int fields = in.getShort() & 0xFFFF; fields > 0; --fields)
      member(in, isCode);
    for (int count = in.getShort() & 0xFFFF; count > 0; --count)
      member(in, isCode);
  }

  private void member(ByteBuffer in, boolean[] isCode) {
    skip(in, 6);
    for (int count = in.getShort() & 0xFFFF; count > 0; --count) {
      int name = in.getShort() & 0xFFFF;
      int length = in.getInt();
      if (isCode[name]) {
        ++methods;
        codeBytes += in.getInt(in.position() + 4) & 0xFFFFFFFFL;
      }
      skip(in, length);
    }
  }

  private static void skip(ByteBuffer in, int count) {
    in.position(in.position() + count);
  }
}
