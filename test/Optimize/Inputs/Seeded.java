import java.util.Objects;

/// Methods with the mistakes of other optimisers: what stands behind NEW takes
/// the place of what stands behind OLD in the second version. The numbers are
/// those of Traps.java.
public class Seeded {
  static int zero, count;
  static boolean flag;
  static Object single;
  int field;
  int[] array;
  volatile boolean done;

  static int f() { return ++count; }

  static Object used; static void use(Object o) { used = o; }

  static int t1(int n) {
    int x = 0;
    try {
      /*OLD*/ x = 1; /*NEW ; */
      use(new int[n]);
      x = 2;
    } catch (NegativeArraySizeException e) {
      return x;
    }
    return 3;
  }

  static int t2(int a, int b) {
    /*OLD*/ try { return a / b; } catch (ArithmeticException e) { return -1; } /*NEW return a / b; */
  }

  static int t3(String n) {
    try {
      return n.length();
    } catch (NullPointerException e) {
      /*OLD*/ return Objects.requireNonNull(n).hashCode(); /*NEW return n.hashCode(); */
    }
  }

  static int t4(Object[] a, int i) {
    int at = 0;
    try {
      /*OLD*/ at = 1; a[i] = a; /*NEW a[i] = a; at = 1; */
    } catch (ArrayIndexOutOfBoundsException e) {
      return at;
    }
    return at + 1;
  }

  /*OLD*/ static int t6() { return Other.get(); } /*NEW static int t6() { return Other.value; } */

  static int t7() {
    int x = 1;
    try {
      x = 2;
      throw new IllegalStateException();
    } catch (IllegalStateException e) {
      /*OLD*/ return x; /*NEW return 1; */
    }
  }

  static int t8() {
    try {
      return f();
    /*OLD*/ } catch (IllegalStateException e) { return 1; } catch (RuntimeException e) { return 2; /*NEW } catch (RuntimeException e) { return 2; */
    }
  }

  static int t9(int b) { /*OLD*/ return 1 + f(); /*NEW return f(); */ }

  static void t13() { /*OLD*/ Object c = Absent.class; /*NEW ; */ }

  static void t14a(int z) { /*OLD*/ int unused = 1 / z; /*NEW ; */ }

  static void t14b(Seeded o) { /*OLD*/ int unused = o.field; /*NEW ; */ }

  static void t14c(int n) { /*OLD*/ int[] unused = new int[n]; /*NEW ; */ }

  static void t14d(int[] a) { /*OLD*/ int unused = a[3]; /*NEW int unused = a.length; */ }

  static void t15(Object s) { /*OLD*/ Integer i = (Integer) s; /*NEW ; */ }

  static int t16(Seeded r) { /*OLD*/ return r.field * 0 + 1; /*NEW return 1; */ }

  Object t17() { /*OLD*/ return array; /*NEW return null; */ }

  static int t18(String a, String b) {
    if (b == null) return 0;
    b = a;
    /*OLD*/ return b != null ? 1 : 2; /*NEW return 1; */
  }

  static boolean t19() { /*OLD*/ return f() == zero; /*NEW return false; */ }

  static boolean t20(int[] a) { /*OLD*/ return a[0] == 0; /*NEW return a == null; */ }

  static Object t23(Object a, Object d) { /*OLD*/ return Objects.requireNonNullElse(a, d); /*NEW return a != null ? a : d; */ }

  static void t24() { /*OLD*/ Other.nothing(); /*NEW ; */ }

  static int t25() { /*OLD*/ int a = Other.get(); int b = count; /*NEW int b = count; int a = Other.get(); */ return a - b; }

  static int t26() {
    int before = count;
    f();
    /*OLD*/ return count; /*NEW return before; */
  }

  static boolean t27() { /*OLD*/ return single == null; /*NEW return false; */ }

  static long t30() {
    long a = System.nanoTime();
    /*OLD*/ return System.nanoTime() - a; /*NEW return a - a; */
  }

  void t31() { /*OLD*/ while (!done) {} /*NEW if (!done) for (;;) {} */ }

  static void t32() { /*OLD*/ synchronized (Other.class) { zero = 1; } /*NEW zero = 1; */ }

  static double t33a(double x) { /*OLD*/ return x + 0.0; /*NEW return x; */ }

  static boolean t33b(double x) { /*OLD*/ return x == x; /*NEW return true; */ }

  static boolean t33c(float x, float y) { /*OLD*/ return !(x < y); /*NEW return x >= y; */ }

  static double t33d() { double z = 0.0; /*OLD*/ return -z; /*NEW return 0.0; */ }

  static int t34a(int x) { /*OLD*/ return x << 32; /*NEW return 0; */ }

  static int t34b(int x) { /*OLD*/ return (byte) (x & 255); /*NEW return x & 255; */ }

  static long t34c(int x) { /*OLD*/ return x + 1; /*NEW return x + 1L; */ }

  static int t35(int x) { /*OLD*/ int y = x + 1; return y * x; /*NEW x = x + 1; return x * x; */ }

  static int t37(String s) { /*OLD*/ use(s); return 1; /*NEW return 1; */ }

  static int t38(int b) { /*OLD*/ int a = b; b++; return a; /*NEW b++; return b; */ }

  static int t43(boolean c) {
    /*OLD*/ try { return f(); } catch (RuntimeException e) { return 1; } /*NEW int v = f(); try { return v; } catch (RuntimeException e) { return 1; } */
  }

  /*OLD*/ synchronized int t44() { return field; } /*NEW int t44() { return field; } */

  int t46() { /*OLD*/ return super.hashCode(); /*NEW return hashCode(); */ }

  static int t54(boolean c) { /*OLD*/ return 3 + (c ? f() : zero); /*NEW return 3 + (c ? zero : f()); */ }

  static void t57(int n) { /*OLD*/ if (n == 1) for (;;) {} /*NEW ; */ }

  static String t60(StringBuilder s) { /*OLD*/ String a = s.toString(); s.append('x'); /*NEW s.append('x'); String a = s.toString(); */ return a; }

  static void t62() { /*OLD*/ new Other(); /*NEW ; */ }

  static int t63(int n) { /*OLD*/ while (n != 0) n++; return n; /*NEW return 0; */ }

  int aliased(Seeded other) {
    field = 1;
    other.field = 2;
    /*OLD*/ return field; /*NEW return 1; */
  }

  int narrow(byte[] b, int x) {
    b[0] = (byte) x;
    /*OLD*/ return b[0]; /*NEW b[0] = (byte) x; return x; */
  }

  static int loop(int n) {
    int s = 0;
    /*OLD*/ for (int i = 0; i < n; i++) s += i; /*NEW for (int i = 1; i <= n; i++) s += i; */
    return s;
  }

  static int choice(int n) {
    switch (n) {
      /*OLD*/ case 1: return 10; case 2: return 20; /*NEW case 1: return 10; case 3: return 20; */
      default: return 0;
    }
  }

  static void line(Object o) {
    /*OLD*/ o.hashCode(); /*NEW
    o.hashCode(); */
  }

  int readsStatic(int v) { f(); /*OLD*/ count = v; return count; /*NEW int x = count; count = v; return x; */ }
}

class Other {
  static int value = Seeded.count;

  static int get() { return value; }

  static void nothing() {}
}

class Absent {}
