// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.io.BufferedWriter;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;

/** One place to print metrics to. Used by one thread at a time. */
abstract class Writer {
  /** As it was asked for. */
  final String where;

  Writer(String where) {
    this.where = where;
  }

  abstract void write(Samples s) throws IOException;

  void close() {}

  static Writer make(String where) throws IOException {
    int colon = where.indexOf(':');
    String what = colon < 0 ? where : where.substring(0, colon);
    String rest = colon < 0 ? "" : where.substring(colon + 1);
    switch (what) {
      case "jfr":
        return later("FlightWriter", where);
      case "mbean":
        return new BeanWriter(where);
      case "prometheus":
        return new PortWriter(where, rest);
      default:
        Format format = Format.of(what);
        if (format == null)
          throw new IOException(
              "there is none; there are text, csv, json, folded, otlp, jfr, mbean, prometheus:PORT");
        return rest.isEmpty() ? new LineWriter(where, format) : new FileWriter(where, format, rest);
    }
  }

  /** One that is compiled for later Java. */
  private static Writer later(String name, String where) throws IOException {
    try {
      return (Writer)
          Class.forName("jopt.probe." + name).getDeclaredConstructor(String.class).newInstance(where);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IOException("this JVM has none");
    }
  }

  /** That to who follows the probes, else to standard error. */
  static Writer lines(String format) {
    return new LineWriter(format, Format.of(format));
  }

  /** Something was counted. */
  static boolean hasNews(Samples s) {
    for (Samples.Row row : s.rows)
      for (Number n : row.values.values()) if (n.doubleValue() != 0) return true;
    return false;
  }

  /** To who follows the probes, else to standard error. */
  private static final class LineWriter extends Writer {
    private final Format format;
    private boolean isBegun;

    LineWriter(String where, Format format) {
      super(where);
      this.format = format;
    }

    @Override
    void write(Samples s) {
      for (String line : format.lines(s, !isBegun)) Output.println(line);
      isBegun = true;
    }
  }

  /** To a file, behind what is there. */
  private static final class FileWriter extends Writer {
    private final Format format;
    private final File file;
    private final BufferedWriter to;
    private boolean isBegun;

    FileWriter(String where, Format format, String path) throws IOException {
      super(where);
      this.format = format;
      file = new File(path);
      isBegun = file.length() > 0;
      checkOwner(file.toPath());
      to =
          new BufferedWriter(
              new OutputStreamWriter(new FileOutputStream(file, true), StandardCharsets.UTF_8));
    }

    /** Refuses a link or a file that another user has put there. */
    private static void checkOwner(Path path) throws IOException {
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)
          || !path.getFileSystem().supportedFileAttributeViews().contains("unix")) return;
      String owner = String.valueOf(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
      for (String line : Files.readAllLines(Paths.get("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
        // The real user, the effective one, and others.
        String[] users = line.split("\\s+");
        if (users[0].equals("Uid:") && !owner.equals(users[2]) && !owner.equals("0"))
          throw new IOException(path + ": belongs to user " + owner + ", not to user " + users[2]);
      }
    }

    @Override
    void write(Samples s) throws IOException {
      for (String line : format.lines(s, !isBegun)) to.append(line).append('\n');
      isBegun = true;
      to.flush();
    }

    @Override
    void close() {
      try {
        to.close();
      } catch (IOException e) {
        System.err.println("jopt: output " + where + ": " + e.getMessage());
      }
    }
  }
}
