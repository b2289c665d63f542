// Java 25 lets statements stand before super() and this(): handlers, finally
// blocks, loops and writes of fields, where `this` is not initialised yet.
//
// REQUIRES: jdk25
// RUN: rm -rf %t && split-file %s %t
// RUN: %jdk25/bin/javac -d %t/in %t/T.java
// RUN: %jdk25/bin/java -Xverify:all -cp %t/in T > %t/expected
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: %jdk25/bin/javac -d %t/out %t/P.java
// RUN: %jdk25/bin/java -Xverify:all -cp %t/out T > %t/got 2> %t/trace
// RUN: diff %t/expected %t/got
// RUN: FileCheck %s --match-full-lines < %t/trace
//
// CHECK:      > [5] null
// CHECK-NEXT: after T$Sub
// CHECK-NEXT: < null T$Sub
//
// A handler in front of super() caught something.
// CHECK-NEXT: > [x] null
// CHECK-NEXT: after T$Sub
// CHECK-NEXT: < null T$Sub
//
// Thrown in front of super(), by super() itself, and behind it.
// CHECK-NEXT: > [13] null
// CHECK-NEXT: < java.lang.IllegalArgumentException: early null
// CHECK-NEXT: > [17] null
// CHECK-NEXT: > [19] null
// CHECK-NEXT: after T$Sub
// CHECK-NEXT: < java.lang.IllegalStateException: late null
//
// this() behind a finally block, which throws once.
// CHECK-NEXT: > [2] null
// CHECK-NEXT: > [2] null
// CHECK-NEXT: after T$Sub
// CHECK-NEXT: < null T$Sub
// CHECK-NEXT: after T$Sub
// CHECK-NEXT: < null T$Sub
// CHECK-NEXT: > [] null
// CHECK-NEXT: < java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0 null
// CHECK-NOT: {{.+}}

//--- advice
probe #0 "sub" { include "*" "T$Sub" "<init>" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 entry call p/P.bad:()V () exceptions=isolate switch=p/P.on
advice #1 probe #0 entry call p/P.enter:([Ljava/lang/Object;Ljava/lang/Object;)J (args, thisObject) result=keep
advice #2 probe #0 entry call p/P.after:(Ljava/lang/Object;)V (thisObject) constructor=after-super
advice #3 probe #0 exit call p/P.leave:(JLjava/lang/Throwable;Ljava/lang/Object;)V (kept, exceptionObject, thisObject)
advice #4 probe #0 exit call p/P.bad:()V () exceptions=isolate

//--- P.java
package p;
public class P {
  public static boolean on() { return true; }
  static String name(Object t) { return t == null ? "null" : t.getClass().getName(); }
  public static void bad() { throw new IllegalStateException("dropped"); }
  public static long enter(Object[] a, Object t) {
    Object first = a[0] instanceof int[] n ? java.util.Arrays.toString(n) : "[" + a[0] + "]";
    System.err.println("> " + first + " " + name(t));
    return 9;
  }
  public static void after(Object t) { System.err.println("after " + name(t)); }
  public static void leave(long kept, Throwable e, Object t) {
    System.err.println((kept == 9 ? "< " : "not kept ") + e + " " + name(t));
  }
}

//--- T.java
public class T {
  static class Base {
    Base(int v) { if (v == 17) throw new IllegalStateException("base"); show(); }
    void show() {}
  }
  static class Sub extends Base {
    final int n;
    Sub(String s) {
      int v;
      try {
        v = Integer.parseInt(s);
      } catch (NumberFormatException e) {
        System.out.println("caught " + s);
        v = -1;
      }
      for (int i = 0; i < v; ++i)
        if (i == 12) throw new IllegalArgumentException("early");
      n = v;
      super(v);
    }
    Sub(long v) {
      n = (int) v;
      super((int) v);
      if (v == 19) throw new IllegalStateException("late");
    }
    Sub(int[] a) {
      int k;
      try {
        k = a[0];
      } finally {
        System.out.println("looked");
      }
      this((long) k);
    }
    @Override void show() { System.out.println("show " + n); }
  }
  static void t(java.util.function.Supplier<Sub> s) {
    try { System.out.println(s.get().n); } catch (RuntimeException e) { System.out.println(e); }
  }
  public static void main(String[] a) {
    t(() -> new Sub("5"));
    t(() -> new Sub("x"));
    t(() -> new Sub("13"));
    t(() -> new Sub(17L));
    t(() -> new Sub(19L));
    t(() -> new Sub(new int[] {2}));
    t(() -> new Sub(new int[0]));
  }
}
