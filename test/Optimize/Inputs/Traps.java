import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// Programs that optimisers of class files have broken, each written anew; a
/// comment says what each is about.
public class Traps {
  static final StringBuilder log = new StringBuilder();
  static int zero = 0, four = 4;
  static boolean yes = true, no = false;
  static Object nothing = null;
  int field;
  volatile boolean done;

  static void print(Object o) { System.out.println("  " + o); }

  static void print(int i) { System.out.println("  " + i); }

  /// A store in front of what throws is read by the handler.
  static void t1() {
    int x = 0;
    try {
      x = 1;
      int[] a = new int[zero - 1];
      x = 2;
    } catch (NegativeArraySizeException e) {
      print(x);
    }
  }

  /// Each kind of instruction that may throw.
  static void t2() {
    IntSupplier[] all = {
      () -> 1 / zero, () -> (int) (1L % zero), () -> ((int[]) nothing)[0],
      () -> ((Traps) nothing).field, () -> new int[zero - 1].length,
      () -> ((Integer) (Object) "s"), () -> { synchronized (nothing) { return 1; } },
      () -> { throw (RuntimeException) nothing; },
      () -> { Object[] o = new String[1]; o[0] = 1; return 2; },
      () -> { ((long[]) nothing)[0] = 1; return 3; },
      () -> new int[1][zero - 1].length, () -> ((Object[]) nothing).length,
      () -> { ((Traps) nothing).field = 1; return 4; },
    };
    for (IntSupplier one : all) {
      try {
        print(one.getAsInt());
      } catch (RuntimeException e) {
        print(e.getClass().getName() + " in line "
            + e.getStackTrace()[0].getLineNumber());
      }
    }
  }

  /// A receiver may be null in the handler of its call.
  static void t3() {
    String n = (String) nothing;
    try {
      n.length();
    } catch (NullPointerException e) {
      try {
        Objects.requireNonNull(n);
        print("lost");
      } catch (NullPointerException f) {
        print("kept");
      }
    }
  }

  static void t4() {
    Object[] a = new Object[2];
    int at = 0;
    try {
      a[four] = a;
      at = 1;
      print(at);
    } catch (ArrayIndexOutOfBoundsException e) {
      print(at);
    }
  }

  static class Failing {
    static int value = 1 / zero;

    static synchronized int get() { return value; }
  }

  static void t6() {
    for (int i = 0; i < 2; ++i)
      try {
        print(Failing.get());
      } catch (Throwable t) {
        print(t.getClass().getName());
      }
  }

  static void t7() {
    int x = 1;
    try {
      x = 2;
      throw new IllegalStateException();
    } catch (IllegalStateException e) {
      print(x);
    }
  }

  static int t11(IntSupplier s) {
    try {
      return s.getAsInt();
    } catch (IllegalStateException e) {
      return -1;
    }
  }

  static int t12(int a) {
    int k = a + 4;
    try {
      throw new IllegalStateException();
    } catch (IllegalStateException e) {
      return k + 4;
    }
  }

  static void t14() {
    Supplier<?>[] all = {
      () -> { int unused = 1 / zero; return 0; },
      () -> { int unused = ((Traps) nothing).field; return 0; },
      () -> { int[] unused = new int[zero - 1]; return 0; },
      () -> { Object unused = (String) (Object) 1; return 0; },
      () -> { ((Integer) (Object) "s").intValue(); return 0; },
    };
    for (Supplier<?> one : all)
      try {
        print(one.get());
      } catch (RuntimeException e) {
        print(e.getClass().getName());
      }
  }

  static String bar() { return null; }

  static void t18(String b) {
    String a = b;
    a = bar();
    print(b != null && a != null ? "both" : "one");
  }

  static int f() { print("effect"); return 1; }

  static void t19() { print(((Object) f()) == null ? "null" : "not"); }

  static void t20() {
    int[] a = new int[1];
    print(a[0] == 0 ? "zero" : "not");
  }

  static class A {
    static { print("A begins"); }
    static int m() { return 1; }
    static int unread = 7;
  }

  static class B {
    static { print("B begins"); }
    static int unread = 8;
  }

  static class C {
    static { print("C begins"); }
  }

  static void t24() {
    A.m();
    int unused = B.unread;
    new C();
  }

  static void t28() throws Exception {
    Object big = new Object[10000];
    WeakReference<Object> weak = new WeakReference<>(big);
    print(big != null);
    big = null;
    for (int i = 0; i < 50 && weak.get() != null; ++i)
      System.gc();
    print(weak.get());
  }

  void t31() throws Exception {
    Thread t = new Thread(() -> { done = true; });
    t.start();
    while (!done) {
    }
    t.join();
    print("done");
  }

  static void t33(float p, float m, double nan) {
    print(p == m);
    print(Float.valueOf(p).equals(m));
    print(nan == nan);
    print(Double.compare(0.0, -0.0));
    print(1 / (0.0f * m));
    print(nan < 1 ? "less" : nan >= 1 ? "more" : "neither");
    print(!(nan > 1) ? "not more" : "more");
  }

  static void t34() {
    int one = 1;
    print((one << 31) >> 31);
    print((byte) (one + 254));
    print((one << 33) + (int) (1L << 33 - one));
    print(Integer.MIN_VALUE / -one);
    print((int) Double.NaN + (int) 1e20 + (int) (char) -one);
  }

  static int t35(int x) {
    int y = x + 1;
    return x * 10 + y;
  }

  static int t38(int b) {
    int a = b;
    b++;
    return a;
  }

  static int t40(boolean c) {
    int x = 0;
    if (c)
      x = f();
    if (c)
      return x;
    return 5;
  }

  static int t54(int a) {
    final boolean on = true;
    return a + (on ? four : a * 2) + (no & yes ? 1 : 2);
  }

  static void t55(boolean c) {
    try {
      if (c)
        f();
    } catch (RuntimeException e) {
    }
    print(c ? 1 : 2);
  }

  static int t56() {
    while (true) {
      try {
        if (f() == 1)
          return 3;
      } finally {
        print("at last");
      }
    }
  }

  static int t63(int n) {
    do {
      n -= 2;
    } while (n > 0);
    return n;
  }

  static void t62() {
    new C() {
      { print("made"); }
    };
    new Object();
    new StringBuilder();
    new StringBuilder("a");
  }

  static int switches(int k, String s) {
    int r = 0;
    switch (k) {
    case 1:
    case 3:
    default:
      r += 1;
      break;
    case 100:
      r += 2;
    }
    switch (k) {
    case 7:
      r += 10;
    }
    switch (k) {
    default:
    }
    switch (s) {
    case "a":
      return r + 100;
    case "b":
      return r + 200;
    default:
      return r;
    }
  }

  static Object ternary(boolean a, boolean b) {
    return a ? b ? "both" : "first" : b ? "second" : null;
  }

  static int loops(int n) {
    int sum = 0;
    outer:
    for (int i = 0; i < n; ++i) {
      if (i % 3 == 0)
        continue;
      for (int j = 0;; ++j) {
        if (j > i)
          continue outer;
        if (sum > 1000)
          break outer;
        sum += j;
      }
    }
    return sum;
  }

  static synchronized int locked(Object o, int n) {
    synchronized (o) {
      if (n == 0)
        return 1;
      try {
        return 10 / (n - 1);
      } finally {
        synchronized (Traps.class) {
          print("unlocked");
        }
      }
    }
  }

  static long wide(long a, double b) {
    long c = a + 1;
    double d = b * 2;
    long unread = c * 3;
    d = b;
    return c;
  }

  final int held;

  Traps(int n) {
    super();
    int unread = n;
    held = n > 0 ? n : -n;
  }

  public static void main(String[] arguments) throws Throwable {
    t1();
    t2();
    t3();
    t4();
    t6();
    t7();
    print(t11(() -> 3) + t11(() -> { throw new IllegalStateException(); }));
    print(t12(1));
    t14();
    t18("b");
    t19();
    t20();
    t24();
    t28();
    Traps t = new Traps(-3);
    t.t31();
    print(t.held);
    t33(0f, -0f, Double.NaN);
    t34();
    print(t35(4));
    print(t38(4));
    print(t40(true) + t40(false));
    print(t54(3));
    t55(true);
    t55(false);
    print(t56());
    print(t63(5));
    t62();
    for (int k : new int[] {1, 3, 7, 100, -1})
      print(switches(k, k == 1 ? "a" : k == 3 ? "b" : "c"));
    print(ternary(true, false) + " " + ternary(false, false) + " "
        + ternary(true, true) + " " + ternary(false, true));
    print(loops(40));
    print(locked("x", 0) + locked("x", 3));
    try {
      locked("x", 1);
    } catch (ArithmeticException e) {
      print(e.getMessage() + " in line " + e.getStackTrace()[0].getLineNumber());
    }
    print((int) wide(4, 2));
  }
}
