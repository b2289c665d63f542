import java.util.*;
import java.util.concurrent.*;

/**
 * Hands tasks to pools from 16 threads, and prints each as the probes are to record it: class|not run|exception|who handed it over. What it
 * measures itself goes to standard error: exception|longest that it waited|shortest that it ran.
 */
public class Jobs {
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());
  static final List<String> times = Collections.synchronizedList(new ArrayList<>());

  static void said(Class<?> type, String notRun, String exception) {
    log.add(type.getName() + "|" + notRun + "|" + exception + "|" + Thread.currentThread().getName());
  }

  /** Fails with its number, so that its row can be told. */
  static class Numbered implements Callable<String> {
    final String number;
    final long handedOver = System.nanoTime();
    Numbered(String number) { this.number = number; }
    @Override public String call() throws Exception {
      long began = System.nanoTime();
      Thread.sleep(5);
      times.add("java.lang.IllegalStateException: " + number + "|" + (began - handedOver) + "|" + (System.nanoTime() - began));
      throw new IllegalStateException(number);
    }
  }

  /** Always the same one. */
  static class Same implements Runnable {
    @Override public void run() {}
  }

  /** Until it is interrupted, or that is over. */
  static class Slow implements Runnable {
    final int ms;
    Slow(int ms) { this.ms = ms; }
    @Override public void run() {
      try {
        Thread.sleep(ms);
      } catch (InterruptedException e) {
        // enough
      }
    }
  }

  /** What it forks is a part of it. */
  static class Sum extends RecursiveTask<Integer> {
    final int n;
    Sum(int n) { this.n = n; }
    @Override protected Integer compute() {
      if (n < 2) return n;
      ForkJoinTask<Integer> half = new Sum(n / 2).fork();
      return new Sum(n - n / 2).compute() + half.join();
    }
  }

  /** Pools whose tasks fork others. */
  static void fork(ForkJoinPool pool, Runnable same) throws Exception {
    pool.invoke(new Sum(100));
    said(Sum.class, "", "");
    CompletableFuture.runAsync(same, pool).get();
    log.add("java.util.concurrent.CompletableFuture$AsyncRun|||main");
    pool.execute(new Slow(100));
    said(Slow.class, "", "");
    pool.shutdown();
    try {
      pool.execute(same);
    } catch (RejectedExecutionException e) {
      said(Same.class, "rejected", e.toString());
    }
  }

  static void work(ExecutorService pool, Runnable same, int thread) throws Exception {
    for (int i = 0; i < 3; i++) {
      String number = thread + "-" + i;
      Future<String> f = pool.submit(new Numbered(number));
      said(Numbered.class, "", "java.lang.IllegalStateException: " + number);
      for (int j = 0; j < 5; j++) {
        pool.execute(same);
        said(Same.class, "", "");
      }
      try {
        f.get();
      } catch (ExecutionException e) {
        // as it said
      }
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    // One that overrides what pools call around tasks.
    ExecutorService other = new ThreadPoolExecutor(2, 2, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
      @Override protected void beforeExecute(Thread t, Runnable r) { super.beforeExecute(t, r); }
      @Override protected void afterExecute(Runnable r, Throwable t) {}
      @Override protected void terminated() { super.terminated(); }
    };
    ForkJoinPool forks = new ForkJoinPool(4);
    ExecutorService[] pools = {pool, other, forks};
    Runnable same = new Same();
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int thread = t;
      all.add(new Thread(() -> {
        try {
          work(pools[thread % 3], same, thread);
        } catch (Throwable e) {
          log.add("unexpected " + e);
        }
      }, "thread " + t));
    }
    for (Thread t : all) t.start();
    for (Thread t : all) t.join();
    fork(forks, same);
    ThreadPoolExecutor narrow = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
    Slow slow = new Slow(600000);
    narrow.execute(slow);
    said(Slow.class, "", "");
    Runnable waits = new Slow(600000);
    narrow.execute(waits);
    said(Slow.class, "removed", "");
    try {
      narrow.execute(same);
    } catch (RejectedExecutionException e) {
      said(Same.class, "rejected", e.toString());
    }
    narrow.remove(waits);
    narrow.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardOldestPolicy());
    narrow.execute(waits);
    said(Slow.class, "removed", "");
    narrow.shutdownNow();
    ScheduledExecutorService later = Executors.newScheduledThreadPool(1, r -> new Thread(r, "later"));
    later.schedule(same, 10, TimeUnit.MILLISECONDS).get();
    log.add("java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask|||later");
    for (ExecutorService e : new ExecutorService[] {pool, other, forks, narrow, later}) {
      e.shutdown();
      e.awaitTermination(60, TimeUnit.SECONDS);
    }
    for (String line : log) System.out.println(line);
    for (String line : times) System.err.println(line);
  }
}
