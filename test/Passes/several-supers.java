// Constructors that call super() or this() in several branches, in a handler
// and in a switch, as the JVM allows and no Java compiler writes.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/in %t/T.java && cat %t/advice %t/Branch.jir > %t/all.jir
// RUN: jopt %t/Branch.jir -o %t/in/Branch.class && java -Xverify:all -cp %t/in T > %t/expected
// RUN: cp -r %t/in %t/out && javac -d %t/out %t/P.java
// RUN: jopt -passes=insert-probes -verify-each -verify-output %t/all.jir -o %t/out/Branch.class
// RUN: java -Xverify:all -cp %t/out T > %t/got 2> %t/trace
// RUN: diff %t/expected %t/got && FileCheck %s --match-full-lines < %t/trace
// RUN: %if jdk25 %{ %jdk25/bin/java -Xverify:all -cp %t/out T 2> %t/trace25 | cmp - %t/expected %}
// RUN: %if jdk25 %{ cmp %t/trace %t/trace25 %}
//
// super() in one branch, this() in the other, one after a handler.
// CHECK:      > [6] null
// CHECK-NEXT: after Branch
// CHECK-NEXT: < null Branch
// CHECK-NEXT: > [-6] null
// CHECK-NEXT: > [a, null] null
// CHECK-NEXT: after Branch
// CHECK-NEXT: < null Branch
// CHECK-NEXT: after Branch
// CHECK-NEXT: < null Branch
// CHECK-NEXT: > [0] null
// CHECK-NEXT: after Branch
// CHECK-NEXT: < null Branch
//
// Thrown behind super(), and by super() itself, which gives no exit.
// CHECK-NEXT: > [12] null
// CHECK-NEXT: after Branch
// CHECK-NEXT: < java.lang.IllegalStateException: late null
// CHECK-NEXT: > [4] null
//
// A switch with a super() in each case, and a case that throws.
// CHECK-NEXT: > [a, null] null
// CHECK-NEXT: after Branch
// CHECK-NEXT: < null Branch
// CHECK-NEXT: > [ab, null] null
// CHECK-NEXT: after Branch
// CHECK-NEXT: < null Branch
// CHECK-NEXT: > [abc, null] null
// CHECK-NEXT: < java.lang.NullPointerException null
// CHECK-NOT: {{.+}}

//--- advice
probe #0 "branches" { include "*" "Branch" "<init>" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 entry call p/P.bad:()V () exceptions=isolate switch=p/P.on
advice #1 probe #0 entry call p/P.enter:([Ljava/lang/Object;Ljava/lang/Object;)J (args, thisObject) result=keep
advice #2 probe #0 entry call p/P.after:(Ljava/lang/Object;)V (thisObject) constructor=after-super
advice #3 probe #0 exit call p/P.leave:(JLjava/lang/Throwable;Ljava/lang/Object;)V (kept, exceptionObject, thisObject) exceptions=isolate
advice #4 probe #0 exit call p/P.bad:()V () exceptions=isolate

//--- P.java
package p;
public class P {
  public static boolean on() { return true; }
  static String name(Object t) { return t == null ? "null" : t.getClass().getName(); }
  public static void bad() { throw new IllegalStateException("dropped"); }
  public static long enter(Object[] a, Object t) {
    System.err.println("> " + java.util.Arrays.toString(a) + " " + name(t));
    return 9;
  }
  public static void after(Object t) { System.err.println("after " + name(t)); }
  public static void leave(long kept, Throwable e, Object t) {
    System.err.println((kept == 9 ? "< " : "not kept ") + (e instanceof NullPointerException ? e.getClass().getName() : e)
        + " " + name(t));
  }
}

//--- T.java
public class T {
  public static class Base {
    public Base(int v) {
      System.out.println("base " + v);
      if (v == 3) throw new IllegalStateException("base");
    }
  }
  static void t(Class<?>[] types, Object... a) throws Exception {
    try {
      System.out.println(Class.forName("Branch").getConstructor(types).newInstance(a) != null);
    } catch (java.lang.reflect.InvocationTargetException e) {
      System.out.println(e.getCause().getClass());
    }
  }
  public static void main(String[] a) throws Exception {
    for (int n : new int[] {6, -6, 0, 12, 4})
      t(new Class<?>[] {int.class}, n);
    for (String s : new String[] {"a", "ab", "abc"})
      t(new Class<?>[] {String.class, Object.class}, s, null);
  }
}

//--- Branch.jir
class public super Branch extends T$Base version 61.0 {
  ; n == 0: super(-1); 12 / n > 0: super(12 / n); otherwise this("a", null).
  method public <init>:(I)V {
    code slots 2 {
      try t0 -> b5 catch java/lang/ArithmeticException
    b0 throws t0:
      %0:int = const int 12
      %1:int = local.get 1
      %2:int = idiv (%0, %1)
      local.set 1 (%2)
      %3:int = local.get 1
      ifle (%3) b2, b1
    b1:
      %4:uninitThis = local.get 0
      %5:int = local.get 1
      %6:Branch = invokespecial T$Base.<init>:(I)V (%4, %5)
      goto b3
    b2 frame [uninitThis, int]:
      %7:uninitThis = local.get 0
      %8:java/lang/String = const "a"
      %9:null = const null
      %10:Branch = invokespecial Branch.<init>:(Ljava/lang/String;Ljava/lang/Object;)V (%7, %8, %9)
      goto b3
    b3 frame [Branch, int]:
      %11:int = local.get 1
      %12:int = const int 1
      if_icmpne (%11, %12) b6, b4
    b4:
      %13:uninit(0) keep = new java/lang/IllegalStateException
      %14:java/lang/String = const "late"
      %15:java/lang/IllegalStateException = invokespecial java/lang/IllegalStateException.<init>:(Ljava/lang/String;)V (%13, %14)
      athrow (%15)
    b5(%16:java/lang/ArithmeticException) handler frame [uninitThis, int]:
      %17:uninitThis = local.get 0
      %18:int = const int -1
      %19:Branch = invokespecial T$Base.<init>:(I)V (%17, %18)
      goto b3
    b6 frame [Branch, int]:
      return
    }
  }
  ; By the length of the string; 3 asks the second argument, which is null.
  method public <init>:(Ljava/lang/String;Ljava/lang/Object;)V {
    code slots 3 {
    b0:
      %0:java/lang/String = local.get 1
      %1:int = invokevirtual java/lang/String.length:()I (%0)
      tableswitch (%1) [default: b3, 1: b1, 2: b2]
    b1 frame [uninitThis, java/lang/String, java/lang/Object]:
      %2:uninitThis = local.get 0
      %3:int = const int 10
      %4:Branch = invokespecial T$Base.<init>:(I)V (%2, %3)
      return
    b2 frame [uninitThis, java/lang/String, java/lang/Object]:
      %5:uninitThis = local.get 0
      %6:int = const int 20
      %7:Branch = invokespecial T$Base.<init>:(I)V (%5, %6)
      return
    b3 frame [uninitThis, java/lang/String, java/lang/Object]:
      %8:uninitThis = local.get 0
      %9:java/lang/Object = local.get 2
      %10:int = invokevirtual java/lang/Object.hashCode:()I (%9)
      %11:Branch = invokespecial T$Base.<init>:(I)V (%8, %10)
      return
    }
  }
}
