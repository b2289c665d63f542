// Class files without frames: the exit handler covers super() too, so every
// entry has its exit; from version 50 on, one exit is missing.
//
// REQUIRES: ecj
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/p %t/P.java
// RUN: sh %t/run.sh %t %S/Inputs/weave.sh | FileCheck %s
//
// CHECK: 46: same, 17 entries, 17 exits
// CHECK-NEXT: 48: same, 17 entries, 17 exits
// CHECK-NEXT: 49: same, 17 entries, 17 exits
// CHECK-NEXT: 50: same, 17 entries, 16 exits
// CHECK-NEXT: 51: same, 17 entries, 16 exits

//--- run.sh
set -e
cd $1
for level in '-source 1.3 -target 1.2' '-source 1.4 -target 1.4' -1.5 -1.6 -1.7; do
  rm -rf in out && mkdir in
  ecj $level -nowarn -proc:none -d in T.java
  $2 advice in out >&2
  java -cp in T > expected
  java -Xverify:all -cp out:p T > got 2> trace
  cmp expected got
  echo $(od -An -j7 -N1 -tu1 in/T.class): same, $(grep -c '^>' trace) entries, \
    $(grep -c '^<' trace) exits
done

//--- advice
probe #0 "all" {}
advice #0 probe #0 entry call p/P.enter:(Ljava/lang/String;[Ljava/lang/Object;)V (methodName, args)
advice #1 probe #0 exit call p/P.leave:(Ljava/lang/Object;Ljava/lang/Throwable;Ljava/lang/Object;)V (returnedObject, exceptionObject, thisObject)

//--- P.java
package p;
public class P {
  public static void enter(String m, Object[] a) { System.err.println("> " + m + a.length); }
  public static void leave(Object r, Throwable e, Object t) { System.err.println("< " + r + e + (t != null)); }
}

//--- T.java
public class T {
  static class Base {
    Base(String s) { if (s.equals("base")) throw new RuntimeException("base"); }
  }
  static class Sub extends Base {
    Sub(String s, boolean b) {
      super(b ? s.substring(1) : s);
      if (s.equals("late")) throw new RuntimeException("late");
    }
  }
  static int fin(int n) {
    try {
      if (n > 0) return n;
      throw new RuntimeException("n");
    } catch (IllegalStateException e) {
      return 5;
    } finally {
      System.out.println("fin");
    }
  }
  static long loop(long n) { do { n--; } while (n > 0); return n; }
  synchronized double sync(double d) { synchronized (T.class) { return d; } }
  static void t(String s, boolean b) {
    try { new Sub(s, b); System.out.println("ok"); } catch (RuntimeException e) { System.out.println(e.getMessage() != null); }
  }
  public static void main(String[] a) {
    t("ok", true);
    t("", true);
    t("base", false);
    t("late", false);
    System.out.println(fin(2));
    try { fin(0); } catch (RuntimeException e) { System.out.println("rte"); }
    System.out.println(loop(3) + " " + new T().sync(2.5));
  }
}
