package known;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** What verbs are asked about: whatever the number of an order is, all values are known. */
public class Till {
  public static class NoItem extends RuntimeException {
    NoItem(String what) {
      super(what);
    }
  }

  private final AtomicInteger audited = new AtomicInteger();
  private final ExecutorService pool = Executors.newSingleThreadExecutor(task -> {
    Thread t = new Thread(task, "audit");
    t.setDaemon(true);
    return t;
  });

  /** What pay returns: -1 for each seventh order, which fails inside. */
  static int expected(int order) {
    return order % 7 == 0 ? -1 : order % 7 * 3 + ("item" + order).length();
  }

  public int pay(int order) {
    try {
      int sum = price(order, "item" + order);
      pool.execute(() -> audit(order, sum));
      return sum;
    } catch (NoItem e) {
      return -1;
    }
  }

  int price(int order, String name) {
    int count = order % 7;
    int[] parts = new int[] {count * 3, name.length()};
    int sum = parts[0] + parts[1];
    if (count == 0) throw new NoItem("order " + order);
    return sum;
  }

  void audit(int order, int sum) {
    audited.incrementAndGet();
  }
}
