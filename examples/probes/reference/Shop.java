// The program that the probes of this folder are made for:
//   javac -g -d shop Shop.java
//   jopt -probes=entry.xml shop -o probed
//   java -cp probed Shop
import java.util.ArrayList;
import java.util.List;

public class Shop {
  private final List<String> sold = new ArrayList<>();
  int stock = 3;

  static int price(String item, int count) {
    int each = item.length();
    return each * count;
  }

  boolean take(String item, int count) {
    if (count > stock)
      throw new IllegalStateException("only " + stock);
    stock -= count;
    sold.add(item);
    return true;
  }

  static int number(String text) {
    int seen = 0;
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    } finally {
      seen++;
    }
  }

  static int gift(int count) {
    return count;
  }

  void order(String item, int count) {
    price(item, count);
    try {
      take(item, count);
    } catch (IllegalStateException e) {
      take(item, stock);
    }
  }

  public static void main(String[] args) {
    Shop shop = new Shop();
    shop.order("pen", 2);
    shop.order("ink", 2);
    number("12");
    number("dozen");
    System.out.println(shop.sold + ", " + shop.stock + " left, "
        + price("pen", 2) + ", " + gift(1) + " for free");
    System.out.println("till: " + new Till().add(2) + ", " + Till.label("pen"));
    Door.pass();
  }
}

/** What the shop takes in. */
class Till {
  private final int[] coins = new int[3];

  int add(int coin) {
    synchronized (coins) {
      coins[coin] += 5;
    }
    int sum = 0;
    for (int i = 0; i < 2; i++)
      sum += coins[coin - i];
    return sum;
  }

  static String label(Object o) {
    return o instanceof String ? (String) o : "none";
  }
}

/** Where customers come in. */
class Door {
  private volatile boolean open;
  private final java.util.concurrent.CountDownLatch opened =
      new java.util.concurrent.CountDownLatch(1);

  static void pass() {
    Door door = new Door();
    door.open = true;
    door.opened.countDown();
    try {
      door.opened.await();
    } catch (InterruptedException e) {
      door.open = false;
    }
  }
}
