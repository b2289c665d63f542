public class PriceTest {
  public static void main(String[] args) {
    if (Price.total(3, 20) != 60) throw new AssertionError();
    if (Price.total(4, 20) != 80) throw new AssertionError();
  }
}
