package jobs;

public class Work {
  static int even(int i) {
    return i * 2;
  }
  static int odd(int i) {
    try {
      return Integer.parseInt("" + i) + 1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
  static int never(int i) {
    return i;
  }
  public static int sum(int n) {
    int sum = 0;
    for (int i = 1; i <= n; i++)
      sum += i % 2 == 0 ? even(i) : odd(i);
    return sum;
  }
}
