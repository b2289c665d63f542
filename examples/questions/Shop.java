import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the questions of docs/Questions.md are about. */
public class Shop {
  interface Listener {
    void failed(String why);
  }

  static class Item {}
  static class Pear extends Item {}

  private final Map<Integer, Item> items = new HashMap<>();

  int total(int count, String what) throws InterruptedException {
    Thread.sleep(20);
    if (what.isEmpty())
      return 0;
    return count * 12;
  }

  void open() {
    for (int i = 0; i < 13; i++)
      items.put(i, i < 10 ? new Pear() : new Item());
  }

  Item take(int number) {
    Item item = items.remove(number);
    if (item == null)
      throw new IllegalStateException("no " + number);
    return item;
  }

  int sizes(List<String> names) {
    List<Integer> sizes = new ArrayList<>();
    names.forEach(name -> sizes.add(name.length()));
    return sizes.stream().mapToInt(size -> size * 2).sum();
  }

  void tell(Listener listener) {
    try {
      take(99);
    } catch (IllegalStateException e) {
      listener.failed(e.getMessage());
    }
  }

  static int sign(int n) {
    if (n < 0)
      return -1;
    int one = 0;
    while (n > 0) {
      n -= 2;
      one++;
    }
    return one;
  }

  static void tidy() {
    System.gc();
  }

  public static void main(String[] args) throws Exception {
    Shop shop = new Shop();
    Thread second = new Thread(new Shop()::open);
    second.start();
    shop.open();
    second.join();
    shop.take(7);
    shop.total(3, "pears");
    shop.total(5, "");
    shop.sizes(List.of("pear", "fig"));
    shop.tell(new Listener() {
      @Override public void failed(String why) {}
    });
    sign(3);
    tidy();
  }
}
