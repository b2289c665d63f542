// One of its places fails: the WHENth that is come to. The test makes copies of
// this class, of which each has another.
public class Faults extends FaultsBase {
  static final int WHEN = 0;
  static int places;

  int field;

  static boolean due() {
    return ++places == WHEN;
  }
  static void hit() {
    if (due())
      throw new IllegalStateException();
  }
  static int one() {
    return due() ? 0 : 1;
  }
  static Object text() {
    return due() ? (Object) 1 : "text";
  }
  static Faults object() {
    return due() ? null : new Faults();
  }

  Faults() {
  }

  Faults(int n) {
    super(
        one() / n,
        one());
    field = 10 / one();
    hit();
    object().field++;
  }

  static int lines() {
    int n = 10 / one();
    n += 10 / one();
    int[] a = new int[one()];
    a[0] = 1;
    n += a[0];
    String s = (String) text();
    n += s.length();
    object().field = n;
    n += object().field;
    return n;
  }

  static int loops() {
    int n = 0;
    for (int i = 0; i < 2; i++) {
      if (i == 1) {
        hit();
        n++;
      } else
        n += 6 / one();
    }
    while (n < 9)
      n += one() + 6 / one();
    return n;
  }

  static int handlers() {
    int n = 0;
    try {
      hit();
      n = 1;
      try {
        n += 4 / one();
        hit();
      } catch (ArithmeticException e) {
        n = 5;
        hit();
      } finally {
        n++;
        hit();
      }
      hit();
    } catch (IllegalStateException e) {
      hit();
      n = -1;
    }
    hit();
    return n;
  }

  static int monitors(Object lock) {
    hit();
    synchronized (lock) {
      hit();
      synchronized (Faults.class) {
        hit();
      }
      hit();
    }
    return one();
  }

  static int ways(int n, String s) {
    switch (n) {
    case 1:
      hit();
    case 2:
      n = 8 / one();
      break;
    default:
      hit();
      return n;
    }
    boolean b = n > 1 && one() == 1 || s == null && n < 0;
    switch (s) {
    case "a":
      hit();
      return b ? 1 : 4 / one();
    default:
      hit();
    }
    return 0;
  }

  static int resources() {
    try (Res a = new Res();
        Res b = new Res()) {
      hit();
    }
    hit();
    return 0;
  }
  static final class Res implements AutoCloseable {
    Res() {
      hit();
    }
    public void close() {
      hit();
    }
  }

  static synchronized int deep(int n) {
    if (n == 0)
      return one();
    int m = deep(n - 1);
    hit();
    return m + 1;
  }

  interface Step {
    int run();
  }

  static void step(Step s) {
    try {
      System.out.print(" " + s.run());
    } catch (RuntimeException e) {
      System.out.print(" " + e.getClass().getSimpleName());
    }
  }

  static void all() {
    step(() -> new Faults(1).field);
    step(Faults::lines);
    step(Faults::loops);
    step(Faults::handlers);
    step(() -> monitors(new Object()));
    step(() -> ways(1, "a"));
    step(() -> ways(2, "b"));
    step(() -> ways(3, "c"));
    step(Faults::resources);
    step(() -> deep(3));
    System.out.println(" " + places);
  }
}

class FaultsBase {
  FaultsBase() {
  }
  FaultsBase(int a, int b) {
    Faults.hit();
    if (a != b)
      Faults.hit();
  }
}
