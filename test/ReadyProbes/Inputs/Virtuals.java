import java.util.*;
import java.util.concurrent.*;

/** Starts virtual threads in every way from 16 threads; says name, who made it, its end. */
public class Virtuals {
  static final Queue<String> log = new ConcurrentLinkedQueue<>();

  static void work(int n) throws Exception {
    String me = Thread.currentThread().getName();
    for (int i = 0; i < 20; i++) {
      Thread named = Thread.ofVirtual().name("worker " + n + "-" + i).start(() -> Thread.yield());
      named.join();
      log.add("worker " + n + "-" + i + "|worker " + n + "-" + i + "|" + me + "|ended");
    }
    Thread later = Thread.ofVirtual().name("worker unstarted " + n).unstarted(() -> Thread.currentThread().setName("worker renamed " + n));
    later.start();
    later.join();
    log.add("worker unstarted " + n + "|worker renamed " + n + "|" + me + "|ended");
    Thread failing = Thread.ofVirtual().name("worker failing " + n).uncaughtExceptionHandler((t, e) -> {}).start(() -> { throw new IllegalStateException(); });
    failing.join();
    log.add("worker failing " + n + "|worker failing " + n + "|" + me + "|java.lang.IllegalStateException");
    try (ExecutorService e = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("worker pooled " + n + "-", 0).factory())) {
      for (int i = 0; i < 20; i++) {
        e.submit(() -> { Thread.sleep(1); return 0; });
        log.add("worker pooled " + n + "-" + i + "|worker pooled " + n + "-" + i + "|" + me + "|ended");
      }
    }
  }

  public static void main(String[] args) throws Exception {
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int n = t;
      all.add(new Thread(() -> {
        try {
          work(n);
        } catch (Throwable e) {
          log.add("unexpected " + e);
        }
      }, "starter " + t));
    }
    for (Thread t : all) t.start();
    for (Thread t : all) t.join();
    Quiet.await();
    for (String line : log) System.out.println(line);
  }
}
