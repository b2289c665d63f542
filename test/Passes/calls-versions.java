// Both sides of every call in class files of all versions: the program's output
// is unchanged, and an advice runs behind each call that one ran in front of.
// Only where the call is super() and throws, in class files with frames, one is
// missing.
//
// REQUIRES: ecj, jdk25
// RUN: rm -rf %t && split-file %s %t
// RUN: sh %t/run.sh %t %S/Inputs/weave.sh %jdk25 | FileCheck %s
//
// CHECK: 46: same, 0 missing
// CHECK-NEXT: 48: same, 0 missing
// CHECK-NEXT: 49: same, 0 missing
// CHECK-NEXT: 50: same, 1 missing
// CHECK-NEXT: 51: same, 1 missing
// CHECK-NEXT: 52: same, 1 missing
// CHECK-NEXT: 55: same, 1 missing
// CHECK-NEXT: 61: same, 1 missing
// CHECK-NEXT: 69: same, 1 missing

//--- run.sh
set -e
cd $1
python3 make255.py > Many.java
javac -d p P.java
for level in '-source 1.3 -target 1.2' '-source 1.4 -target 1.4' -1.5 -1.6 -1.7 8 11 17 25; do
  rm -rf in out && mkdir in
  case $level in
  -*) ecj $level -nowarn -proc:none -d in T.java Many.java ;;
  25) $3/bin/javac -d in T.java Many.java ;;
  *) javac -nowarn -Xlint:-options --release $level -d in T.java Many.java ;;
  esac
  $2 advice in out >&2
  java=java
  test $level != 25 || java=$3/bin/java
  for jvm in $java $3/bin/java; do
    $jvm -cp in T > expected
    $jvm -Xverify:all -cp out:p T > got 2> counts
    cmp expected got
  done
  echo $(od -An -j7 -N1 -tu1 in/T.class): same, $(tail -n 1 counts)
done

//--- advice
probe #0 "all" { }
advice #0 probe #0 beforeCall call p/P.before:(Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)J (methodName, thisObject, args) args=write result=keep
advice #1 probe #0 afterCall call p/P.after:(Ljava/lang/Object;Ljava/lang/Throwable;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;J)V (returnedObject, exceptionObject, methodName, thisObject, args, kept)
probe #1 "isolated" { exclude "*" "*" "boom" "*" include "*" "*" "*" "*(I*" include "*" "T*" "<init>" "*" exclude "*" "*" "*" "*" }
advice #2 probe #1 beforeCall call p/P.bad:([Ljava/lang/Object;)J (args) exceptions=isolate result=keep switch=p/P.on
advice #3 probe #1 afterCall call p/P.good:(Ljava/lang/Object;J)V (returnedObject, kept) exceptions=isolate switch=p/P.on

//--- P.java
package p;
public class P {
  public static boolean on() { return true; }
  static long n, missing, bad;
  static {
    Runtime.getRuntime().addShutdownHook(new Thread() {
      public void run() { System.err.println("\n" + missing + " missing" + (bad == 0 ? "" : ", " + bad + " bad")); }
    });
  }
  public static long before(String m, Object t, Object[] a) { missing++; return ++n << 8 | m.hashCode() & 255; }
  public static void after(Object r, Throwable e, String m, Object t, Object[] a, long k) {
    missing--;
    if (a == null || (k & 255) != (m.hashCode() & 255)) bad++;
  }
  public static long bad(Object[] a) { throw new IllegalStateException("" + a.length); }
  public static void good(Object r, long k) { if (k != 0) bad++; throw new IllegalStateException("dropped"); }
}

//--- make255.py
print("public class Many {")
print("  static long many(" + ", ".join(f"int a{i}" for i in range(255)) + ") { return a0 * 1000L + a254; }")
print("  static String longs(" + ", ".join(f"{'long' if i % 2 else 'double'} a{i}" for i in range(127)) + ") { return a0 + \" \" + a1 + \" \" + a126; }")
print("  static int zero() { return 0; }")
print("  static void run() {")
print("    System.out.println(1 + many(" + ", ".join(f"{i} + zero()" if i % 50 == 0 else str(i) for i in range(255)) + "));")
print("    System.out.println(longs(" + ", ".join(f"{i} + zero()" if i % 50 == 0 else str(i) for i in range(127)) + "));")
print("  }\n}")

//--- T.java
public class T {
  static class Base {
    Base(int a, String s) { if (a < 0) throw new RuntimeException("base " + s); }
    Base() { this(f(1), str("x")); }
    protected Object who() { return "base"; }
  }
  static class Holder {
    int v;
    Holder h;
    Holder(int v, Holder h) { this.v = v; this.h = h; }
    int sum() { return h == null ? v : v + h.sum(); }
  }
  static class Sub extends Base implements Comparable {
    long l;
    final Object o = new Holder(f(3), null);
    Sub(int n, long m) {
      super(f(n > 0 ? g(n) : h(n)), str(new StringBuffer().append(n).append(m).toString()));
      l = m + f(n);
    }
    Sub(int n) { this(pick(n, new Holder(f(n), new Holder(n > 1 ? g(1) : 2, null))), (long) n); }
    Sub() { }
    protected Object who() { return super.who() + "sub" + secret(); }
    private long secret() { return l; }
    public int compareTo(Object other) { return (int) (l - ((Sub) other).l); }
  }
  static int f(int i) { return i; }
  static int g(int i) { return i * 2; }
  static int h(int i) { return i - 1; }
  static String str(String s) { return s + "!"; }
  static int pick(int n, Holder x) { return n + x.sum(); }
  static long l2(long a, double b, int c) { return a + (long) b - c; }
  static double d2(double a, int b) { return a / (b + 1); }
  static int boom(int n) { if (n > 1) throw new IllegalStateException("boom " + n); return n; }
  static double deep(int a, long b, double c) {
    return a + (b * l2(b, d2(c, f(a)), f(2)) - d2(c * 2, (int) l2(1L, 2.0, f(3)))) / (f(4) + 1.0);
  }
  static int guarded(int n) {
    int r = 0;
    long l = 5;
    try {
      r = f(1) + boom(n);
    } catch (IllegalStateException e) {
      r = -f(2) - e.getMessage().length();
    } finally {
      r += f(3) + (int) l;
    }
    try { boom(n); } catch (IllegalStateException e) { r += f(100); }
    return r;
  }
  static int locked(Object o, int n) {
    try {
      synchronized (o) {
        return boom(n);
      }
    } catch (RuntimeException e) {
      return Thread.holdsLock(o) ? -1 : -2;
    }
  }
  static int arrays(int n) {
    int[] a = new int[] {f(1), f(2), f(n)};
    a[f(0)] += f(3);
    a[f(1)]++;
    int[][] b = new int[f(2)][f(3)];
    b[1][f(2)] = a[0] + (a[1] = f(9)) * 2;
    int[] c = (int[]) a.clone();
    int s = 0;
    do { s += c[--n] + f(n); } while (f(n) > 0);
    switch (f(s) & 3) {
    case 0: s += f(10); break;
    case 1: s += f(20);
    default: s += f(30);
    }
    return s + b[1][2];
  }
  static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
  static void make(int n) {
    try {
      Sub s = n > 5 ? new Sub() : new Sub(n, n > 0 ? 7L : 8L);
      System.out.println(s.who() + " " + s.compareTo(new Sub(n + 2)));
    } catch (RuntimeException e) {
      System.out.println(e.getMessage());
    }
  }
  public static void main(String[] args) {
    make(1);
    make(0);
    make(6);
    System.out.println(deep(3, 40000000000L, 2.5));
    System.out.println(guarded(1) + " " + guarded(2));
    System.out.println(locked(new Object(), 1) + " " + locked("", 2));
    System.out.println(arrays(3));
    System.out.println(fact(10) + " " + new Holder(args.length > 0 ? f(1) : g(4), new Holder(f(2), null)).sum());
    Many.run();
  }
}
