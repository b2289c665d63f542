import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Runs the same work again and again, and prints what a pass took of the processor, a line for each
 * batch of passes, some 20 milliseconds: "ns 1.25". A request is a call of handle with ten passes of step in it.
 */
public class Passes {
  static class NoItem extends RuntimeException {}

  static class Desk {
    int stock;

    int handle(int id) {
      int sum = 0;
      for (int i = 0; i < 10; i++) sum += step(id + i, "pen");
      return sum;
    }

    int step(int id, String name) {
      int count = id & 7;
      int sum = stock + count * name.length();
      stock = sum * 31 + id; // the line
      if (id == Integer.MIN_VALUE) throw new NoItem();
      return sum;
    }
  }

  public static void main(String[] args) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Desk desk = new Desk();
    long sum = 0;
    System.out.println("ready");
    while (true) {
      long begin = threads.getCurrentThreadCpuTime();
      long taken = 0;
      int requests = 0;
      while (taken < 20_000_000) {
        for (int end = requests + 200; requests < end; requests++) sum += desk.handle(requests);
        taken = threads.getCurrentThreadCpuTime() - begin;
      }
      System.out.println("ns " + taken / (10.0 * requests) + " " + (sum & 1));
    }
  }
}
