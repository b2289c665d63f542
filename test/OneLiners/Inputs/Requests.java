import java.util.ArrayList;
import java.util.List;

/** Requests that call others often, deep and in vain, on as many threads as are asked for. */
public class Requests {
  static class Desk {
    final String name;

    Desk(String name) {
      this.name = name;
    }

    int handle(String what, int n) {
      if (what.equals("deep")) return deep(n);
      if (what.equals("far")) return ping(n);
      check(what);
      int sum = 0;
      for (int i = 0; i < n; i++) sum += query(i);
      try {
        fail(what);
      } catch (IllegalStateException e) {
        sum++;
      }
      return n > 1 ? sum + handle(what, 1) : sum;
    }

    void check(String what) {}

    int query(int i) {
      return row(i) + row(i);
    }

    int row(int i) {
      return i;
    }

    int deep(int n) {
      return n == 0 ? 0 : 1 + deep(n - 1);
    }

    int ping(int n) {
      return n == 0 ? 0 : 1 + pong(n - 1);
    }

    int pong(int n) {
      return n == 0 ? 0 : 1 + ping(n - 1);
    }

    void fail(String what) {
      throw new IllegalStateException(what);
    }
  }

  static class Maker {
    static List<Object> last;

    static void make() {
      List<Object> made = new ArrayList<>();
      for (int i = 0; i < 10; i++) made.add(new int[100]);
      for (int i = 0; i < 3; i++) made.add(new StringBuilder());
      made.add(new long[2][5]);
      last = made;
    }
  }

  public static void main(String[] args) throws Exception {
    Thread[] all = new Thread[args.length > 0 ? Integer.parseInt(args[0]) : 1];
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : Integer.MAX_VALUE;
    for (int t = 0; t < all.length; t++) {
      Desk desk = new Desk("desk " + t);
      all[t] = new Thread(() -> work(desk, rounds), desk.name);
      all[t].setDaemon(true);
      all[t].start();
    }
    if (rounds < Integer.MAX_VALUE) {
      for (Thread t : all) t.join();
      return;
    }
    System.out.println("ready");
    while (System.in.read() >= 0) {}
  }

  static void work(Desk desk, int rounds) {
    for (int i = 0; i < rounds; i++) {
      desk.handle("order", 5);
      desk.handle("deep", 3000);
      desk.handle("far", 200);
      Maker.make();
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
