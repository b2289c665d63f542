// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives chunks to those who record, and ends recording when that cannot go on. Nothing of it is on
 * the way of an event but where a chunk is full.
 */
public final class Recorder {
  // All of one loader: the boot loader, which others ask first, may get the agent's copies later.
  static final Class<?>[] OWN = {
    Chunk.class, DataFolder.class, Definitions.class, FollowedRows.class,
    FollowedRows.Listeners.class, FollowedRows.Row.class, Interned.class, KeptRun.class, Lane.class,
    Lane.Owner.class, Memory.class, OurThread.class, RecordedTable.class, RowListener.class, RunFile.class,
    ThreadTime.class, Version.class, WholeRows.class, WholeRows.Pending.class
  };

  /** Of {@link #reserve}: 10 to 20 KiB. */
  private static final int FRAMES = 100;

  /** How long somebody waits for the lock: who has it may need one that the waiting thread has. */
  private static final long PATIENCE = 2_000_000_000L;

  /** Nothing is recorded any more. */
  public static volatile boolean isOff;

  /** When recording began. */
  public static final long start = System.nanoTime();

  private static final AtomicBoolean lock = new AtomicBoolean();
  private static final AtomicInteger sequence = new AtomicInteger();
  private static DataFolder folder;

  /** Live chunks without a writer. */
  private static ByteBuffer[] free = new ByteBuffer[16];

  private static int freeCount;

  /** Those whose threads ended; their chunks go on where they stopped. */
  private static Chunk[] ended = new Chunk[16];

  private static int endedCount;

  private Recorder() {}

  /**
   * Now.
   *
   * @return nanoseconds since recording began
   */
  public static long now() {
    return System.nanoTime() - start;
  }

  /**
   * Lets others of its kind go on with the chunk of a writer whose thread ended.
   *
   * @param chunk the writer, which writes no more
   */
  public static synchronized void give(Chunk chunk) {
    // Nothing of the JDK is called here: it may have probes.
    if (chunk.at == null) return;
    if (endedCount == ended.length) {
      Chunk[] more = new Chunk[endedCount * 2];
      System.arraycopy(ended, 0, more, 0, endedCount);
      ended = more;
    }
    ended[endedCount++] = chunk;
  }

  private static synchronized Chunk takeEnded(int kind) {
    for (int i = endedCount; i-- > 0; ) {
      Chunk old = ended[i];
      if (old.kind != kind) continue;
      ended[i] = ended[--endedCount];
      ended[endedCount] = null;
      return old;
    }
    return null;
  }

  /**
   * The number of a string, which is defined if need be.
   *
   * @param text the string
   * @return its number; 0 if there are too many already, or it cannot be recorded
   */
  public static int string(String text) {
    return Definitions.string(text, true);
  }

  /**
   * Says something about the record, in it.
   *
   * @param text what
   */
  public static void note(String text) {
    Definitions.note(text);
  }

  /**
   * Takes a lock.
   *
   * @param lock which; setting it to false gives it back
   * @return false if another thread keeps it too long
   */
  public static boolean acquire(AtomicBoolean lock) {
    return acquire(lock, PATIENCE);
  }

  /**
   * The same.
   *
   * @param lock as before
   * @param patience how many nanoseconds are too long
   * @return as before
   */
  public static boolean acquire(AtomicBoolean lock, long patience) {
    long since = System.nanoTime();
    for (int i = 0; !lock.compareAndSet(false, true); i++) {
      if (i > 100 && System.nanoTime() - since > patience) return false;
      Thread.yield();
    }
    return true;
  }

  /** Gives {@code chunk} room; false if what it was to record is lost. */
  static boolean renew(Chunk chunk) {
    boolean isInterrupted = Thread.interrupted();
    try {
      reserve(FRAMES, 1, 2, 3, 4, 5, 6, 7, 8);
      return tryRenew(chunk);
    } catch (Throwable e) {
      failed(e);
      return false;
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }

  /**
   * Takes more stack than it needs to renew a chunk, and gives it back. Where there is less this fails, before
   * anything is half done: a chunk without its header, a class of the JDK whose initialiser failed for good.
   */
  private static long reserve(int n, long a, long b, long c, long d, long e, long f, long g, long h) {
    // All is used behind the call, so that compiled code keeps it too.
    return n == 0 ? a : reserve(n - 1, b, c, d, e, f, g, h, a) + (a ^ b) * (c ^ d) + (e ^ f) * (g ^ h);
  }

  private static boolean tryRenew(Chunk chunk) throws IOException {
    if (isOff) return false;
    if (chunk.isInMemory()) return chunk.renewInMemory();
    if (chunk.at != null) {
      DataFolder f = folder;
      // That of a trace has its length only now; until then it ends where zeros begin.
      chunk.publish(chunk.position);
      if (!f.append(chunk)) return false;
      chunk.begin(chunk.at, sequence.incrementAndGet(), chunk.threadId(), now());
      return true;
    }
    Chunk old = takeEnded(chunk.kind);
    if (old != null) {
      adopt(chunk, old);
      return true;
    }
    ByteBuffer live = takeLive();
    if (live == null) return false;
    chunk.begin(live, sequence.incrementAndGet(), chunk.threadId(), now());
    return true;
  }

  /** {@code chunk} goes on where {@code old} stopped. */
  private static void adopt(Chunk chunk, Chunk old) throws IOException {
    chunk.at = old.at;
    chunk.position = old.position;
    chunk.generation++;
    // Room for the thread's name and any event.
    if (old.position + Chunk.SIZE / 4 <= Chunk.SIZE) chunk.begun();
    else if (folder.append(chunk))
      chunk.begin(chunk.at, sequence.incrementAndGet(), chunk.threadId(), now());
  }

  private static ByteBuffer takeLive() throws IOException {
    if (!acquire(lock)) return null;
    try {
      if (folder == null) {
        folder = DataFolder.make();
      }
      if (freeCount == 0) {
        ByteBuffer[] more = folder.makeLive();
        if (more == null) return null;
        free = more;
        freeCount = more.length;
      }
      return free[--freeCount];
    } finally {
      lock.set(false);
    }
  }

  /**
   * Where the JVM records: one folder for all that it does.
   *
   * @param given where somebody wants it
   * @return null if nothing is recorded yet, or there
   */
  static String elsewhere(String given) {
    DataFolder f = folder;
    return f == null || f.isIn(given) ? null : f.parent();
  }

  /** Ends recording, and says so, if what was recorded is gone. To be called when the program ends. */
  public static void check() {
    DataFolder f = folder;
    try {
      if (f != null && !isOff) f.check();
    } catch (Throwable e) {
      failed(e);
    }
  }

  /**
   * Ends recording, as something could not be recorded.
   *
   * @param e why
   */
  public static void failed(Throwable e) {
    if (e instanceof StackOverflowError) return; // there may be room another time
    stop(reason(e));
  }

  /** The message of {@code e}; that of a failure in {@code java.nio} may be nothing but a path. */
  static String reason(Throwable e) {
    if (!(e instanceof FileSystemException)) return e instanceof IOException ? e.getMessage() : e.toString();
    String why =
        e instanceof FileAlreadyExistsException
            ? "is no folder"
            : e instanceof AccessDeniedException
                ? "permission denied"
                : e instanceof NoSuchFileException ? "does not exist" : ((FileSystemException) e).getReason();
    return why == null ? e.toString() : ((FileSystemException) e).getFile() + ": " + why;
  }

  /** Ends recording and says why, once. */
  static void stop(String why) {
    synchronized (Recorder.class) {
      if (isOff) return;
      isOff = true;
    }
    try {
      System.err.println("jopt: recording has ended: " + why);
    } catch (Throwable e) {
      // Nobody to tell.
    }
  }
}
