// A call that is the first instruction of a method: what its beforeCall advice
// throws gets an exit, though no handler of a range that begins there sees it;
// what advices of the first unit throw gets none.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -d %t/in %t/T.java
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: javac -d %t/p %t/P.java
// RUN: java -Xverify:all -cp %t/out:%t/p T call | FileCheck %s
// RUN: java -Xverify:all -cp %t/out:%t/p T unit | FileCheck %s --check-prefix=UNIT
//
// CHECK: unit
// CHECK-NEXT: before
// CHECK-NEXT: exit java.lang.IllegalStateException: call
// CHECK-NEXT: main caught call
// CHECK-NOT: {{.}}
//
// UNIT: unit
// UNIT-NEXT: main caught unit
// UNIT-NOT: {{.}}

//--- advice
probe #0 "method" { include "*" "T" "first" "*" exclude "*" "*" "*" "*" }
probe #1 "calls" { include "*" "T" "callee" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 executableUnit call p/P.unit:(I)V (executableUnitNumber)
advice #1 probe #0 exit call p/P.exit:(Ljava/lang/Throwable;)V (exceptionObject)
advice #2 probe #1 beforeCall call p/P.before:()V ()

//--- P.java
package p;
public class P {
  public static String fail;
  static void on(String what) {
    System.out.println(what);
  }
  public static void unit(int n) {
    on("unit");
    if (fail.equals("unit")) throw new IllegalStateException("unit");
  }
  public static void before() {
    on("before");
    if (fail.equals("call")) throw new IllegalStateException("call");
  }
  public static void exit(Throwable t) { on("exit " + t); }
}

//--- T.java
public class T {
  static void callee() { System.out.println("callee"); }
  static void first() {
    try {
      callee();
    } catch (RuntimeException e) {
      System.out.println("first caught " + e.getMessage());
    }
  }
  public static void main(String[] args) throws Exception {
    Class.forName("p.P").getField("fail").set(null, args[0]);
    try {
      first();
    } catch (RuntimeException e) {
      System.out.println("main caught " + e.getMessage());
    }
  }
}
