// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps all events until it is cleared, in the order in which their threads
 * came here. Keeping one takes no lock.
 */
public final class LogEventHandler extends Named
    implements TimerEventHandler, Iterable<TimerEvent> {
  private static final int EVENTS = 4096;

  /** A part of the log: for each event its time, then what it is. */
  private static final class Chunk {
    final AtomicLongArray data = new AtomicLongArray(2 * EVENTS);
    final AtomicInteger used = new AtomicInteger();
    final AtomicReference<Chunk> next = new AtomicReference<>();
  }

  /** First and last chunk of a log; clear() begins a new one. */
  private static final class Log {
    final Chunk first = new Chunk();
    final AtomicReference<Chunk> last = new AtomicReference<>(first);
  }

  private volatile Log log = new Log();

  LogEventHandler(TimerFactory factory, String name) {
    super(factory, name);
  }

  @Override
  public void notify(TimerEvent event) {
    Log current = log;
    for (; ; ) {
      Chunk chunk = current.last.get();
      int index =
          chunk.used.get() < EVENTS ? chunk.used.getAndIncrement() : EVENTS;
      if (index < EVENTS) {
        chunk.data.lazySet(2 * index, event.time());
        // Not zero: what is zero was taken but is not yet written.
        long what = 2L * event.timer().id() + event.type().ordinal() + 1;
        chunk.data.set(2 * index + 1, what);
        return;
      }
      if (chunk.next.get() == null) {
        chunk.next.compareAndSet(null, new Chunk());
      }
      current.last.compareAndSet(chunk, chunk.next.get());
    }
  }

  /** Forgets all events. */
  public void clear() {
    log = new Log();
  }

  /**
   * The events so far.
   *
   * @return an iterator over a copy
   */
  @Override
  public Iterator<TimerEvent> iterator() {
    TimerEvent.TimerEventType[] types = TimerEvent.TimerEventType.values();
    List<TimerEvent> events = new ArrayList<>();
    for (Chunk chunk = log.first; chunk != null; chunk = chunk.next.get()) {
      for (int i = 0; i < EVENTS; i++) {
        long what = chunk.data.get(2 * i + 1);
        if (what != 0) {
          Timer timer =
              (Timer) factory().getControllable((int) ((what - 1) / 2));
          events.add(
              new TimerEvent(
                  timer, types[(int) ((what - 1) % 2)], chunk.data.get(2 * i)));
        }
      }
    }
    return events.iterator();
  }

  /**
   * Prints the events: microseconds since the first one, what began
   * ({@code >>}) and what ended ({@code <<}, with the microseconds it took),
   * indented by depth.
   *
   * @param out where to
   * @param message the headline
   */
  public void display(PrintStream out, String message) {
    out.println("Displaying contents of " + this + ": " + message);
    List<TimerEvent> open = new ArrayList<>();
    Long start = null;
    for (TimerEvent event : this) {
      long time = event.time() / 1000;
      start = start == null ? time : start;
      String what = ">> " + event.timer().name();
      if (event.type() == TimerEvent.TimerEventType.EXIT) {
        what = "<< " + event.timer().name();
        int begin = open.size() - 1;
        while (begin >= 0 && open.get(begin).timer() != event.timer()) {
          begin--;
        }
        // The log may have begun between begin and end.
        if (begin >= 0) {
          what += "[" + (event.time() - open.get(begin).time()) / 1000 + "]";
          open.remove(begin);
        }
      }
      char[] indent = new char[3 * open.size()];
      Arrays.fill(indent, ' ');
      out.println(
          String.format("%8d: ", time - start) + new String(indent) + what);
      if (event.type() == TimerEvent.TimerEventType.ENTER) {
        open.add(event);
      }
    }
  }
}
