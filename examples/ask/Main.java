/** Gives orders to the desk until there is no more input. */
public class Main {
  public static void main(String[] args) throws Exception {
    Desk desk = new Desk();
    Thread customer = new Thread(() -> {
      for (int id = 1; ; id++) {
        try {
          desk.handle(new Desk.Order(id));
        } catch (Desk.NoItem e) {
          // The next one may have items.
        }
        Desk.pause(5);
      }
    }, "customer");
    customer.setDaemon(true);
    customer.start();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      // Until whoever started this has gone.
    }
  }
}
