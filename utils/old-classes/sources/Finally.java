/** try/finally nests: what compilers before 1.5 made subroutines of. */
public class Finally {
  static StringBuffer log = new StringBuffer();

  static int simple(int n) {
    try {
      if (n == 0)
        return 1;
      if (n == 1)
        throw new IllegalStateException("one");
      log.append("b");
    } finally {
      log.append("f").append(n);
    }
    return n * 2;
  }

  static long nested(int n) {
    long sum = 7L;
    double share = 0.5;
    for (int i = 0; i < n; i++) {
      try {
        try {
          if (i % 5 == 4)
            continue;
          if (i % 7 == 6)
            break;
          sum += 100 / (i % 3);
        } finally {
          sum = sum * 31 + i;
          try {
            share += sum / (double) (i % 4 == 3 ? 4 : 8);
          } finally {
            log.append(i);
          }
        }
      } catch (ArithmeticException e) {
        sum -= 3;
      } finally {
        share *= 1.5;
      }
    }
    return sum + (long) share;
  }

  static int overriding(int n) {
    while (true) {
      try {
        if (n < 0)
          return -1;
        n -= 3;
        if (n % 2 == 0)
          throw new RuntimeException();
      } finally {
        if (n > 0)
          continue;
        return n;
      }
    }
  }

  static String many(int n, String text, long wide) {
    Object kept = null;
    try {
      switch (n) {
      case 0:
        return text;
      case 1:
        return text + wide;
      case 2:
        kept = text;
        return "two";
      case 3:
        throw new Error(text);
      default:
        break;
      }
    } catch (Error e) {
      kept = e.getMessage() + "!";
      return "caught";
    } finally {
      log.append(kept == null ? "-" : kept.toString()).append(wide);
    }
    return "end";
  }

  public static void main(String[] args) {
    for (int i = 0; i < 4; i++) {
      try {
        System.out.println(simple(i));
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
    for (int i = 0; i < 40; i += 3)
      System.out.println(nested(i));
    for (int i = -2; i < 12; i++)
      System.out.println(overriding(i));
    for (int i = 0; i < 6; i++)
      System.out.println(many(i, "t" + i, 1L << (7 * i)));
    System.out.println(log);
  }
}
