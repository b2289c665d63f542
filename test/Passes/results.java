// Every use of an advice's result, its switch, its exceptions and its place
// relative to the ranges.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/in %t/T.java
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: javac -d %t/out %t/P.java
// RUN: java -Xverify:all -cp %t/out T | FileCheck %s
//
// CHECK: int 101
// CHECK-NEXT: long 1000000000001
// CHECK-NEXT: float 1.5
// CHECK-NEXT: double 2.5
// CHECK-NEXT: boolean false
// CHECK-NEXT: string <s>
// CHECK-NEXT: object [o]
// CHECK-NEXT: kept 41
// CHECK-NEXT: kept 42 for java.lang.IllegalStateException
// CHECK-NEXT: isolated 8
// CHECK-NEXT: switched 1
// CHECK-NEXT: switched 10
// CHECK-NEXT: inside caught java.lang.IllegalStateException: advice
// CHECK-NEXT: outside thrown java.lang.IllegalStateException: advice
// CHECK-NEXT: dropped
// CHECK-NEXT: ternary <b>

//--- advice
probe #0 "int" { include "*" "T" "*" "*)I" exclude "*" "*" "*" "*" }
probe #1 "others" { include "*" "T" "r*" "*" exclude "*" "*" "*" "*" }
probe #2 "string" { include "*" "T" "*" "*)Ljava/lang/String;" exclude "*" "*" "*" "*" }
probe #3 "object" { include "*" "T" "*" "*)Ljava/lang/Object;" exclude "*" "*" "*" "*" }
probe #4 "kept" { include "*" "T" "kept*" "*" exclude "*" "*" "*" "*" }
probe #5 "isolated" { include "*" "T" "isolated" "*" exclude "*" "*" "*" "*" }
probe #6 "switched" { include "*" "T" "switched" "*" exclude "*" "*" "*" "*" }
probe #7 "inside" { include "*" "T" "inside" "*" exclude "*" "*" "*" "*" }
probe #8 "outside" { include "*" "T" "outside" "*" exclude "*" "*" "*" "*" }
probe #9 "void" { include "*" "T" "nothing" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 exit call p/P.more:(Ljava/lang/Object;)I (returnedObject) result=replace switch=p/P.ints
advice #1 probe #1 exit call p/P.any:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace
advice #2 probe #2 exit call p/P.angle:(Ljava/lang/Object;)Ljava/lang/String; (returnedObject) result=replace
advice #3 probe #3 exit call p/P.square:(Ljava/lang/Object;)Ljava/lang/String; (returnedObject) result=replace
advice #4 probe #4 entry call p/P.start:()J () result=keep
advice #5 probe #4 exit call p/P.stop:(JLjava/lang/Throwable;)V (kept, exceptionObject)
advice #6 probe #5 entry call p/P.fail:()J () result=keep exceptions=isolate
advice #7 probe #5 exit call p/P.failed:(Ljava/lang/Object;J)I (returnedObject, kept) exceptions=isolate result=replace
advice #8 probe #6 exit call p/P.ten:()Ljava/lang/Byte; () result=replace exceptions=isolate switch=p/P.on
advice #9 probe #7 entry call p/P.fail:()J () range=inside
advice #10 probe #8 entry call p/P.fail:()J ()
advice #11 probe #9 exit call p/P.start:()J () result=replace
advice #12 probe #9 entry call p/P.start:()J () result=keep

//--- P.java
package p;
public class P {
  public static boolean on, ints = true;
  public static boolean on() { return on; }
  public static boolean ints() { return ints; }
  static long clock = 40;
  public static int more(Object r) { return (Integer) r + 100; }
  public static Object any(Object r) {
    if (r instanceof Long) return (Long) r + 1000000000000L;
    if (r instanceof Float) return (Float) r + 1;
    if (r instanceof Double) return (Double) r + 2;
    if (r instanceof Boolean) return !(Boolean) r;
    return r;
  }
  public static String angle(Object r) { return "<" + r + ">"; }
  public static String square(Object r) { return "[" + r + "]"; }
  public static long start() { return ++clock; }
  public static void stop(long t, Throwable e) {
    System.out.println("kept " + t + (e == null ? "" : " for " + e.getClass().getName()));
  }
  public static long fail() { throw new IllegalStateException("advice"); }
  public static int failed(Object r, long kept) { if (kept == 0) throw new Error(); return -1; }
  public static Byte ten() { return 10; }
}

//--- T.java
public class T {
  static int i() { return 1; }
  static long rl() { return 1; }
  static float rf() { return .5f; }
  static double rd() { return .5; }
  static boolean rb() { return true; }
  static String s() { return "s"; }
  static Object o() { return "o"; }
  static void kept() {}
  static void keptThrows() { throw new IllegalStateException(); }
  static short isolated(int a, long b) { return (short) (a + b); }
  static byte switched() { return 1; }
  static String[] inside() {
    try { return new String[0]; } catch (IllegalStateException e) { System.out.println("inside caught " + e); throw e; }
  }
  static String[] outside() {
    try { return new String[0]; } catch (IllegalStateException e) { System.out.println("outside caught"); throw e; }
  }
  static void nothing() { System.out.println("dropped"); }
  static String ternary(int a, String x) { return a > 0 ? x + "a" : x == null ? "b" : "c"; }
  public static void main(String[] a) throws Exception {
    System.out.println("int " + i());
    System.out.println("long " + rl());
    System.out.println("float " + rf());
    System.out.println("double " + rd());
    System.out.println("boolean " + rb());
    System.out.println("string " + s());
    System.out.println("object " + o());
    kept();
    try { keptThrows(); } catch (IllegalStateException e) {}
    System.out.println("isolated " + isolated(3, 5));
    System.out.println("switched " + switched());
    Class.forName("p.P").getField("on").setBoolean(null, true);
    System.out.println("switched " + switched());
    try { inside(); } catch (IllegalStateException e) {}
    try { outside(); } catch (IllegalStateException e) { System.out.println("outside thrown " + e); }
    nothing();
    System.out.println("ternary " + ternary(0, null));
  }
}
