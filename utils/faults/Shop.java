package shop;

/** What utils/check-faults weaves and runs. */
public class Shop {
  static int price(int n) {
    if (n < 0)
      throw new IllegalArgumentException("no price");
    return n * 3;
  }

  static class Cart {
    int sum;
    void add(int n) { sum += price(n); }
  }

  static class Door {
    static void open() throws Exception {
      System.out.println("ready");
      while (System.in.read() != '\n')
        continue;
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0)
      Door.open();
    Cart cart = new Cart();
    for (int n = 1; n < 5; ++n)
      cart.add(n);
    try {
      price(-1);
    } catch (IllegalArgumentException e) {
      System.out.println("refused");
    }
    System.out.println("sum " + cart.sum);
  }
}
