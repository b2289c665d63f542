// Shapes that javac makes seldom or never: 255 arguments, `this` overwritten,
// switches and isolation before super(), handlers inside their own range.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/in %t/T.java
// RUN: python3 %t/make255.py > %t/Many.java && javac -d %t/in %t/Many.java
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: cp %t/shapes.jir %t/out/x.jir && cat %t/advice %t/shapes.jir > %t/all.jir
// RUN: jopt -passes=insert-probes -verify-each -verify-output %t/all.jir -o %t/out/Shapes.class
// RUN: javac -cp %t/out -d %t/out %t/P.java
// RUN: java -Xverify:all -cp %t/out T 2>&1 | FileCheck %s
//
// CHECK: > many 255 0 254
// CHECK-NEXT: < many
// CHECK-NEXT: > longs 127 0 126
// CHECK-NEXT: < longs
//
// Slot 0 is overwritten; the probe still gets the object.
// CHECK-NEXT: > overwritten 0 Shapes
// CHECK-NEXT: < overwritten Shapes
// A handler that covers itself: one exit.
// CHECK-NEXT: > self 0
// CHECK-NEXT: < self
// CHECK-NEXT: > <init> 1 5 5
// CHECK-NEXT: < <init> T$Guarded
// CHECK-NEXT: > <init> 1 -1 -1
// CHECK-NEXT: < <init> null java.lang.ArithmeticException: / by zero
// CHECK-NEXT: done

//--- advice
probe #0 "all" { exclude "*" "*" "main" "*" exclude "*" "T" "*" "*" exclude "*" "Shapes" "<init>" "*" exclude "*" "T$Base" "*" "*" }
advice #0 probe #0 entry call p/P.bad:()V () exceptions=isolate switch=p/P.on
advice #1 probe #0 entry call p/P.enter:(Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)J (methodName, thisObject, args) result=keep exceptions=isolate switch=p/P.on
advice #2 probe #0 exit call p/P.leave:(Ljava/lang/Throwable;Ljava/lang/String;Ljava/lang/Object;J)V (exceptionObject, methodName, thisObject, kept) exceptions=isolate switch=p/P.on
advice #3 probe #0 exit call p/P.bad:()V () exceptions=isolate switch=p/P.on

//--- make255.py
print("public class Many {")
print("  public static void many(" + ", ".join(f"int a{i}" for i in range(255)) + ") {}")
print("  public static void longs(" + ", ".join(f"{'long' if i % 2 else 'double'} a{i}" for i in range(127)) + ") {}")
print("  static void run() {")
print("    many(" + ", ".join(str(i) for i in range(255)) + ");")
print("    longs(" + ", ".join(str(i) for i in range(127)) + ");")
print("  }\n}")

//--- P.java
package p;
public class P {
  public static boolean on() { return true; }
  static String name(Object t) { return t == null ? "" : t.getClass().getName(); }
  public static void bad() { throw new IllegalStateException("dropped"); }
  public static long enter(String m, Object t, Object[] a) {
    if (m.equals("run")) return 0;
    System.err.println("> " + m + " " + a.length
        + (a.length > 0 ? " " + ((Number) a[0]).intValue() + " " + ((Number) a[a.length - 1]).intValue() : "")
        + (t == null ? "" : " " + name(t)));
    return 77;
  }
  public static void leave(Throwable e, String m, Object t, long kept) {
    if (kept != 77) return;
    System.err.println(("< " + m + " " + (t == null && e != null ? "null " + e : name(t))).trim());
  }
}

//--- T.java
public class T {
  static class Base { Base(int x) {} }
  static class Guarded extends Base {
    Guarded(int n) { super(n > 0 ? n : n / (n + 1)); }
  }
  public static void main(String[] a) throws Exception {
    Class<?> c = Class.forName("Many");
    c.getDeclaredMethod("run").invoke(null);
    Object s = Class.forName("Shapes").getConstructor().newInstance();
    s.getClass().getMethod("overwritten").invoke(s);
    s.getClass().getMethod("self").invoke(null);
    new Guarded(5);
    try { new Guarded(-1); } catch (ArithmeticException e) {}
    System.err.println("done");
  }
}

//--- shapes.jir
class public super Shapes extends java/lang/Object version 61.0 {
  method public <init>:()V {
    code slots 1 {
    b0:
      %0:uninitThis = local.get 0
      %1:Shapes = invokespecial java/lang/Object.<init>:()V (%0)
      return
    }
  }
  method public overwritten:()Ljava/lang/Object; {
    code slots 1 {
    b0:
      %0:java/lang/String = const "gone"
      local.set 0 (%0)
      goto b1
    b1 frame [java/lang/String]:
      %1:java/lang/String = local.get 0
      areturn (%1)
    }
  }
  method public static self:()I {
    code slots 1 {
      try t0 -> b1 catch java/lang/NullPointerException
    b0:
      %0:int = const int 3
      local.set 0 (%0)
      goto b2
    b1(%1:java/lang/NullPointerException) handler frame [int] throws t0:
      goto b2
    b2 frame [int] throws t0:
      local.inc 0, -1
      %2:int = local.get 0
      ifge (%2) b2, b3
    b3:
      %3:int = local.get 0
      ireturn (%3)
    }
  }
}
