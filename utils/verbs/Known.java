package known;

import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Has a shop answer orders on some threads, and checks each answer. It takes commands, a line each:
 * "counts", "look" (what of jopt is in this JVM), and "end".
 */
public final class Known {
  interface Shop {
    /** The answer to the order. */
    int pay(int order) throws Exception;
  }

  /** Within a JVM. */
  static final class Small implements Shop {
    private final Till till = new Till();

    @Override
    public int pay(int order) {
      return till.pay(order);
    }
  }

  private static final int THREADS = 4;
  private static final AtomicInteger ORDERS = new AtomicInteger();
  private static final AtomicLong BEGUN = new AtomicLong(), ANSWERED = new AtomicLong(), WRONG = new AtomicLong();
  private static volatile boolean ends;

  private static void order(Shop shop) {
    int order = ORDERS.incrementAndGet();
    BEGUN.incrementAndGet();
    try {
      int answer = shop.pay(order);
      ANSWERED.incrementAndGet();
      if (answer == Till.expected(order)) return;
      System.err.println("order " + order + ": " + answer + " in place of " + Till.expected(order));
    } catch (Exception e) {
      System.err.println("order " + order + ": " + e);
    }
    WRONG.incrementAndGet();
  }

  private static void counts() {
    System.out.println("counts " + BEGUN + " " + ANSWERED + " " + WRONG);
    System.out.println("end");
  }

  public static void main(String[] args) throws Exception {
    Shop shop = (Shop) Class.forName(args[0]).getDeclaredConstructor().newInstance();
    int pause = Integer.parseInt(args[1]);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread t = new Thread(() -> {
        while (!ends) {
          order(shop);
          try {
            Thread.sleep(pause);
          } catch (InterruptedException e) {
            return;
          }
        }
      }, "customer " + i);
      all.add(t);
      t.start();
    }
    System.out.println("ready");
    for (Scanner in = new Scanner(System.in); in.hasNextLine();) {
      String command = in.nextLine();
      if (command.equals("look")) Left.look();
      else if (command.equals("counts")) counts();
      else break;
    }
    ends = true;
    for (Thread t : all) t.join();
    counts();
    System.exit(0);
  }
}
