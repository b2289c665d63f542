import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A program of some size, in which the planted bugs hide.
public class Ledger {
  static final int WIDTH = 40;
  final Map<String, Long> balances = new HashMap<>();
  final List<String> journal = new ArrayList<>();
  int refused;
  long checksum = 17;

  void open(String name, long amount) {
    if (balances.containsKey(name))
      throw new IllegalStateException("open: " + name);
    balances.put(name, amount);
    note('o', name, amount);
  }

  void note(char kind, String name, long amount) {
    StringBuilder line = new StringBuilder();
    line.append(kind).append(' ').append(name);
    int room = WIDTH - line.length() - digits(amount);
    for (int i = 0; i < room; i++)
      line.append('.');
    line.append(amount);
    journal.add(line.toString());
    checksum = checksum * 31 + amount;
    checksum ^= line.length();
  }

  static int digits(long n) {
    int count = n < 0 ? 1 : 0;
    do {
      count++;
      n /= 10;
    } while (n != 0);
    return count;
  }

  boolean move(String from, String to, long amount) {
    try {
      check(amount);
      long rest = take(from, amount);
      give(to, amount);
      note('m', from + ">" + to, rest);
      return true;
    } catch (ArithmeticException e) {
      refused++;
      note('r', e.getMessage(), amount);
      return false;
    } finally {
      checksum += 3;
    }
  }

  static void check(long amount) {
    if (amount <= 0)
      throw new ArithmeticException("amount");
    if (amount % 1000 == 13)
      throw new ArithmeticException("unlucky");
  }

  long take(String name, long amount) {
    Long has = balances.get(name);
    long rest = (has == null ? 0 : has) - amount;
    if (rest < 0)
      throw new ArithmeticException("short");
    balances.put(name, rest);
    return rest;
  }

  void give(String name, long amount) {
    Long has = balances.get(name);
    balances.put(name, has == null ? amount : has + amount);
  }

  static int fee(int kind, int amount) {
    switch (kind) {
    case 0:
      return 100 - amount;
    case 1:
      return amount / 20 + 7;
    case 2:
    case 3: {
      int best = amount;
      for (int i = 1; i < 5; i++) {
        int next = 50 - best * i % 13;
        if (next < best)
          best = next;
      }
      return best;
    }
    default:
      return -1;
    }
  }

  int[] histogram() {
    int[] counts = new int[4];
    for (String line : journal) {
      int slot;
      switch (line.charAt(0)) {
      case 'o': slot = 0; break;
      case 'm': slot = 1; break;
      case 'r': slot = 2; break;
      default: slot = 3;
      }
      counts[slot]++;
    }
    return counts;
  }

  static double mean(int[] values) {
    double sum = 0;
    for (int v : values)
      sum += v;
    return values.length == 0 ? 0 : sum / values.length;
  }

  static String pad(String s, int width) {
    if (s.length() >= width)
      return s;
    char[] all = new char[width];
    int i = 0;
    for (; i < s.length(); i++)
      all[i] = s.charAt(i);
    while (i < width)
      all[i++] = ' ';
    return new String(all);
  }

  static int parse(String text, int otherwise) {
    int value;
    try {
      value = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      value = otherwise;
    }
    return value;
  }

  void print() {
    for (String line : journal)
      System.out.println(pad(line, WIDTH) + "|");
    int[] counts = histogram();
    for (int i = 0; i < counts.length; i++)
      System.out.println(i + ": " + counts[i] + " fee " + fee(i, counts[i]));
    System.out.println("mean " + mean(counts) + " refused " + refused +
                       " checksum " + checksum);
  }

  public static void main(String[] args) {
    Ledger l = new Ledger();
    l.open("cash", 5000);
    l.open("bank", parse("12000", 1));
    l.open("debt", parse("twelve", 2));
    String[] names = {"cash", "bank", "debt"};
    for (int i = 0; i < 12; i++) {
      String from = names[i % 3], to = names[(i * 7 + 1) % 3];
      l.move(from, to, i * 461 % 2100);
    }
    l.move("cash", "bank", 2013);
    l.print();
  }
}
