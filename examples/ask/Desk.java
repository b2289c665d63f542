import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Takes orders. Every tenth one is slow, and one in seven fails: the questions of docs/Questions.md are about it. */
public class Desk {
  static class NoItem extends RuntimeException {
    NoItem(String what) {
      super(what);
    }
  }

  static class Item {
    final String name;
    final int price;

    Item(String name, int price) {
      this.name = name;
      this.price = price;
    }
  }

  static class Order {
    final int id;
    final List<Item> items = new ArrayList<>();

    Order(int id) {
      this.id = id;
      int count = id % 7;
      for (int i = 0; i < count; i++) items.add(new Item("pen", 2 + i));
    }
  }

  static final ThreadLocal<String> REQUEST = new ThreadLocal<>();

  private final ExecutorService pool = Executors.newSingleThreadExecutor(task -> {
    Thread t = new Thread(task, "audit");
    t.setDaemon(true);
    return t;
  });

  int handle(Order order) {
    REQUEST.set("t-" + order.id);
    login("ann", "hunter2");
    int sum = price(order);
    pool.execute(() -> audit(order.id, sum));
    return sum;
  }

  boolean login(String user, String password) {
    return password.startsWith(user);
  }

  int price(Order order) {
    if (order.items.isEmpty()) throw new NoItem("order " + order.id);
    int sum = 0;
    for (Item item : order.items) sum += item.price;
    int percent = discount(order.id);
    return sum - sum * percent / 100;
  }

  int discount(int id) {
    if (id % 10 == 0)
      return search(id);
    return 0;
  }

  /** Slow: it looks at all of them. */
  int search(int id) {
    int found = 0;
    for (int i = 0; i < 200; i++) found = Math.max(found, look(i) % 30);
    pause(30);
    return found;
  }

  int look(int i) {
    return i * 31;
  }

  void audit(int id, int sum) {
    pause(1);
  }

  static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static String request() {
    return REQUEST.get();
  }
}
