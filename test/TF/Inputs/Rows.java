// What monitored methods tell their monitors, for each way in and out of a
// method, and for monitors that fail. The packages are replaced to compile this
// against the original library.
import java.lang.annotation.*;
import java.util.*;
import jopt.tf.*;
import jopt.tf.annotation.*;

public class Rows {
  @MethodMonitorGroup
  @Retention(RetentionPolicy.RUNTIME)
  @interface High {}

  @MethodMonitorGroup
  @Retention(RetentionPolicy.RUNTIME)
  @interface Low {}

  @High
  @Low
  static class Work {
    static final Object LOCK = new Object();

    @InfoMethod private void note(Object o) {}
    @InfoMethod private void all(boolean z, byte b, char c, short s, int i,
                                 long j, float f, double d, int[] a, Work w) {}
    @InfoMethod private void none() {}

    @High void nothing() {}
    @Low boolean z(boolean x) { return !x; }
    @Low byte b(byte x) { return (byte) -x; }
    @Low char c(char x) { return ++x; }
    @Low short s(short x) { return (short) (x * 2); }
    @Low int i(int x) { return x + 1000; }
    @Low long j(long x, int y) { return x << y; }
    @Low float f(float x) { return x / 3; }
    @Low double d(double x, long y) { return x * y; }
    @High Object o(Object x) { return x; }
    @High int[][] arrays(int[][] a, Object... more) { return a; }
    @High static synchronized double st(long a, double b, int c, String[] d) {
      return a + b + c + d.length;
    }
    @High synchronized String sync(String x) { note(x); return x + "!"; }
    @Low int recursive(int n) { return n == 0 ? 0 : n + recursive(n - 1); }
    @Low void reassigned(int a, long b) { a = 7; b = 8; note(a + b); }
    @High void leaves() { throw new IllegalStateException("leaves"); }
    @Low int caught(int n) {
      try {
        if (n > 0) throw new IllegalStateException("caught");
        return 1;
      } catch (IllegalStateException e) {
        note(e.getMessage());
        return 2;
      }
    }
    @Low int rethrown(int n) {
      try {
        if (n == 0) throw new IllegalStateException("rethrown");
        return 10 / (n - 1);
      } catch (ArithmeticException e) {
        return -1;
      } finally {
        none();
      }
    }
    @High long locked(int n) {
      synchronized (LOCK) {
        if (n == 0) throw new IllegalStateException("locked");
        return n;
      }
    }
    @High int implicit(int[] a, int n) { return a[n]; }
    @High boolean throwsNull(boolean z) { if (z) throw null; return z; }
    @Low long loops(int n) {
      long sum = 0;
      outer:
      for (int k = 0; k < n; k++) {
        switch (k) {
          case 0: note("zero"); continue;
          case 1: note(k); break;
          case 5: break outer;
          default: none();
        }
        for (String s = "x"; s.length() < 3; s += k)
          if (s.length() == k) return sum;
        sum += k * 2L;
      }
      all(n > 2, (byte) n, (char) (64 + n), (short) n, n, sum, n / 2f, n / 4d,
          new int[n], this);
      return sum;
    }
    @Low void nestedTries(int n) {
      for (int k = 0; k < 2; k++) {
        try {
          try {
            if (k == n) throw new Exception("k" + k);
          } finally {
            if (n == 5) return;
          }
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          note(e);
          if (k == 1) throw new IllegalStateException(e);
        }
      }
    }
    @Override public String toString() { return "Work"; }
  }

  @High
  abstract static class NotConcrete {
    @High abstract int later(int x);
    @High int now(int x) { return later(x) + 1; }
    @High native int elsewhere(int x);
  }

  @Low
  static class Concrete extends NotConcrete {
    // The original does not keep the serial version of a class that gets a
    // static initialiser.
    static final Object ANY = new Object();
    @Low int later(int x) { return x * 2; }
  }

  /** At which event the monitor fails. */
  static String failing = "";

  static MethodMonitorFactory recorder =
      new MethodMonitorFactoryBase("recorder") {
        public MethodMonitor create(final Class<?> cls) {
          return new MethodMonitorBase("recorder", cls, this) {
            void tell(String event, int ident, Object detail) {
              String type = detail == null || detail instanceof Object[]
                  ? "" : " " + detail.getClass().getSimpleName();
              System.out.println("  " + event + " "
                  + MethodMonitorRegistry.getMethodName(cls, ident) + " "
                  + Arrays.deepToString(new Object[] {detail}) + type);
              if (failing.equals(event)) throw new RuntimeException(event + "!");
            }
            public void enter(int ident, Object... args) {
              tell("enter", ident, args);
            }
            public void info(Object[] args, int caller, int self) {
              tell("info", self, args);
              System.out.println(
                  "    of " + MethodMonitorRegistry.getMethodName(cls, caller));
            }
            public void exit(int ident) { tell("exit", ident, "nothing"); }
            public void exit(int ident, Object r) { tell("exit", ident, r); }
            public void exception(int ident, Throwable t) {
              tell("exception", ident, t);
            }
            public void clear() {}
          };
        }
      };

  interface Action { Object run() throws Throwable; }

  static void show(String what, Action a) {
    System.out.println(what);
    try {
      Object r = a.run();
      System.out.println("-> " + Arrays.deepToString(new Object[] {r}));
    } catch (Throwable e) {
      // The JVM's message has the number of a slot.
      System.out.println("-> " + (e instanceof NullPointerException
          ? e.getClass() : e));
    }
  }

  static void work() {
    final Work w = new Work();
    show("nothing", () -> { w.nothing(); return 0; });
    show("primitives", () -> "" + w.z(true) + w.b((byte) 3) + w.c('a')
        + w.s((short) 4) + w.i(5) + w.j(6, 7) + w.f(8) + w.d(9, 10));
    show("objects", () -> "" + w.o(null) + w.o("o")
        + w.arrays(new int[][] {{1}, null}, 2, null, "3")[0][0]);
    show("static", () -> Work.st(1, 2.5, 3, new String[] {"4"}));
    show("sync", () -> w.sync("s"));
    show("recursive", () -> w.recursive(2));
    show("reassigned", () -> { w.reassigned(1, 2); return 0; });
    show("leaves", () -> { w.leaves(); return 0; });
    for (int n = 0; n < 2; n++) {
      final int k = n;
      show("caught " + k, () -> w.caught(k));
    }
    for (int n = 0; n < 3; n++) {
      final int k = n;
      show("rethrown " + k, () -> w.rethrown(k));
      show("locked " + k, () -> w.locked(k));
    }
    show("implicit", () -> w.implicit(new int[] {1}, 0));
    show("implicit null", () -> w.implicit(null, 0));
    show("throws null", () -> w.throwsNull(true));
    for (int n = 0; n < 7; n += 3) {
      final int k = n;
      show("loops " + k, () -> w.loops(k));
    }
    for (int n = 0; n < 6; n++) {
      final int k = n;
      show("nested tries " + k, () -> { w.nestedTries(k); return 0; });
    }
    show("concrete", () -> new Concrete().now(3));
  }

  public static void main(String[] args) {
    System.out.println("== without");
    work();
    MethodMonitorRegistry.register(High.class, recorder);
    System.out.println("== high");
    work();
    MethodMonitorRegistry.register(Low.class, recorder);
    for (String f : new String[] {"", "enter", "info", "exception", "exit"}) {
      failing = f;
      System.out.println("== failing " + f);
      work();
    }
    failing = "";
    for (Class<?> c : new Class<?>[] {Work.class, NotConcrete.class})
      System.out.println(MethodMonitorRegistry.getMethodNames(c));
    MethodMonitorRegistry.clear(High.class);
    MethodMonitorRegistry.clear(Low.class);
    System.out.println("== cleared");
    work();
  }
}
