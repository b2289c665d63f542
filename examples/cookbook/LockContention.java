/** Whoever needs the lock waits for a report that is written under it. */
public class LockContention {
  private static final java.util.concurrent.locks.ReentrantLock LOCK =
      new java.util.concurrent.locks.ReentrantLock();

  static void book() {
    LOCK.lock();
    LOCK.unlock();
  }

  static void report() {
    LOCK.lock();
    try {
      Thread.sleep(30);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      LOCK.unlock();
    }
  }

  static void turn() throws InterruptedException {
    Thread reporter = new Thread(LockContention::report);
    reporter.start();
    Thread.sleep(5);
    book();
    reporter.join();
  }
}
