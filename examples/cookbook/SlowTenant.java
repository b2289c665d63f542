/** Loading is fast for one customer and slow for another. */
public class SlowTenant {
  static int load(String tenant, int page) throws InterruptedException {
    if (tenant.equals("acme"))
      Thread.sleep(15);
    return page;
  }

  static void turn() throws InterruptedException {
    load("globex", 1);
    load("acme", 1);
    load("initech", 1);
  }
}
