/** More work than one thread of a pool gets done. */
public class PoolStarved {
  private static final java.util.concurrent.ThreadPoolExecutor POOL = pool();

  private static java.util.concurrent.ThreadPoolExecutor pool() {
    java.util.concurrent.ThreadPoolExecutor pool =
        (java.util.concurrent.ThreadPoolExecutor) java.util.concurrent.Executors
            .newFixedThreadPool(1, code -> {
              Thread thread = new Thread(code, "worker");
              thread.setDaemon(true);
              return thread;
            });
    return pool;
  }

  static void mail() {
    POOL.execute(() -> {
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  static void turn() throws InterruptedException {
    for (int i = 0; i < 20; i++)
      mail();
    Thread.sleep(60);
  }
}
