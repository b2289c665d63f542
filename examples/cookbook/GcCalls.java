/** Somebody thinks that the collector needs help. */
public class GcCalls {
  static void tidyUp() {
    System.gc();
  }

  static void turn() throws InterruptedException {
    tidyUp();
    Thread.sleep(200);
  }
}
