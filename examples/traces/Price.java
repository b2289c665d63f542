public class Price {
  static int discount(int items) {
    int percent = 0;
    if (items > 10)
      percent = 5;
    return percent;
  }

  static int total(int items, int each) {
    int sum = items * each;
    int off = sum * discount(items) / 100;
    return sum - off;
  }

  public static void main(String[] args) {
    int items = Integer.parseInt(args[0]);
    int price = total(items, 20);
    System.out.println(price);
  }
}
