// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/**
 * What pools of threads are given to do: how long it waited, and how long it ran. The thread of a
 * row is the one that handed it over.
 */
public final class ThreadPools {
  private ThreadPools() {}

  private static final class Pools extends MasterResourceRegistry<Object> {
    Pools() {
      super(new OpenTable<Object>(ThreadPools.class, "Thread Pool", "Name"));
    }

    @Override
    protected String retrieveResourceName(Object pool) {
      if (pool == ForkJoinPool.commonPool()) return "ForkJoinPool.commonPool";
      return pool.getClass().getSimpleName() + "@" + Integer.toHexString(System.identityHashCode(pool));
    }
  }

  private static final Pools pools = new Pools();

  private static final class Tasks extends CallTable {
    final ClassNameColumn type = new ClassNameColumn("Class");
    final LongColumn waited = new LongColumn("Waited (ns)");
    final LongColumn ran = new LongColumn("Ran (ns)");
    final StringColumn worker = new StringColumn("Worker");
    final StringColumn fate = new StringColumn("Not Run");

    Tasks() {
      super(pools.getResourceTable(), "Task", Settings.CALLS);
    }
  }

  private static final Tasks tasks = new Tasks();

  /** One time that an object was handed to a pool. The same object may be handed over again. */
  private static final class Job {
    final int row;
    final int pool;
    final long since = System.nanoTime();
    Job next;
    long worker; // its number; 0: it waits, -1: nobody will run it
    long started;
    Throwable failure;

    Job(int row, int pool) {
      this.row = row;
      this.pool = pool;
    }
  }

  /** The tasks that were handed over and have not ended, oldest first. */
  private static final WeakKeyMap<Object, Job> jobs = new WeakKeyMap<>();

  private static final Object[] locks = new Object[16];

  static {
    for (int i = 0; i < locks.length; i++) locks[i] = new Object();
  }

  private static Object lock(Object task) {
    return locks[System.identityHashCode(task) & locks.length - 1];
  }

  /** Null, and the row is gone, if the task is a value object: nobody would find it again. */
  private static Job add(Object task, Job job) {
    synchronized (lock(task)) {
      Job last = jobs.get(task);
      if (last == null) {
        jobs.put(task, job);
        if (jobs.get(task) == job) return job;
        tasks.deleteRow(job.row);
        return null;
      }
      while (last.next != null) last = last.next;
      last.next = job;
    }
    return job;
  }

  private static void remove(Object task, Job job) {
    synchronized (lock(task)) {
      Job first = jobs.get(task);
      if (first == job) {
        jobs.put(task, job.next);
        return;
      }
      for (Job each = first; each != null; each = each.next) {
        if (each.next == job) each.next = job.next;
      }
    }
  }

  /** The first job of {@code task} that {@code worker} has; 0: that waits in {@code pool}. */
  private static Job find(Object task, long worker, int pool) {
    synchronized (lock(task)) {
      for (Job each = jobs.get(task); each != null; each = each.next) {
        if (each.worker == worker && (worker != 0 || each.pool == pool)) return each;
      }
    }
    return null;
  }

  /** The first job of {@code task} that waits in {@code pool} is {@code worker}'s from now on. */
  private static Job take(Object task, int pool, long worker) {
    synchronized (lock(task)) {
      Job job = find(task, 0, pool);
      if (job != null) job.worker = worker;
      return job;
    }
  }

  /** The same of any pool. */
  private static Job takeAny(Object task, long worker) {
    synchronized (lock(task)) {
      for (Job each = jobs.get(task); each != null; each = each.next) {
        if (each.worker != 0) continue;
        each.worker = worker;
        return each;
      }
    }
    return null;
  }

  @SuppressWarnings("deprecation") // Java 8 has no other.
  private static long numberOf(Thread thread) {
    return thread.getId();
  }

  private static void notRun(Object task, int pool, String why) {
    Job job = take(task, pool, -1);
    if (job == null) return;
    remove(task, job);
    tasks.fate.setValue(job.row, why);
    tasks.closeRow(job.row);
  }

  private static final Nesting nesting = new Nesting();

  /** What the thread is about to hand over in a future. */
  private static final ThreadLocal<Object[]> wrapped =
      new ThreadLocal<Object[]>() {
        @Override
        protected Object[] initialValue() {
          return new Object[1];
        }
      };

  /** Tasks whose results somebody wants: each is handed over in a future. */
  @MethodPattern({
    "java.util.concurrent.AbstractExecutorService:submit(*)",
    "java.util.concurrent.ForkJoinPool:submit(*)",
    "java.util.concurrent.ForkJoinPool:execute(*)"
  })
  public static final class Submit {
    public static void onEnter(@This Object pool, @Param(1) Object task) {
      if (!isScheduler(pool)) wrapped.get()[0] = task == null ? null : task.getClass();
    }

    public static void onExit(@This Object pool) {
      if (!isScheduler(pool)) wrapped.get()[0] = null;
    }
  }

  /** Tasks that are handed over. */
  @MethodPattern("java.util.concurrent.ThreadPoolExecutor:execute(java.lang.Runnable)")
  public static final class Execute {
    public static Object onEnter(@This Object pool, @Param(1) Runnable task) {
      return handOver(pool, task);
    }

    public static void onExit(
        @Param(1) Runnable task, @OnEnterResult Object job, @ThrownException Throwable thrown) {
      if (thrown != null) reject(task, job, thrown);
    }
  }

  /** The JVM's own pool, of the threads that virtual ones run on: it is used where they are none. */
  private static boolean isScheduler(Object pool) {
    return pool instanceof ForkJoinPool
        && ((ForkJoinPool) pool).getFactory().getClass().getName().startsWith("java.lang.");
  }

  private static Object handOver(Object pool, Object task) {
    if (task == null || isScheduler(pool)) return null;
    int parent = pools.getOrCreate(pool);
    int row = tasks.createRow(parent);
    if (Table.shouldIgnoreRow(row)) return null;
    Object[] inner = wrapped.get();
    tasks.type.setValue(row, inner[0] != null ? (Class<?>) inner[0] : task.getClass());
    inner[0] = null;
    return add(task, new Job(row, parent));
  }

  private static void reject(Object task, Object job, Throwable thrown) {
    if (job == null) return;
    remove(task, (Job) job);
    tasks.fate.setValue(((Job) job).row, "rejected");
    tasks.closeRow(((Job) job).row, thrown);
  }

  /** Tasks that a pool of Java 9 to 18 is handed. What tasks fork is theirs. */
  @MethodPattern(
      "java.util.concurrent.ForkJoinPool:externalSubmit(java.util.concurrent.ForkJoinTask)")
  public static final class Fork {
    public static Object onEnter(@This Object pool, @Param(1) Object task) {
      return handOver(pool, task);
    }

    public static void onExit(
        @Param(1) Object task, @OnEnterResult Object job, @ThrownException Throwable thrown) {
      if (thrown != null) reject(task, job, thrown);
    }
  }

  /** The same of later ones. */
  @MethodPattern(
      "java.util.concurrent.ForkJoinPool:poolSubmit(boolean, java.util.concurrent.ForkJoinTask)")
  public static final class ForkSince19 {
    public static Object onEnter(@This Object pool, @Param(2) Object task) {
      return handOver(pool, task);
    }

    public static void onExit(
        @Param(2) Object task, @OnEnterResult Object job, @ThrownException Throwable thrown) {
      if (thrown != null) reject(task, job, thrown);
    }
  }

  /** Tasks of such pools, and what they fork. */
  @MethodPattern("java.util.concurrent.ForkJoinTask:doExec()")
  public static final class RunForked {
    public static Object onEnter(@This Object task) {
      if (jobs.get(task) == null) return null;
      Thread worker = Thread.currentThread();
      Job job = takeAny(task, numberOf(worker));
      if (job == null) return null;
      job.started = System.nanoTime();
      tasks.waited.setValue(job.row, job.started - job.since);
      tasks.worker.setValue(job.row, worker.getName());
      return job;
    }

    public static void onExit(@This Object task, @OnEnterResult Object begun) {
      if (begun == null) return;
      Job job = (Job) begun;
      tasks.ran.setValue(job.row, System.nanoTime() - job.started);
      remove(task, job);
      tasks.closeRow(job.row, ((ForkJoinTask<?>) task).getException());
    }
  }

  /** Such pools that end. */
  @MethodPattern({
    "java.util.concurrent.ForkJoinPool:tryTerminate(boolean, boolean)",
    "java.util.concurrent.ForkJoinPool:awaitTermination(long, java.util.concurrent.TimeUnit)"
  })
  public static final class ForkTerminated {
    public static void onExit(@This Object pool) {
      // It is asked by what was asked.
      if (isScheduler(pool)) return;
      boolean ended = nesting.enter() && ((ForkJoinPool) pool).isTerminated();
      nesting.leave();
      if (ended) pools.closeOnExit(pools.closeOnEnter(pool), null);
    }
  }

  /** Tasks that a pool does not take; who handed them over may have to run them. */
  @MethodPattern("java.util.concurrent.ThreadPoolExecutor:reject(java.lang.Runnable)")
  public static final class Reject {
    public static void onReturn(@This Object pool, @Param(1) Runnable task) {
      notRun(task, pools.get(pool), "rejected");
    }
  }

  /** Tasks that are taken out again. */
  @MethodPattern("java.util.concurrent.ThreadPoolExecutor:remove(java.lang.Runnable)")
  public static final class Remove {
    public static void onReturn(
        @This Object pool, @Param(1) Runnable task, @ReturnValue boolean removed) {
      if (removed) notRun(task, pools.get(pool), "removed");
    }
  }

  /** Tasks that come too late. */
  @MethodPattern("java.util.concurrent.ThreadPoolExecutor:shutdownNow()")
  public static final class Shutdown {
    /** The pool may have ended when this returns. */
    public static int onEnter(@This Object pool) {
      return pools.get(pool);
    }

    public static void onExit(@OnEnterResult int pool, @ReturnValue List<?> left) {
      if (left == null) return;
      for (Object task : left) notRun(task, pool, "removed");
    }
  }

  /** Tasks that begin. One that is to run at some time waits from that time on. */
  @MethodPattern({
    "java.util.concurrent.ThreadPoolExecutor:beforeExecute(java.lang.Thread, java.lang.Runnable)",
    "*:beforeExecute(java.lang.Thread, java.lang.Runnable)"
  })
  @InstanceOf("java.util.concurrent.ThreadPoolExecutor")
  public static final class Begin {
    public static void onEnter(@This Object pool, @Param(2) Runnable task) {
      if (!nesting.enter() || task == null) return;
      int parent = pools.getOrCreate(pool);
      Thread worker = Thread.currentThread();
      Job job = take(task, parent, numberOf(worker));
      long now = System.nanoTime();
      long waited;
      if (job != null) {
        waited = now - job.since;
      } else {
        int row = tasks.createRow(parent);
        if (Table.shouldIgnoreRow(row)) return;
        job = new Job(row, parent);
        job.worker = numberOf(worker);
        if (add(task, job) == null) return;
        tasks.type.setValue(row, task.getClass());
        waited = task instanceof Delayed ? -((Delayed) task).getDelay(TimeUnit.NANOSECONDS) : 0;
      }
      job.started = now;
      tasks.waited.setValue(job.row, waited);
      tasks.worker.setValue(job.row, worker.getName());
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  /** Tasks that end. */
  @MethodPattern({
    "java.util.concurrent.ThreadPoolExecutor:afterExecute(java.lang.Runnable, java.lang.Throwable)",
    "*:afterExecute(java.lang.Runnable, java.lang.Throwable)"
  })
  @InstanceOf("java.util.concurrent.ThreadPoolExecutor")
  public static final class End {
    public static void onEnter(@Param(1) Runnable task, @Param(2) Throwable thrown) {
      if (!nesting.enter() || task == null) return;
      Job job = find(task, numberOf(Thread.currentThread()), 0);
      if (job == null) return;
      remove(task, job);
      tasks.ran.setValue(job.row, System.nanoTime() - job.started);
      tasks.closeRow(job.row, thrown != null ? thrown : job.failure);
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  /** A future keeps what its task throws. */
  @MethodPattern("java.util.concurrent.FutureTask:setException(java.lang.Throwable)")
  public static final class Failure {
    public static void onEnter(@This Object task, @Param(1) Throwable thrown) {
      Job job = find(task, numberOf(Thread.currentThread()), 0);
      if (job != null) job.failure = thrown;
    }
  }

  /** Pools that end. */
  @MethodPattern({"java.util.concurrent.ThreadPoolExecutor:terminated()", "*:terminated()"})
  @InstanceOf("java.util.concurrent.ThreadPoolExecutor")
  public static final class Terminated {
    public static int onEnter(@This Object pool) {
      return pools.closeOnEnter(pool);
    }

    public static void onExit(@OnEnterResult int row, @ThrownException Throwable thrown) {
      pools.closeOnExit(row, thrown);
    }
  }
}
