package shop;

import java.util.HashMap;
import java.util.Map;

/** Requests of short methods, branches, a map and an array. */
public class Desk {
  private final Map<Integer, Integer> stock = new HashMap<>();
  private final int[] prices = new int[256];

  public int handle(int id) {
    int sum = 0;
    for (int i = 0; i < 40; i++) sum += item(id, i);
    return sum;
  }

  private int item(int id, int i) {
    int price = price(id * 31 + i);
    if ((price & 7) == 3) price += bonus(price);
    Integer n = stock.get(price & 63);
    stock.put(price & 63, n == null ? 1 : n + 1);
    return price;
  }

  private int price(int key) {
    int hash = key * 0x9e3779b1;
    hash ^= hash >>> 15;
    prices[hash & 255] += hash & 3;
    return (hash & 1023) + prices[key & 255] % 7;
  }

  private int bonus(int price) {
    int sum = 0;
    for (; price > 0; price /= 10) sum += price % 10;
    return sum;
  }
}
