/** Looks whether a result is there instead of waiting for it. */
public class Polling {
  static class Result {
    private final long ready = System.nanoTime() + 20_000_000;

    boolean isReady() {
      return System.nanoTime() > ready;
    }
  }

  static void await(Result result) throws InterruptedException {
    while (!result.isReady())
      Thread.sleep(1);
  }

  static void turn() throws InterruptedException {
    await(new Result());
  }
}
