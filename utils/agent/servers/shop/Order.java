package shop;

/** What the application's own loader alone knows. */
public class Order {
  private final int number;
  public Order(int number) { this.number = number; }
  public int number() { return number; }
  public String customer() { return "customer" + number % 7; }
}
