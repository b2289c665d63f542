import java.util.concurrent.CountDownLatch;

/** One request waits for something that does not come. */
public class Stuck {
  static class Desk {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    static void handle(int number) throws InterruptedException {
      if (number % 10 == 3)
        NEVER.await();
    }
  }

  private static int number;

  private static void serve() {
    try {
      Desk.handle(number++);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void turn() throws InterruptedException {
    Thread request = new Thread(Stuck::serve, "request " + number);
    request.setDaemon(true);
    request.start();
    Thread.sleep(100);
  }
}
