// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import jopt.boot.record.OurThread;

/**
 * Joins the trees of threads: a task that is handed over within a request is a part of that request when another thread
 * runs it. The request is printed when its last part has ended. For any number of threads; no task is kept alive.
 */
public final class Tasks {
  /** Tasks that wait to be run, of all requests; parts of one request. */
  private static final int WAITING = 100_000, PARTS = 200;

  /** How long a request waits for its parts, in nanoseconds. */
  private static final long PATIENCE = 5_000_000_000L;

  /** A task that was handed over. */
  private static final class Link {
    final Whole of;
    final Tree.Point from;
    final long since = System.nanoTime();

    Link(Whole of, Tree.Point from) {
      this.of = of;
      this.from = from;
    }
  }

  /** A task as the key of a map: itself, whatever its equals says. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object task, ReferenceQueue<Object> queue) {
      super(task, queue);
      hash = System.identityHashCode(task);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object o) {
      return this == o || o instanceof Key && get() != null && get() == ((Key) o).get();
    }
  }

  /** A request with all its parts. */
  static final class Whole {
    private int running;
    private int parts;
    private boolean isOver;
    private int notEnded;
    private Event event; // what is printed at the end; null: nothing
    private boolean asJson;
    private long ended;

    private synchronized boolean begin() {
      if (isOver || parts == PARTS) return false;
      parts++;
      running++;
      return true;
    }

    /** A part has ended, or will never begin. */
    private void end() {
      Event last;
      synchronized (this) {
        if (--running > 0 || event == null) return;
        last = take();
      }
      last.print(asJson);
    }

    /** How many parts were not waited for any more. */
    int notEnded() {
      return notEnded;
    }

    /** Under the lock. */
    private Event take() {
      Event last = event;
      event = null;
      isOver = true;
      return last;
    }
  }

  private final Tree tree;
  private final ConcurrentHashMap<Key, Link> waiting = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
  private final List<Whole> unfinished = new ArrayList<>();
  private Thread watcher; // guarded by it
  /** Threads of pools begin there, which are of no request. */
  private final PerThread<int[]> paused = PerThread.of(() -> new int[1]);

  /**
   * None so far.
   *
   * @param tree of the requests
   */
  public Tasks(Tree tree) {
    this.tree = tree;
  }

  /**
   * A task is handed over, to be run by another thread.
   *
   * @param self on which the method is called: the task, or a thread; else the task is the last of the arguments
   * @param arguments of the method
   */
  public void handOver(Object self, Object[] arguments) {
    Tree.Request here = tree.current();
    if (here == null) return;
    Object task = null;
    for (Object a : arguments) if (a instanceof Runnable || a instanceof ForkJoinTask) task = a;
    if (task == null && (self instanceof Thread || self instanceof ForkJoinTask)) task = self;
    if (task == null || task instanceof ForkJoinWorkerThread || isScheduler(self)) return;
    if (task instanceof Thread && paused.get()[0] > 0) return;
    sweep();
    if (waiting.size() >= WAITING || !here.whole().begin()) {
      here.leaveOut();
      return;
    }
    Link before = waiting.put(new Key(task, gone), new Link(here.whole(), here.point()));
    if (before != null) before.of.end();
  }

  /** The pool on which virtual threads run: the threads are the tasks, not what they are mounted by. */
  private static boolean isScheduler(Object pool) {
    return pool instanceof ForkJoinPool
        && ((ForkJoinPool) pool).getFactory().getClass().getName().startsWith("java.lang.VirtualThread");
  }

  private void sweep() {
    for (Reference<?> r; (r = gone.poll()) != null; ) {
      Link never = waiting.remove(r);
      if (never != null) never.of.end();
    }
  }

  /**
   * A task begins to run on this thread.
   *
   * @param task the object that was handed over
   * @return what {@link #ran} is to be told; null if it is of no request
   */
  public Object runs(Object task) {
    if (task == null || waiting.isEmpty()) return null;
    Link link = waiting.remove(new Key(task, null));
    if (link == null) return null;
    Object begun = tree.part(task.getClass().getName(), link.of, link.from, link.since);
    // Whoever hands over runs it itself: it is a call there.
    if (!tree.isPart(begun)) link.of.end();
    return begun;
  }

  /**
   * The task has run.
   *
   * @param begun what {@link #runs} returned; null is none
   * @param thrown what it threw; null: nothing
   */
  public void ran(Object begun, Throwable thrown) {
    if (begun == null) return;
    boolean isPart = tree.isPart(begun);
    Tree.Request ended = tree.end(begun, thrown);
    if (isPart && ended != null) ended.whole().end();
  }

  /**
   * The same for the task that runs on this thread, where nobody knows what {@link #runs} gave.
   *
   * @param thrown what it threw; null: nothing
   */
  public void ranLast(Throwable thrown) {
    ran(tree.partHere(), thrown);
  }

  /** A thread that this thread starts is of a pool, until {@link #resume}. */
  public void pause() {
    paused.get()[0]++;
  }

  /** Threads are tasks again. */
  public void resume() {
    int[] here = paused.get();
    here[0] = Math.max(0, here[0] - 1);
  }

  /**
   * Prints a request when its parts have ended.
   *
   * @param event of it
   * @param request that has ended
   * @param asJson as {@link Event#print} takes it
   */
  public void print(Event event, Tree.Request request, boolean asJson) {
    Whole w = request.whole();
    boolean isOver;
    synchronized (w) {
      isOver = w.isOver = w.running == 0;
      if (!isOver) {
        w.event = event.kept(0);
        w.asJson = asJson;
        w.ended = System.nanoTime();
      }
    }
    if (isOver) {
      event.print(asJson);
      return;
    }
    synchronized (unfinished) {
      unfinished.removeIf(u -> u.event == null);
      unfinished.add(w);
      if (watcher != null) return;
      watcher = OurThread.make(this::watch, "jopt tasks");
      watcher.start();
    }
  }

  /** Of a thread that looks for requests that have waited for long. */
  private void watch() {
    while (true) {
      synchronized (unfinished) {
        try {
          unfinished.wait(500);
        } catch (InterruptedException e) {
          // Somebody interrupts all threads there are.
        }
        unfinished.removeIf(u -> u.event == null);
        if (watcher != Thread.currentThread()) return;
        if (unfinished.isEmpty()) {
          watcher = null;
          return;
        }
      }
      printLate(System.nanoTime() - PATIENCE);
    }
  }

  /** Prints what is unfinished: its parts had the time to end. */
  private void printLate(long before) {
    List<Whole> late = new ArrayList<>();
    synchronized (unfinished) {
      for (Whole w : unfinished) if (w.event != null && w.ended - before < 0) late.add(w);
      unfinished.removeAll(late);
    }
    for (Whole w : late) {
      Event last;
      synchronized (w) {
        last = w.take();
        w.notEnded = w.running;
      }
      if (last != null) last.print(w.asJson);
    }
  }

  /** The probes leave: prints what is unfinished. */
  public void end() {
    synchronized (unfinished) {
      watcher = null;
      unfinished.notifyAll();
    }
    printLate(System.nanoTime() + 1);
    waiting.clear();
  }
}
