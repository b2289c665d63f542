// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;

/** The text file that says what a run is. */
final class RunFile {
  private static final String[] SECRET = {
    "password", "passwd", "pwd", "passphrase", "secret", "token", "credential", "apikey", "api-key",
    "api_key", "private"
  };

  private RunFile() {}

  static void write(File file, String run, long limit, boolean ring, String... more) throws IOException {
    StringBuilder text = new StringBuilder();
    long nanos = Recorder.now();
    add(text, "format", String.valueOf(Chunk.FORMAT));
    add(text, "run", run);
    add(text, "jopt", Version.JOPT);
    // The moment from which times in the record count.
    add(text, "start", String.valueOf(System.currentTimeMillis() - nanos / 1_000_000));
    add(text, "limit", String.valueOf(limit));
    add(text, "ring", String.valueOf(ring));
    add(text, "java", System.getProperty("java.version"));
    add(text, "jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    add(text, "folder", System.getProperty("user.dir"));
    for (String line : more) add(text, line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
    for (String part : DataFolder.commandLine()) add(text, "argument", masked(part));
    try (OutputStream out = Files.newOutputStream(file.toPath(), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void add(StringBuilder text, String key, String value) {
    text.append(key).append('=').append(String.valueOf(value).replaceAll("[\\r\\n]", " "));
    text.append('\n');
  }

  /** {@code part} without the value, if its name looks like that of a secret. */
  private static String masked(String part) {
    int equals = part.indexOf('=');
    if (equals < 0) return part;
    String name = part.substring(0, equals).toLowerCase();
    for (String word : SECRET) {
      if (name.contains(word)) return part.substring(0, equals + 1) + "***";
    }
    return part;
  }
}
