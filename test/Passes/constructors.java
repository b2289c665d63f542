// Constructors: entry before super(), exits but for what super() itself throws,
// the object only at normal exit, advices after super().
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/in %t/T.java && java -cp %t/in T > %t/expected
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: javac -d %t/out %t/P.java
// RUN: java -Xverify:all -cp %t/out T > %t/got 2> %t/trace
// RUN: diff %t/expected %t/got
// RUN: FileCheck %s < %t/trace
// RUN: jopt -passes=insert-probes -pass-remarks=place-exits '%t/out/T$Sub.class.jir' \
// RUN:   -emit=none 2>&1 | FileCheck %s --check-prefix=REMARK
//
// CHECK: > T.<init> null
// CHECK-NEXT: after T{{$}}
// CHECK-NEXT: > T$Sub.<init> null
// CHECK-NEXT: > T$Base.<init> null
// CHECK-NEXT: after T$Base
// CHECK-NEXT: < T$Base.<init> null T$Sub
// CHECK-NEXT: after T$Sub
// CHECK-NEXT: < T$Sub.<init> null T$Sub
//
// The argument of super() throws: an exit, without the object.
// CHECK-NEXT: < T.<init> null T{{$}}
// CHECK-NEXT: > T$Sub.<init> null
// CHECK-NEXT: < T$Sub.<init> java.lang.StringIndexOutOfBoundsException{{.*}} null
//
// super() throws: no exit, the JVM allows no handler there.
// CHECK-NEXT: > T$Sub.<init> null
// CHECK-NEXT: > T$Base.<init> null
// CHECK-NEXT: after T$Base
// CHECK-NEXT: < T$Base.<init> java.lang.RuntimeException: base null
// CHECK-NEXT: > T$Sub.<init> null
// CHECK-NEXT: > T$Base.<init> null
// CHECK-NEXT: after T$Base
// CHECK-NEXT: < T$Base.<init> null T$Sub
// CHECK-NEXT: after T$Sub
// CHECK-NEXT: < T$Sub.<init> java.lang.RuntimeException: late null
//
// this(...), with a condition in its argument.
// CHECK-NEXT: > T$This.<init> null
// CHECK-NEXT: > T$This.<init> null
// CHECK-NEXT: after T$This
// CHECK-NEXT: < T$This.<init> null T$This
// CHECK-NEXT: after T$This
// CHECK-NEXT: < T$This.<init> null T$This
//
// REMARK: remark: T$Sub.<init>(Ljava/lang/String;Z)V: exceptions out of super() or this() give no exit [place-exits]

//--- advice
probe #0 "constructors" { include "*" "*" "<init>" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 entry call p/P.enter:(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)V (className, methodName, thisObject)
advice #1 probe #0 entry call p/P.after:(Ljava/lang/Object;)V (thisObject) constructor=after-super
advice #2 probe #0 exit call p/P.leave:(Ljava/lang/Throwable;Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)V (exceptionObject, className, methodName, thisObject)

//--- P.java
package p;
public class P {
  static String name(Object t) { return t == null ? "null" : t.getClass().getName(); }
  public static void enter(String c, String m, Object t) { System.err.println("> " + c + "." + m + " " + name(t)); }
  public static void after(Object t) {
    // Whose constructor it is, not whose object: the caller of the caller knows.
    System.err.println("after " + new Throwable().getStackTrace()[1].getClassName());
  }
  public static void leave(Throwable e, String c, String m, Object t) {
    System.err.println("< " + c + "." + m + " " + e + " " + name(t));
  }
}

//--- T.java
public class T {
  static class Base {
    Base(String s) { if (s.equals("base")) throw new RuntimeException("base"); }
  }
  static class Sub extends Base {
    final String s;
    Sub(String s, boolean b) {
      super(b ? s.substring(1) : s);
      this.s = s;
      if (s.equals("late")) throw new RuntimeException("late");
    }
  }
  static class This {
    final int n;
    This(int n) { this.n = n; }
    This(String s) { this(s == null ? 0 : s.length() > 2 ? 1 : 2); }
  }
  T() { new Sub("ok", true); }
  static void t(String s, boolean b) {
    try { System.out.println(new Sub(s, b).s); } catch (RuntimeException e) { System.out.println(e.getMessage()); }
  }
  public static void main(String[] a) {
    new T();
    t("", true);
    t("base", false);
    t("late", false);
    System.out.println(new This("abc").n);
  }
}
