// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.io.File;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import jopt.boot.record.OurThread;
import jopt.boot.trace.Request;
import jopt.boot.trace.Requests;

/**
 * What {@code jopt record} keeps: the traces of chosen calls, each as a run of its own in a folder, with that of the
 * last call of the method that was not chosen. For any number of threads; a thread of its own writes the runs.
 */
public final class Recorded implements Runnable {
  /** How long the end waits for what is to be written, in milliseconds. */
  private static final long PATIENCE = 30_000;

  /** A call that is over. */
  private static final class Call {
    final Request request;
    final String method;
    final long nanos;
    Event event; // of one that was chosen
    Call other; // beside it

    Call(Request request, String method, long nanos) {
      this.request = request;
      this.method = method;
      this.nanos = nanos;
    }

    void drop() {
      request.drop();
      if (other != null) other.request.drop();
    }
  }

  private final File folder;
  private final long bytes;
  private final AtomicReference<Call> last = new AtomicReference<>();
  private final ArrayDeque<Call> waiting = new ArrayDeque<>();
  private Thread writer;
  private boolean asJson, isOver, isWriting, isAtWork;

  /**
   * None yet.
   *
   * @param folder for the runs
   * @param bytes of memory that traces may take
   */
  public Recorded(String folder, long bytes) {
    this.folder = new File(folder);
    this.bytes = bytes;
  }

  /**
   * Begins to record.
   *
   * @param asJson calls are printed as objects
   */
  public synchronized void begin(boolean asJson) {
    this.asJson = asJson;
    Event.rehearse(asJson);
    String why = Requests.start(bytes);
    if (why != null) {
      Output.undone("nothing is recorded: " + why);
      return;
    }
    isAtWork = true;
    isOver = false;
    writer = OurThread.make(this, "jopt record");
    writer.start();
  }

  /** Writes what is still to be written, and records no more. */
  public void end() {
    synchronized (this) {
      if (!isAtWork) return;
      isAtWork = false;
      isOver = true;
      notifyAll();
      long until = System.nanoTime() + PATIENCE * 1_000_000;
      for (long left; (isWriting || !waiting.isEmpty()) && (left = (until - System.nanoTime()) / 1_000_000) > 0; ) {
        try {
          wait(left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
    }
    long without = Requests.stop();
    last.set(null);
    if (without > 0)
      Output.undone(without + " calls were not recorded: there was no memory left for them; --memory gives more");
  }

  /**
   * A call begins.
   *
   * @return for {@link #end(Object)}
   */
  public Object enter() {
    return Requests.begin();
  }

  /**
   * A call ends.
   *
   * @param begun as {@link #enter} gave it
   * @return null if it was within another one, or is not recorded; else {@link #complete} is to be called
   */
  public Request end(Object begun) {
    if (begun == null) return null;
    Request request = (Request) begun;
    return Requests.end(request) ? request : null;
  }

  /**
   * It is known whether the call is to be kept. If not, perhaps the next one is, and this one beside it.
   *
   * @param request of the call
   * @param method which
   * @param nanos how long it took
   * @param event that is printed when it is written; null: it is not to be kept
   * @param hasExit the event of its exit is still to come
   */
  public void complete(Request request, String method, long nanos, Event event, boolean hasExit) {
    Call call = new Call(request, method, nanos);
    if (event != null) call.event = event.kept(0);
    Requests.complete(hasExit, () -> put(call));
  }

  private void put(Call call) {
    Call before = last.getAndSet(call.event == null ? call : null);
    if (call.event == null) {
      if (before != null) before.drop();
      return;
    }
    if (before != null && before.method.equals(call.method)) call.other = before;
    else if (before != null) before.drop();
    synchronized (this) {
      if (isAtWork) {
        waiting.add(call);
        notifyAll();
        return;
      }
    }
    call.drop();
  }

  @Override
  public void run() {
    while (true) {
      Call call;
      synchronized (this) {
        isWriting = false;
        notifyAll();
        while ((call = waiting.poll()) == null) {
          if (isOver) return;
          try {
            wait();
          } catch (InterruptedException e) {
            // Somebody interrupts all threads there are.
          }
        }
        isWriting = true;
      }
      write(call);
    }
  }

  private void write(Call call) {
    try {
      String run = write(call, "yes");
      String other = call.other == null ? null : write(call.other, "other");
      call.event.run(run, call.request, other, call.other == null ? 0 : call.other.nanos).print(asJson);
    } catch (IOException | RuntimeException e) {
      call.drop();
      Output.undone("a call of " + call.method + " was not written: " + e.getMessage());
    }
  }

  private String write(Call call, String kept) throws IOException {
    String id = call.request.write(folder, "request=" + call.method, "durationMs=" + call.nanos / 1e6, "kept=" + kept);
    return new File(folder, id).getPath();
  }
}
