// Advices at call sites: what they see, in which order they run, what becomes
// of exceptions, of arguments that they write and of results that they replace.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/in %t/T.java
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: javac -d %t/p %t/P.java
// RUN: java -Xverify:all -cp %t/out:%t/p T | FileCheck %s
//
// CHECK-LABEL: == kinds
// CHECK-NEXT: before T.stat(IJD)V null [1, 2, 3.0]
// CHECK-NEXT: after T.stat(IJD)V null [1, 2, 3.0] -> null
// CHECK-NEXT: before T.inst(Ljava/lang/String;)I T [s]
// CHECK-NEXT: after T.inst(Ljava/lang/String;)I T [s] -> Integer 1
// CHECK-NEXT: before T.priv()Z T []
// CHECK-NEXT: after T.priv()Z T [] -> Boolean true
// CHECK-NEXT: before T$I.iface(C)C Impl [x]
// CHECK-NEXT: after T$I.iface(C)C Impl [x] -> Character x
// CHECK-NEXT: before T$Made.<init>(B)V null [7]
// CHECK-NEXT: before T$Base.<init>(S)V null [7]
// CHECK-NEXT: after T$Base.<init>(S)V null [7] -> null
// CHECK-NEXT: after T$Made.<init>(B)V null [7] -> null
// CHECK-NEXT: before T$Made.sup()J Made []
// CHECK-NEXT: before T$Base.sup()J Made []
// CHECK-NEXT: after T$Base.sup()J Made [] -> Long 3
// CHECK-NEXT: after T$Made.sup()J Made [] -> Long 4
// CHECK-NEXT: before [I.clone()Ljava/lang/Object; int[] []
// CHECK-NEXT: after [I.clone()Ljava/lang/Object; int[] [] -> int[]
// CHECK-NEXT: before [Ljava/lang/String;.clone()Ljava/lang/Object; String[] []
// CHECK-NEXT: after [Ljava/lang/String;.clone()Ljava/lang/Object; String[] [] -> String[]
// CHECK-NEXT: before T.nul([Ljava/lang/String;)Ljava/lang/Object; null [null]
// CHECK-NEXT: after T.nul([Ljava/lang/String;)Ljava/lang/Object; null [null] -> null
// CHECK-LABEL: == nested
// CHECK-NEXT: before T.f(I)I null [1]
// CHECK-NEXT: after T.f(I)I null [1] -> Integer 2
// CHECK-NEXT: before T.f(I)I null [2]
// CHECK-NEXT: after T.f(I)I null [2] -> Integer 3
// CHECK-NEXT: before T.g(JID)J null [5, 3, 0.5]
// CHECK-NEXT: after T.g(JID)J null [5, 3, 0.5] -> Long 8
// CHECK-NEXT: = 100 8 6
// CHECK-LABEL: == recursion
// CHECK-NEXT: before T.fact(I)I null [3]
// CHECK-NEXT: before T.fact(I)I null [2]
// CHECK-NEXT: before T.fact(I)I null [1]
// CHECK-NEXT: after T.fact(I)I null [1] -> Integer 1
// CHECK-NEXT: after T.fact(I)I null [2] -> Integer 2
// CHECK-NEXT: after T.fact(I)I null [3] -> Integer 6
// CHECK-LABEL: == throws
// CHECK-NEXT: before T.fail(Ljava/lang/String;)I null [a]
// CHECK-NEXT: after T.fail(Ljava/lang/String;)I null [a] !! java.lang.IllegalStateException: a
// CHECK-NEXT: second !! java.lang.IllegalStateException: a
// CHECK-NEXT: caught a
// CHECK-NEXT: before T.fail(Ljava/lang/String;)I null [b]
// CHECK-NEXT: after T.fail(Ljava/lang/String;)I null [b] !! java.lang.IllegalStateException: b
// CHECK-NEXT: second !! java.lang.IllegalStateException: b
// CHECK-NEXT: finally 12
// CHECK-NEXT: caught b
// CHECK-NEXT: before T$Made.<init>(B)V null [-1]
// CHECK-NEXT: before T$Base.<init>(S)V null [-1]
// CHECK-NEXT: after T$Made.<init>(B)V null [-1] !! java.lang.IllegalStateException: negative
// CHECK-NEXT: caught negative
// CHECK-LABEL: == writes
// CHECK-NEXT: changed 42 wow 2.5
// CHECK-NEXT: self [changed]
// CHECK-NEXT: wrong class java.lang.ClassCastException
// CHECK-NEXT: wrong primitive java.lang.ClassCastException
// CHECK-NEXT: null primitive java.lang.NullPointerException
// CHECK-NEXT: null reference null
// CHECK-LABEL: == results
// CHECK-NEXT: false 11 -3 y s! 12.5 object!
// CHECK-LABEL: == kept
// CHECK-NEXT: kept 1 1.5
// CHECK-NEXT: kept 2 2.5
// CHECK-NEXT: kept 3 3.5 for java.lang.IllegalStateException: k
// CHECK-NEXT: kept 0 0.0
// CHECK-LABEL: == settings
// CHECK-NEXT: isolated 5
// CHECK-NEXT: not switched 5
// CHECK-NEXT: switched
// CHECK-NEXT: deep a5b6c
// CHECK-NEXT: switched
// CHECK-NEXT: made 5 5
// CHECK-LABEL: == order
// CHECK-NEXT: first
// CHECK-NEXT: second
// CHECK-NEXT: second
// CHECK-NEXT: first
// CHECK-LABEL: == within
// CHECK-NEXT: from yes
// CHECK-NEXT: done

//--- advice
probe #0 "see" { exclude "p" "*" "*" "*" include "*" "T*" "<init>" "(B)V" include "*" "T*" "<init>" "(S)V" include "*" "T*" "stat" "*"
  include "*" "T*" "inst" "*" include "*" "T*" "priv" "*" include "*" "T*" "iface" "*" include "*" "*" "sup" "*" include "*" "*" "clone" "*"
  include "*" "T" "nul" "*" include "*" "T" "f" "*" include "*" "T" "g" "*" include "*" "T" "fact" "*" include "*" "T" "fail" "*"
  exclude "*" "*" "*" "*" }
within { exclude "*" "T$Impl" "*" "*" }
probe #1 "second" { include "*" "T" "fail" "*" exclude "*" "*" "*" "*" }
probe #2 "write" { include "*" "T" "w*" "*" exclude "*" "*" "*" "*" }
probe #3 "replace" { include "*" "T" "r*" "*" exclude "*" "*" "*" "*" }
probe #4 "kept" { include "*" "T" "kept" "*" exclude "*" "*" "*" "*" }
probe #5 "isolated" { include "*" "T" "isolated" "*" exclude "*" "*" "*" "*" }
probe #6 "switched" { include "*" "T" "switched" "*" include "*" "T$Two" "<init>" "*" exclude "*" "*" "*" "*" }
probe #7 "first" { include "*" "T" "ordered" "*" exclude "*" "*" "*" "*" }
probe #8 "second" { include "*" "T" "ordered" "*" exclude "*" "*" "*" "*" }
probe #9 "within" { include "*" "T" "from" "*" exclude "*" "*" "*" "*" } within { include "*" "T" "yes" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 beforeCall call p/P.before:(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)V (className, methodName, methodSig, thisObject, args) args=write
advice #1 probe #0 afterCall call p/P.after:(Ljava/lang/Object;Ljava/lang/Throwable;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)V (returnedObject, exceptionObject, className, methodName, methodSig, thisObject, args)
advice #2 probe #1 afterCall call p/P.second:(Ljava/lang/Throwable;)V (exceptionObject)
advice #3 probe #2 beforeCall call p/P.write:(Ljava/lang/String;[Ljava/lang/Object;)V (methodName, args) args=write
advice #4 probe #3 afterCall call p/P.replace:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace
advice #5 probe #4 beforeCall call p/P.keep:(Ljava/lang/Object;)D (thisObject) result=keep switch=p/P.keeping
advice #6 probe #4 afterCall call p/P.kept:(Ljava/lang/Throwable;D[Ljava/lang/Object;)V (exceptionObject, kept, args)
advice #7 probe #5 beforeCall call p/P.bad:(Ljava/lang/Object;)V (thisObject) exceptions=isolate
advice #8 probe #5 afterCall call p/P.bad:(Ljava/lang/Object;)V (returnedObject) exceptions=isolate
advice #9 probe #6 beforeCall call p/P.say:([Ljava/lang/Object;)V (args) switch=p/P.on args=write
advice #10 probe #6 afterCall call p/P.quiet:(Ljava/lang/Object;)V (returnedObject) switch=p/P.on exceptions=isolate
advice #11 probe #7 beforeCall call p/P.first:()V ()
advice #12 probe #7 afterCall call p/P.first:()V () order=1
advice #13 probe #8 beforeCall call p/P.second:()V () order=1
advice #14 probe #8 afterCall call p/P.second:()V () order=2
advice #15 probe #9 beforeCall call p/P.from:([Ljava/lang/Object;)V (args)

//--- P.java
package p;
import java.util.Arrays;
public class P {
  public static boolean on, keeping = true;
  public static boolean on() { return on; }
  public static boolean keeping() { return keeping; }
  static int calls;
  static void out(String s) { System.out.println(s); }
  static String show(Object o) {
    if (o == null) return "null";
    String n = o.getClass().getSimpleName();
    return o instanceof Number || o instanceof Boolean || o instanceof Character ? n + " " + o : n;
  }
  public static void before(String c, String m, String s, Object t, Object[] a) {
    out("before " + c + "." + m + s + " " + show(t) + " " + Arrays.toString(a));
  }
  public static void after(Object r, Throwable e, String c, String m, String s, Object t, Object[] a) {
    out("after " + c + "." + m + s + " " + show(t) + " " + Arrays.toString(a) + (e == null ? " -> " + show(r) : " !! " + e));
  }
  public static void second(Throwable e) { if (e != null) out("second !! " + e); }
  public static void write(String m, Object[] a) {
    switch (m) {
    case "w": a[0] = 42; a[1] = "wow"; a[2] = 2.5; break;
    case "wself": a[0] = new Object[] {"changed"}; break;
    case "wclass": a[0] = 1; break;
    case "wprim": a[0] = "one"; break;
    default: a[0] = null;
    }
  }
  public static Object replace(Object r) {
    if (r instanceof Boolean) return !(Boolean) r;
    if (r instanceof Integer) return (Integer) r + 10;
    if (r instanceof Byte) return (byte) -(Byte) r;
    if (r instanceof Character) return (char) ((Character) r + 1);
    if (r instanceof Double) return (Double) r + 10;
    return r + "!";
  }
  public static double keep(Object t) { if (t != null) throw new Error(); return ++calls + .5; }
  static int n;
  public static void kept(Throwable e, double k, Object[] a) {
    out("kept " + a[0] + " " + k + (e == null ? "" : " for " + e));
  }
  public static void bad(Object o) { throw new IllegalStateException("dropped"); }
  public static void say(Object[] a) { out("switched"); a[0] = 5; }
  public static void quiet(Object o) {}
  public static void first() { out("first"); }
  public static void second() { out("second"); }
  public static void from(Object[] a) { out("from " + a[0]); }
}

//--- T.java
public class T {
  interface I { char iface(char c); }
  static class Impl implements I { public char iface(char c) { T.stat(0, 0, 0); return c; } }
  static class Base {
    Base(short s) { if (s < 0) throw new IllegalStateException("negative"); }
    long sup() { return 3; }
  }
  static class Made extends Base {
    Made(byte b) { super(b); }
    long sup() { return super.sup() + 1; }
  }
  static class Two { int a; Two(int a, int b) { this.a = a; } }
  static void stat(int i, long j, double d) {}
  int inst(String s) { return s.length(); }
  private boolean priv() { return true; }
  static Object nul(String[] a) { return a; }
  static int f(int i) { return i + 1; }
  static long g(long a, int b, double d) { return a + b; }
  static int fact(int n) { return n == 1 ? 1 : n * fact(n - 1); }
  static int fail(String s) { throw new IllegalStateException(s); }
  static void w(int i, String s, double d) { System.out.println("changed " + i + " " + s + " " + d); }
  static void wself(Object[] a) { System.out.println("self " + java.util.Arrays.toString(a)); }
  static void wclass(String s) {}
  static void wprim(long l) {}
  static void wnull(int l) {}
  static void wref(int[] l) { System.out.println("null reference " + l); }
  static boolean rz() { return true; }
  static int ri() { return 1; }
  static byte rb() { return 3; }
  static char rc() { return 'x'; }
  static String rs() { return "s"; }
  static double rd() { return 2.5; }
  static Object ro() { return "object"; }
  static void kept(int i) { if (i == 3) throw new IllegalStateException("k"); }
  static int isolated(int i) { return i; }
  static int switched(int i) { return i; }
  static void ordered() {}
  static void from(String s) {}
  static void yes() { from("yes"); }
  static void no() { from("no"); }
  static void t(Runnable r) {
    try { r.run(); } catch (RuntimeException e) { System.out.println("caught " + e.getMessage()); }
  }
  static int ends() {
    int k = 12;
    try {
      fail("b");
    } finally {
      System.out.println("finally " + k);
    }
    return k;
  }
  static void mistaken(int what) {
    try {
      if (what == 0) wclass("x");
      else if (what == 1) wprim(1);
      else wnull(1);
    } catch (RuntimeException e) {
      System.out.println((what == 0 ? "wrong class " : what == 1 ? "wrong primitive " : "null primitive ") + e.getClass().getName());
    }
  }
  public static void main(String[] x) throws Exception {
    System.out.println("== kinds");
    stat(1, 2, 3);
    T t = new T();
    t.inst("s");
    t.priv();
    I i = new Impl();
    i.iface('x');
    Made m = new Made((byte) 7);
    m.sup();
    int[] ints = new int[] {1}.clone();
    String[] strings = new String[0].clone();
    nul(null);
    System.out.println("== nested");
    String s = "= " + (100 + 0 * f(1)) + " " + g(5, f(2), .5) + " " + ints.length * 6;
    System.out.println(s);
    System.out.println("== recursion");
    fact(3);
    System.out.println("== throws");
    // The range ends at the call.
    try { fail("a"); } catch (IllegalStateException e) { System.out.println("caught " + e.getMessage()); }
    t(() -> ends());
    t(() -> new Made((byte) -1));
    System.out.println("== writes");
    w(1, "s", 2);
    wself(x);
    mistaken(0);
    mistaken(1);
    mistaken(2);
    wref(ints);
    System.out.println("== results");
    System.out.println(rz() + " " + ri() + " " + rb() + " " + rc() + " " + rs() + " " + rd() + " " + ro());
    System.out.println("== kept");
    kept(1);
    kept(2);
    try { kept(3); } catch (IllegalStateException e) {}
    Class.forName("p.P").getField("keeping").setBoolean(null, false);
    kept(0);
    System.out.println("== settings");
    System.out.println("isolated " + isolated(5));
    System.out.println("not switched " + switched(5));
    Class.forName("p.P").getField("on").setBoolean(null, true);
    System.out.println("deep " + "a" + switched(1) + "b" + 6 + "c");
    System.out.println("made " + new Two(3, x.length).a + " 5");
    System.out.println("== order");
    ordered();
    System.out.println("== within");
    yes();
    no();
    System.out.println("done");
  }
}
