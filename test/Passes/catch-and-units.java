// Advices of handlers and units with a switch and with isolated exceptions, in
// expressions, loops, ranges and constructors: the program does what it did.
// What they count is the same with and without the branches that this takes.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/in %t/T.java && java -cp %t/in T > %t/expected
// RUN: javac -d %t/out %t/P.java
// RUN: %S/Inputs/weave.sh %t/plain %t/in %t/out
// RUN: java -Xverify:all -cp %t/out T > %t/got 2> %t/counts
// RUN: diff %t/expected %t/got
// RUN: %S/Inputs/weave.sh %t/branching %t/in %t/out
// RUN: java -Xverify:all -cp %t/out T > %t/got 2> %t/isolated
// RUN: diff %t/expected %t/got && diff %t/counts %t/isolated
// RUN: FileCheck %s < %t/counts
// RUN: java -Xverify:all -Doff=true -cp %t/out T 2> %t/off > %t/got
// RUN: diff %t/expected %t/got && FileCheck %s --check-prefix=OFF < %t/off
//
// CHECK: catch {{[1-9][0-9]+}} unit {{[1-9][0-9][0-9]+}}
// OFF: catch 0 unit 0

//--- plain
probe #0 "all" {}
advice #0 probe #0 catch call p/P.caught:(Ljava/lang/Throwable;Ljava/lang/Object;[Ljava/lang/Object;ZI)V (exceptionObject, thisObject, args, isFinally, executableUnitNumber)
advice #1 probe #0 executableUnit call p/P.unit:(Ljava/lang/Object;[Ljava/lang/Object;Ljava/lang/String;II)V (thisObject, args, methodLineTables, executableUnitNumber, numPreviousUnits)

//--- branching
probe #0 "all" {}
advice #0 probe #0 catch call p/P.caughtBad:(Ljava/lang/Throwable;Ljava/lang/Object;[Ljava/lang/Object;ZI)V (exceptionObject, thisObject, args, isFinally, executableUnitNumber) exceptions=isolate switch=p/P.on
advice #1 probe #0 executableUnit call p/P.unitBad:(Ljava/lang/Object;[Ljava/lang/Object;Ljava/lang/String;II)V (thisObject, args, methodLineTables, executableUnitNumber, numPreviousUnits) exceptions=isolate switch=p/P.on

//--- P.java
package p;
public class P {
  static final boolean ON = !Boolean.getBoolean("off");
  public static boolean on() { return ON; }
  static long caught, units;
  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() ->
        System.err.println("catch " + caught + " unit " + units)));
  }
  public static void caught(Throwable e, Object t, Object[] a, boolean f, int u) {
    caught += 1000 + u + (t == null ? 7 : 0) + (f ? 100 : 0) + a.length;
    e.hashCode();
  }
  public static void unit(Object t, Object[] a, String s, int u, int b) {
    units += u + b + s.length() + a.length + (t == null ? 3 : 0);
  }
  public static void caughtBad(Throwable e, Object t, Object[] a, boolean f, int u) {
    caught(e, t, a, f, u);
    throw new IllegalStateException();
  }
  public static void unitBad(Object t, Object[] a, String s, int u, int b) {
    unit(t, a, s, u, b);
    throw new IllegalStateException();
  }
}

//--- T.java
public class T {
  static long f(int a, long b, double c, String s) {
    return a + b + (long) c + (s == null ? g(a) : s.length()) + (b > 3 ? g((int) b) : -b);
  }
  static int g(int n) { return n <= 0 ? 1 : n * g(n - 1); }
  static String nested(int n) {
    StringBuilder b = new StringBuilder();
    for (int i = 0; i < n; i++)
      try {
        try {
          if (i % 3 == 0) throw new IllegalArgumentException("a" + i);
          b.append(i);
        } catch (IllegalArgumentException e) {
          b.append(e.getMessage());
          if (i % 2 == 0) throw new IllegalStateException("b" + i, e);
        } finally { b.append('f'); }
      } catch (RuntimeException e) { b.append(e.getMessage()).append(e.getCause() == null); }
    return b.toString();
  }
  final int x;
  T(int n) { this(n > 2 ? new int[n] : null, n == 1 ? 1.5 : g(n)); }
  T(int[] a, double d) {
    super();
    int y;
    try { y = a.length; } catch (NullPointerException e) { y = (int) d; }
    x = y;
  }
  synchronized int sync(Object o) {
    synchronized (o) { if (o == this) return 5; throw new IllegalArgumentException(); }
  }
  static class R implements AutoCloseable {
    public void close() { System.out.println("close"); }
  }
  static int twr(int n) {
    try (R r = new R(); R s = n > 1 ? new R() : null) {
      return 10 / n;
    } catch (ArithmeticException e) { return -1; }
  }
  static int sw(String s) {
    switch (s) { case "a": return 1; case "b": { s = s + 1; } default: return s.length(); }
  }
  public static void main(String[] a) {
    System.out.println(f(1, 2, 3, null) + f(2, 5, 1.5, "x") + " " + nested(13));
    T t = new T(1);
    System.out.println(t.x + new T(3).x + new T(2).x);
    System.out.println(t.sync(t));
    try { t.sync("o"); } catch (IllegalArgumentException e) { System.out.println(e); }
    System.out.println(twr(2) + twr(0) + sw("a") + sw("b") + sw("ccc"));
    Runnable r = () -> System.out.println(g(4));
    r.run();
  }
}
