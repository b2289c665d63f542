// Entry and exit probes on every method: the program does what it did, under
// the strictest verification, and every activation is seen once.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/in %t/T.java && java -cp %t/in T > %t/expected
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: javac -d %t/out %t/P.java
// RUN: java -Xverify:all -cp %t/out T > %t/got 2> %t/trace
// RUN: diff %t/expected %t/got
// RUN: FileCheck %s < %t/trace
//
// CHECK: > T.<clinit>()V this=null []
// CHECK-NEXT: < T.<clinit> null null this=null
// CHECK-NEXT: > T.main([Ljava/lang/String;)V
//
// A loop at offset 0 does not run the entry advice again.
// CHECK-NEXT: > T.loop(I)I this=null [3]
// CHECK-NEXT: < T.loop -1 null
// CHECK-NEXT: > T.lg(JDI)J this=null [1099511627776, 3.5, 7]
// CHECK-NEXT: < T.lg 1099511627786 null
// CHECK-NEXT: > T.db(D)D this=null [3.0]
// CHECK-NEXT: < T.db 6.0 null
// CHECK-NEXT: > T.db(D)D this=null [0.0]
// CHECK-NEXT: < T.db 1.5 null
// CHECK-NEXT: > T.fl()F this=null []
// CHECK-NEXT: < T.fl 2.0 null
//
// try, catch and finally: one exit each, none for what is caught inside.
// CHECK-NEXT: > T.tcf(Ljava/lang/String;)Ljava/lang/String; this=null [ q ]
// CHECK-NEXT: < T.tcf q null
// CHECK-NEXT: > T.tcf(Ljava/lang/String;)Ljava/lang/String; this=null [null]
// CHECK-NEXT: < T.tcf npe null
// CHECK-NEXT: > T.override()I
// CHECK-NEXT: < T.override 2 null
// CHECK-NEXT: > T.all(BSCZ)C this=null [1, 2, c, true]
// CHECK-NEXT: < T.all c null
// CHECK-NEXT: > T.<init>()V
// CHECK-NEXT: < T.<init> null null this=T
// CHECK-NEXT: > T.sync()V this=T []
// CHECK-NEXT: < T.sync null null this=T
// CHECK-NEXT: > T.block(I)I this=T [5]
// CHECK-NEXT: < T.block 6 null this=T
// CHECK-NEXT: > T.block(I)I this=T [-5]
// CHECK-NEXT: < T.block null java.lang.IllegalArgumentException: -5 this=T
// CHECK-NEXT: > T.nested(I)Ljava/lang/String;
// CHECK-NEXT: > T.fail(I)V
// CHECK-NEXT: < T.fail null java.lang.IllegalStateException: 1
// CHECK-NEXT: < T.nested ise null
// CHECK-NEXT: > T.nested(I)Ljava/lang/String;
// CHECK-NEXT: > T.fail(I)V
// CHECK-NEXT: < T.fail null java.lang.RuntimeException: 2
// CHECK-NEXT: < T.nested rte null
// CHECK-NEXT: > T.nested(I)Ljava/lang/String;
// CHECK-NEXT: > T.fail(I)V
// CHECK-NEXT: < T.fail null java.lang.Error: 3
// CHECK-NEXT: < T.nested null java.lang.Error: 3
// CHECK-NEXT: > T.lambda$main$0()V
// CHECK-NEXT: < T.lambda$main$0 null null
// CHECK-NEXT: > T.sw(Ljava/lang/String;)I
// CHECK-NEXT: < T.sw 2 null
// CHECK-NEXT: > T.forever(I)I
// CHECK-NEXT: < T.forever -2 null
// CHECK-NEXT: < T.main null null

//--- advice
probe #0 "all" {}
advice #0 probe #0 entry call p/P.enter:(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)V (className, methodName, methodSig, thisObject, args)
advice #1 probe #0 exit call p/P.leave:(Ljava/lang/Object;Ljava/lang/Throwable;Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)V (returnedObject, exceptionObject, className, methodName, thisObject, args)

//--- P.java
package p;
public class P {
  static String name(Object t) { return t == null ? "null" : t.getClass().getName(); }
  public static void enter(String c, String m, String s, Object t, Object[] a) {
    System.err.println("> " + c + "." + m + s + " this=" + name(t) + " " + java.util.Arrays.toString(a));
  }
  public static void leave(Object r, Throwable e, String c, String m, Object t, Object[] a) {
    System.err.println("< " + c + "." + m + " " + r + " " + e + " this=" + name(t) + " " + a.length);
  }
}

//--- T.java
public class T {
  static int x = Integer.getInteger("x", 3);
  static int loop(int a) { do { a--; } while (a >= 0); return a; }
  static int forever(int n) { while (true) { if (n-- < 0) return n; } }
  static long lg(long a, double b, int c) { return a + (long) b + c; }
  static double db(double x) { if (x > 1) return x * 2; return 1.5; }
  static float fl() { return 2f; }
  static String tcf(String s) {
    try { return s.trim(); } catch (NullPointerException e) { return "npe"; } finally { System.out.println("fin"); }
  }
  @SuppressWarnings("finally")
  static int override() { try { throw new Error(); } finally { return 2; } }
  static char all(byte b, short s, char c, boolean z) { return z ? c : 'x'; }
  synchronized void sync() { System.out.println("sync " + Thread.holdsLock(this)); }
  int block(int n) {
    synchronized (this) {
      if (n < 0) throw new IllegalArgumentException("" + n);
      return n + 1;
    }
  }
  static void fail(int n) {
    if (n == 1) throw new IllegalStateException("1");
    if (n == 2) throw new RuntimeException("2");
    throw new Error("3");
  }
  static String nested(int n) {
    try {
      try { fail(n); return "no"; } catch (IllegalStateException e) { return "ise"; }
    } catch (RuntimeException e) { return "rte"; } finally { System.out.println("nested " + n); }
  }
  static int sw(String s) { switch (s) { case "a": return 1; case "b": return 2; default: return 3; } }
  public static void main(String[] a) {
    System.out.println(loop(3) + " " + lg(1L << 40, 3.5, 7) + " " + db(3) + " " + db(0) + " " + fl());
    System.out.println(tcf(" q ") + tcf(null) + override() + all((byte) 1, (short) 2, 'c', true));
    T t = new T();
    t.sync();
    System.out.println(t.block(5));
    try { t.block(-5); } catch (IllegalArgumentException e) { System.out.println(Thread.holdsLock(t)); }
    System.out.println(nested(1) + nested(2));
    try { nested(3); } catch (Error e) { System.out.println(e.getMessage()); }
    Runnable r = () -> System.out.println("lambda");
    r.run();
    System.out.println(sw("b") + " " + forever(2));
  }
}
