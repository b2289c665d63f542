import java.util.*;
import java.util.concurrent.*;

/** Starts threads by hand and by a pool, from threads; says name, name at the end, who started it. */
public class Workers {
  static final Queue<String> log = new ConcurrentLinkedQueue<>();

  public static void main(String[] args) throws Exception {
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int n = t;
      Thread outer = new Thread(() -> {
        Thread inner = new Thread(() -> Thread.currentThread().setName("renamed worker " + n), "worker " + n);
        inner.start();
        log.add("worker " + n + "|renamed worker " + n + "|outer " + n + "|ended");
        try {
          inner.join();
        } catch (InterruptedException e) {
          log.add("unexpected " + e);
        }
      }, "outer " + t);
      outer.start();
      all.add(outer);
    }
    for (Thread t : all) t.join();
    ExecutorService pool = Executors.newFixedThreadPool(1, r -> new Thread(r, "pool worker"));
    pool.submit(() -> {}).get();
    log.add("pool worker|pool worker|main|ended");
    pool.shutdown();
    pool.awaitTermination(60, TimeUnit.SECONDS);
    Thread left = new Thread(() -> {
      try {
        Thread.sleep(1000000);
      } catch (InterruptedException e) {
        log.add("unexpected " + e);
      }
    }, "last worker");
    left.setDaemon(true);
    left.start();
    log.add("last worker||main|running");
    // A thread has ended for others before it is through with itself.
    Quiet.await();
    for (String line : log) System.out.println(line);
  }
}
