package shop;
public class Cart {
  private int sum;
  public int add(int price) {
    if (price < 0)
      throw new IllegalArgumentException("price");
    return sum += price;
  }
  public boolean isEmpty() { return sum == 0; }
}
