// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.io.File;
import java.nio.file.Path;
import jopt.probes.*;

/**
 * Files: streams, random access and channels, from open to close, and each time that something is
 * read or written. All of it is in classes of the JDK.
 */
public final class Files {
  private static final long MASK =
      Table.LASTING_EVENTS
          | Table.RECORD_THREAD
          | (Boolean.getBoolean("jopt.probes.stacks") ? Table.RECORD_STACK_TRACE : 0);

  private Files() {}

  private static final MasterResourceRegistry<Object> files =
      new MasterResourceRegistry<Object>(Files.class, "File", null, "Path") {
        @Override
        protected String retrieveResourceName(Object file) {
          return null; // from before the probes
        }
      };
  private static final TableLongBytes reads = new TableLongBytes(files, "Read", MASK);
  private static final TableLongBytes writes = new TableLongBytes(files, "Write", MASK);

  /** How many calls that read or write a thread is in: one of them is one of the program. */
  private static final ThreadLocal<int[]> depth =
      new ThreadLocal<int[]>() {
        @Override
        protected int[] initialValue() {
          return new int[1];
        }
      };

  private static int begin(Table table, Object file) {
    if (depth.get()[0]++ != 0) return Table.NO_ROW;
    return table.createRow(files.getOrCreate(file));
  }

  private static void end(TableLongBytes table, int row, long bytes, Throwable thrown) {
    --depth.get()[0];
    table.setBytes(row, bytes);
    table.closeRow(row, thrown);
  }

  private static void opened(long since, Object file, String path, Throwable thrown) {
    // One constructor calls another.
    if (thrown == null && !Table.shouldIgnoreRow(files.get(file))) return;
    files.openOnExit(since, path, thrown == null ? file : null, thrown, FailedEventPolicy.RECORD);
  }

  /** How many bytes one call moved: what it returned, or what it was given. */
  private static long count(Object result, Object first, int length) {
    if (result instanceof Number) return ((Number) result).longValue();
    if (length > 0) return length;
    return first instanceof byte[] ? ((byte[]) first).length : -1;
  }

  /** Streams and random access. */
  @MethodPattern({
    "java.io.FileInputStream:<init>(java.io.File)",
    "java.io.FileOutputStream:<init>(java.io.File, boolean)",
    "java.io.RandomAccessFile:<init>(java.io.File, *)"
  })
  public static final class Open {
    public static long onEnter() {
      return files.openOnEnter();
    }

    public static void onExit(
        @This Object file,
        @Param(1) File path,
        @OnEnterResult long since,
        @ThrownException Throwable thrown) {
      opened(since, file, path == null ? null : path.getPath(), thrown);
    }
  }

  /** Channels; {@code java.nio.file.Files} reads and writes through them. */
  @MethodPattern("sun.nio.fs.UnixChannelFactory:newFileChannel(*)")
  public static final class OpenChannel {
    public static long onEnter() {
      return files.openOnEnter();
    }

    public static void onExit(
        @Params Object[] parameters,
        @OnEnterResult long since,
        @ReturnValue Object channel,
        @ThrownException Throwable thrown) {
      String path = null;
      for (Object each : parameters) {
        if (each instanceof Path) path = each.toString();
      }
      // One calls another; the inner one has failed.
      if (thrown == null || parameters.length == FEWEST) opened(since, channel, path, thrown);
    }

    private static final int FEWEST = 3;
  }

  /** The end of any of them. */
  @MethodPattern({
    "java.io.FileInputStream:close()",
    "java.io.FileOutputStream:close()",
    "java.io.RandomAccessFile:close()",
    "sun.nio.ch.FileChannelImpl:implCloseChannel()"
  })
  public static final class Close {
    public static int onEnter(@This Object file) {
      return files.closeOnEnter(file);
    }

    public static void onExit(@OnEnterResult int row, @ThrownException Throwable thrown) {
      files.closeOnExit(row, thrown);
    }
  }

  /** Calls that read one byte. */
  @MethodPattern({"java.io.FileInputStream:read()", "java.io.RandomAccessFile:read()"})
  public static final class ReadByte {
    public static int onEnter(@This Object file) {
      return begin(reads, file);
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue int value, @ThrownException Throwable thrown) {
      end(reads, row, thrown != null || value < 0 ? -1 : 1, thrown);
    }
  }

  /** Calls that read several. */
  @MethodPattern({
    "java.io.FileInputStream:read(byte[], *)",
    "java.io.FileInputStream:transferTo(*)",
    "java.io.RandomAccessFile:read(byte[], *)",
    "sun.nio.ch.FileChannelImpl:read(*)",
    "sun.nio.ch.FileChannelImpl:transferTo(*)"
  })
  public static final class Read {
    public static int onEnter(@This Object file) {
      return begin(reads, file);
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object count, @ThrownException Throwable thrown) {
      end(reads, row, thrown != null ? -1 : count(count, null, 0), thrown);
    }
  }

  /** Calls that read all there is. */
  @MethodPattern("java.io.FileInputStream:read*Bytes(*)")
  public static final class ReadAll {
    public static int onEnter(@This Object file) {
      return begin(reads, file);
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object bytes, @ThrownException Throwable thrown) {
      long count = bytes instanceof byte[] ? ((byte[]) bytes).length : count(bytes, null, 0);
      end(reads, row, count, thrown);
    }
  }

  /** Calls that write. */
  @MethodPattern({
    "java.io.FileOutputStream:write(*)",
    "java.io.RandomAccessFile:write(*)",
    "sun.nio.ch.FileChannelImpl:write(*)",
    "sun.nio.ch.FileChannelImpl:transferFrom(*)"
  })
  public static final class Write {
    public static int onEnter(@This Object file) {
      return begin(writes, file);
    }

    public static void onExit(
        @Param(1) Object what,
        @Param(3) int length,
        @OnEnterResult int row,
        @ReturnValue Object count,
        @ThrownException Throwable thrown) {
      // A single byte comes as an int, some with where they end.
      long bytes = what instanceof Integer ? 1 : count(count, what, length);
      end(writes, row, thrown != null ? -1 : bytes, thrown);
    }
  }
}
