// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.io.File;
import java.nio.file.Path;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/**
 * Files: streams, random access and channels, from open to close, and each time that something is
 * read or written. All of it is in classes of the JDK.
 */
public final class Files {
  private Files() {}

  private static final MasterResourceRegistry<Object> files =
      new MasterResourceRegistry<Object>(new OpenTable<Object>(Files.class, "File", "Path")) {
        @Override
        protected String retrieveResourceName(Object file) {
          return null; // from before the probes
        }
      };
  private static final TableLongBytes reads = new TableLongBytes(files, "Read", Settings.CALLS);
  private static final TableLongBytes writes = new TableLongBytes(files, "Write", Settings.CALLS);

  /** The rows of files whose streams gave channels, by these. */
  private static final ObjectRowIndexMap<Object> channels = new ObjectRowIndexMap<>();

  private static final Nesting nesting = new Nesting();

  private static int begin(Table table, Object file) {
    if (!nesting.enter()) return Table.NO_ROW;
    int row = channels.get(file);
    return table.createRow(Table.shouldIgnoreRow(row) ? files.getOrCreate(file) : row);
  }

  private static void end(TableLongBytes table, int row, long bytes, Throwable thrown) {
    nesting.leave();
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
  @MethodPattern({
    "sun.nio.fs.UnixChannelFactory:newFileChannel(*)",
    "sun.nio.fs.UnixChannelFactory:newAsynchronousFileChannel(*)"
  })
  public static final class OpenChannel {
    public static long onEnter() {
      return nesting.enter() ? files.openOnEnter() : Long.MIN_VALUE;
    }

    public static void onExit(
        @Params Object[] parameters,
        @OnEnterResult long since,
        @ReturnValue Object channel,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (since == Long.MIN_VALUE) return;
      String path = null;
      for (Object each : parameters) {
        if (each instanceof Path) path = each.toString();
      }
      opened(since, channel, path, thrown);
    }
  }

  /** Channels of streams: closing one closes the other. */
  @MethodPattern({
    "java.io.FileInputStream:getChannel()",
    "java.io.FileOutputStream:getChannel()",
    "java.io.RandomAccessFile:getChannel()"
  })
  public static final class Channel {
    public static void onReturn(@This Object file, @ReturnValue Object channel) {
      channels.putFirst(channel, files.getOrCreate(file));
    }
  }

  /** The end of any of them. */
  @MethodPattern({
    "java.io.FileInputStream:close()",
    "java.io.FileOutputStream:close()",
    "java.io.RandomAccessFile:close()",
    "sun.nio.ch.FileChannelImpl:implCloseChannel()",
    "sun.nio.ch.SimpleAsynchronousFileChannelImpl:close()"
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

  /** Calls that read all there is; before, they are others that read. */
  @MethodPattern("java.io.FileInputStream:read*Bytes(*)")
  public static final class ReadAllSince12 {
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

  /** The asynchronous channel that this thread works at. */
  private static final ThreadLocal<Object[]> working =
      new ThreadLocal<Object[]>() {
        @Override
        protected Object[] initialValue() {
          return new Object[1];
        }
      };

  /** A thread begins to do what an asynchronous channel was asked for. */
  @MethodPattern("sun.nio.ch.AsynchronousFileChannelImpl:begin()")
  public static final class Begin {
    public static void onReturn(@This Object channel) {
      working.get()[0] = channel;
    }
  }

  /** The operation has ended; its caller learns that later, and may do anything. */
  @MethodPattern("sun.nio.ch.AsynchronousFileChannelImpl:end()")
  public static final class End {
    public static void onEnter() {
      working.get()[0] = null;
    }
  }

  private static final int OTHERS = Integer.MIN_VALUE;

  private static int beginLater(Table table) {
    Object channel = working.get()[0];
    return channel == null ? OTHERS : begin(table, channel);
  }

  /** {@code bytes}: below -1 if the channel was closed meanwhile. */
  private static void endLater(
      TableLongBytes table, int row, Object bytes, Throwable thrown) {
    if (row != OTHERS) end(table, row, Math.max(count(bytes, null, 0), -1), thrown);
  }

  /** What asynchronous channels read. */
  @MethodPattern("sun.nio.ch.IOUtil:read(java.io.FileDescriptor, *)")
  public static final class ReadLater {
    public static int onEnter() {
      return beginLater(reads);
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object bytes, @ThrownException Throwable thrown) {
      endLater(reads, row, bytes, thrown);
    }
  }

  /** What they write. */
  @MethodPattern("sun.nio.ch.IOUtil:write(java.io.FileDescriptor, *)")
  public static final class WriteLater {
    public static int onEnter() {
      return beginLater(writes);
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object bytes, @ThrownException Throwable thrown) {
      endLater(writes, row, bytes, thrown);
    }
  }
}
