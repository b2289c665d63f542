// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

/** The files of a run: the chunks that are being written, mapped, and those that are full. */
final class DataFolder {
  /** Chunks that are mapped at a time. */
  private static final int LIVE = 8;

  /** How often the thread may be interrupted that maps them. */
  private static final int TRIES = 1000;

  /** Files that are written at a time; those who write are spread over them. */
  private static final int OUTPUTS = 8;

  private static final long LIMIT = 4L << 30;

  /** Bits of a folder's mode. */
  private static final int OTHERS_WRITE = 02, STICKY = 01000;

  private final File folder;
  private final long limit;
  private final boolean ring;

  /** Full chunks in a file. */
  private final int fileChunks;

  private final AtomicInteger files = new AtomicInteger();
  private final Output[] outputs = new Output[OUTPUTS];
  private final Output definitions = new Output("definitions");

  /** The files with full chunks, oldest first, for a ring. */
  private final ArrayDeque<File> old = new ArrayDeque<>();

  private long total;

  /** A file that full chunks are appended to. */
  private final class Output {
    private final String name;
    private final CRC32 crc = new CRC32();
    private File file;
    private FileOutputStream stream;
    private int chunks;

    Output(String name) {
      this.name = name;
    }

    /** Appends a chunk, as it is: what is mapped needs no copy on its way. */
    synchronized void append(Chunk chunk) throws IOException {
      if (stream == null || chunks == fileChunks) next();
      ByteBuffer bytes = chunk.at;
      try {
        bytes.limit(chunk.position).position(Chunk.HEADER);
        crc.reset();
        crc.update(bytes);
        chunk.complete((int) crc.getValue());
        bytes.clear();
        FileChannel channel = stream.getChannel();
        while (bytes.hasRemaining()) channel.write(bytes);
      } catch (ClosedByInterruptException e) {
        appendCopy(bytes);
      } finally {
        bytes.clear();
      }
      chunks++;
    }

    /** The file was closed, as somebody interrupted the thread: that does not happen to streams. */
    private void appendCopy(ByteBuffer chunk) throws IOException {
      next();
      byte[] bytes = new byte[Chunk.SIZE];
      chunk.clear();
      chunk.get(bytes);
      stream.write(bytes);
    }

    private void next() throws IOException {
      if (stream != null) {
        stream.close();
        if (ring && this != definitions) full(file);
      }
      file = create(name);
      stream = new FileOutputStream(file);
      chunks = 0;
    }
  }

  private DataFolder(File folder, long limit, boolean ring) {
    this.folder = folder;
    this.limit = limit;
    this.ring = ring;
    fileChunks = ring ? (int) Math.max(1, Math.min(64, limit / (32L * Chunk.SIZE))) : 64;
    for (int i = 0; i < OUTPUTS; i++) outputs[i] = new Output("events");
  }

  /** Makes the folder of this run. */
  static DataFolder make() throws IOException {
    String given = System.getProperty("jopt.data.limit", "");
    boolean ring = given.endsWith(",ring");
    long limit = bytes(ring ? given.substring(0, given.length() - 5) : given);
    String name = System.getProperty("jopt.data");
    File all = new File(name == null || name.isEmpty() ? "jopt-data-" + pid() : name);
    File folder = makeRun(all);
    DataFolder made = new DataFolder(folder, limit, ring);
    writeText(folder, limit, ring);
    return made;
  }

  /** The folder of runs. */
  String parent() {
    return folder.getParent();
  }

  boolean isIn(String given) {
    try {
      return Files.isSameFile(new File(given).toPath(), folder.getParentFile().toPath());
    } catch (IOException | RuntimeException e) { // There is none of that name.
      return false;
    }
  }

  /** Makes a folder for a run, which becomes one by its text. */
  static File makeRun(File given) throws IOException {
    File all = given.getAbsoluteFile();
    checkName(all);
    makeFolder(all);
    File folder = new File(all, UUID.randomUUID().toString().replace("-", ""));
    makeFolder(folder);
    checkOthers(all.toPath(), folder.toPath());
    return folder;
  }

  /** Says in a run's folder what the run is; {@code more} are further lines. */
  static void writeText(File folder, long limit, boolean ring, String... more) throws IOException {
    // The program may end at any moment, so the file gets its name when it is complete.
    File text = create(new File(folder, "run.new"));
    RunFile.write(text, folder.getName(), limit, ring, more);
    if (!text.renameTo(new File(folder, "run.txt"))) throw new IOException(text + ": cannot be renamed");
  }

  private static String pid() {
    try {
      return new File("/proc/self").getCanonicalFile().getName();
    } catch (IOException e) {
      return "0";
    }
  }

  /** A size such as {@code 64m}. */
  private static long bytes(String size) throws IOException {
    if (size.isEmpty()) return LIMIT;
    int unit = "kmgt".indexOf(Character.toLowerCase(size.charAt(size.length() - 1)));
    String digits = unit < 0 ? size : size.substring(0, size.length() - 1);
    try {
      long n = Long.parseLong(digits);
      int shift = 10 * (unit + 1);
      if (n > 0 && n <= Long.MAX_VALUE >> shift) return n << shift;
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IOException("jopt.data.limit: '" + size + "' is no size, such as 64m");
  }

  /** Fails if the JVM has no name for {@code folder} in the character set of its locale. */
  private static void checkName(File folder) throws IOException {
    try {
      folder.toPath();
    } catch (InvalidPathException e) {
      String set = System.getProperty("sun.jnu.encoding");
      throw new IOException(
          folder + ": not all of its characters are in " + set + ", the character set of the locale; with LC_ALL=C.UTF-8 they are", e);
    }
  }

  private static void makeFolder(File folder) throws IOException {
    File parent = folder.getParentFile();
    if (parent != null && !parent.isDirectory()) Files.createDirectories(parent.toPath());
    try {
      Files.createDirectory(folder.toPath(), mode(folder.toPath(), "rwx------"));
    } catch (FileAlreadyExistsException e) {
      if (!folder.isDirectory()) throw new IOException(folder + ": is no folder");
    } catch (IOException e) {
      throw new IOException(folder + ": cannot be made: " + Recorder.reason(e), e);
    }
  }

  /** Fails if another user can put something else in the place of {@code own}, which is in {@code all}. */
  private static void checkOthers(Path all, Path own) throws IOException {
    if (!all.getFileSystem().supportedFileAttributeViews().contains("unix")) return;
    int owner = (Integer) Files.getAttribute(all, "unix:uid");
    int mode = (Integer) Files.getAttribute(all, "unix:mode");
    boolean isOpen = (mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0;
    String why =
        owner != 0 && owner != (Integer) Files.getAttribute(own, "unix:uid")
            ? "belongs to user " + owner
            : isOpen ? "can be written by everybody" : null;
    if (why == null) return;
    Files.delete(own);
    throw new IOException(all + ": " + why + ", who could replace what is recorded there");
  }

  private static FileAttribute<?>[] mode(Path path, String permissions) {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }

  static File create(File file) throws IOException {
    Files.createFile(file.toPath(), mode(file.toPath(), "rw-------"));
    return file;
  }

  private File create(String name) throws IOException {
    return create(new File(folder, name + "-" + files.incrementAndGet() + ".jopt"));
  }

  /** Takes {@code n} bytes of what may be written; if there are not that many, recording ends. */
  private boolean reserve(long n) {
    if (take(n)) return true;
    Recorder.stop(folder + ": " + limit + " bytes, the limit (-Djopt.data.limit=), are written");
    return false;
  }

  private synchronized boolean take(long n) {
    while (total + n > limit) {
      File oldest = old.poll();
      if (oldest == null) return false;
      total -= oldest.length();
      oldest.delete();
    }
    total += n;
    return true;
  }

  /** Fails if somebody deleted the folder: files that are open there can still be written, but not found. */
  void check() throws IOException {
    if (!folder.isDirectory()) throw new IOException(folder + ": the folder was deleted while the program ran");
  }

  private synchronized void full(File file) {
    old.add(file);
  }

  /** Appends a full chunk to a file; false if the limit is reached. */
  boolean append(Chunk chunk) throws IOException {
    if (!reserve(Chunk.SIZE)) return false;
    check();
    Output output =
        chunk.kind == Chunk.DEFINITIONS
            ? definitions
            : outputs[System.identityHashCode(chunk) & OUTPUTS - 1];
    output.append(chunk);
    return true;
  }

  /** Maps more chunks; their blocks exist. */
  ByteBuffer[] makeLive() throws IOException {
    if (!reserve((long) LIVE * Chunk.SIZE)) return null;
    File file = create("live");
    try (FileOutputStream f = new FileOutputStream(file)) {
      byte[] zeros = new byte[Chunk.SIZE];
      for (int i = 0; i < LIVE; i++) f.write(zeros);
    }
    MappedByteBuffer mapped = map(file);
    ByteBuffer[] chunks = new ByteBuffer[LIVE];
    for (int i = 0; i < LIVE; i++) {
      mapped.limit((LIVE - i) * Chunk.SIZE).position((LIVE - i - 1) * Chunk.SIZE);
      chunks[i] = mapped.slice();
    }
    return chunks;
  }

  /** Nobody maps who is interrupted, or is so meanwhile. */
  private static MappedByteBuffer map(File file) throws IOException {
    boolean isInterrupted = false;
    try {
      for (int tries = 0; ; tries++) {
        isInterrupted |= Thread.interrupted();
        try (RandomAccessFile f = new RandomAccessFile(file, "rw")) {
          return f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, LIVE * Chunk.SIZE);
        } catch (ClosedByInterruptException e) {
          if (tries == TRIES) throw new IOException(file + ": its thread is interrupted all the time", e);
        }
      }
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }

  /** The parts of this process's command line. */
  static String[] commandLine() {
    byte[] text = new byte[1 << 16];
    int n = 0;
    try (FileInputStream in = new FileInputStream("/proc/self/cmdline")) {
      for (int k; n < text.length && (k = in.read(text, n, text.length - n)) > 0; ) n += k;
    } catch (IOException e) {
      return new String[0];
    }
    return new String(text, 0, n, java.nio.charset.StandardCharsets.UTF_8).split("\0");
  }
}
