// The program that the probe classes of this folder are made for:
//   javac -g -d shop Shop.java
//   jopt -probes=ThisProbe.java -classpath=shop shop -o probed
//   java -cp probed Shop
public class Shop implements Runnable {
  int stock = 3;

  boolean take(String item, int count) {
    if (count > stock) {
      throw new IllegalStateException("only " + stock);
    }
    stock -= count;
    item = null;
    return true;
  }

  static int number(String text) {
    return Integer.parseInt(text);
  }

  static int gift(int count) {
    return count;
  }

  static int strict(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("less than none");
    }
    return count;
  }

  static void rest(long time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      // Then it rests no longer.
    }
  }

  synchronized void order(String item, int count) {
    try {
      take(item, count);
    } catch (IllegalStateException e) {
      take(item, stock);
    }
  }

  @Override
  public void run() {
    order("pen", 2);
    order("ink", 2);
  }

  public static void main(String[] args) {
    new Shop().run();
    rest(20);
    System.out.println(number("12") + ", " + gift(1) + ", " + strict(-1));
  }
}
