/** Some requests take long. */
public class SlowRequests {
  static String handle(String path) throws InterruptedException {
    if (path.startsWith("/report"))
      Thread.sleep(30);
    return "200";
  }

  static void turn() throws InterruptedException {
    handle("/");
    handle("/cart");
    handle("/report/7");
  }
}
