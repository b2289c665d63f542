/** Takes long until it begins to work. */
public class SlowStart {
  static void readSettings() throws InterruptedException {
    Thread.sleep(5);
  }

  static void fillCache() throws InterruptedException {
    Thread.sleep(60);
  }

  static void start() throws InterruptedException {
    readSettings();
    fillCache();
  }

  static void turn() {}

  public static void main(String[] args) throws InterruptedException {
    start();
  }
}
