/** The time of a request is spent somewhere below it. */
public class Downstream {
  static void request() throws InterruptedException {
    check();
    price();
  }

  static void check() throws InterruptedException {
    Thread.sleep(1);
  }

  static void price() throws InterruptedException {
    rates();
  }

  static void rates() throws InterruptedException {
    Thread.sleep(25);
  }

  static void turn() throws InterruptedException {
    request();
  }
}
