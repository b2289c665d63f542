package shop;

import java.util.function.Function;

/** The application: text to text, without servlets. */
public class Shop implements Function<String, String> {
  public String sell(Order order) { return "order " + order.number() + " of " + order.customer(); }
  @Override public String apply(String number) { return sell(new Order(Integer.parseInt(number))); }
}
