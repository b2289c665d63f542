// Advices at athrow: one event for each execution, caught here or not, rethrown
// at the end of a finally or written so, first in a range or last.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: javac --release 17 -d in T.java
// RUN: javac --release 8 -nowarn -d in8 T.java
// RUN: jopt -probes=throw.xml -verify-each in -o out
// RUN: jopt -probes=throw.xml -verify-each in8 -o out8
// RUN: java -Xverify:all -cp out T | FileCheck %s --match-full-lines
// RUN: java -Xverify:all -cp out8 T | FileCheck %s --match-full-lines
//
// With all else that has to do with exceptions; a handler that a pass made
// throws nothing of the program's.
// RUN: jopt -probes=throw.xml -probes=others.xml -isolate-probes in -o more
// RUN: java -Xverify:all -cp more T | FileCheck %s --match-full-lines
//
// CHECK:      outside throws java.lang.IllegalStateException: 1 given [1], this null
// CHECK-NEXT: inside throws java.lang.IllegalStateException: caught given [2], this null
// CHECK-NEXT: cleanup throws java.lang.ArithmeticException: / by zero given [0], this null
// CHECK-NEXT: again throws java.lang.RuntimeException: new given [], this T
// CHECK-NEXT: again throws java.lang.RuntimeException: new given [], this T
// CHECK-NEXT: <init> throws java.lang.IllegalArgumentException: no given [-1], this T
// CHECK-NEXT: nothing throws null given [], this null
// CHECK-NEXT: done 5

//--- T.java
public class T {
  static int caught;
  T() {}
  T(int n) {
    this();
    if (n < 0)
      throw new IllegalArgumentException("no");
  }
  static void outside(int n) { throw new IllegalStateException("" + n); }
  static int inside(int n) {
    try {
      throw new IllegalStateException("caught");
    } catch (IllegalStateException e) {
      return n;
    }
  }
  static int cleanup(int n) {
    try {
      return 1 / n;
    } finally {
      caught++;
    }
  }
  synchronized void again() {
    try {
      throw new RuntimeException("new");
    } catch (RuntimeException e) {
      throw e;
    }
  }
  static void nothing() { throw null; }
  static void run(Runnable r) {
    try {
      r.run();
    } catch (RuntimeException e) {
      caught++;
    }
  }
  public static void main(String[] args) {
    run(() -> outside(1));
    inside(2);
    run(() -> cleanup(0));
    run(() -> new T().again());
    run(() -> new T(-1));
    try {
      nothing();
    } catch (NullPointerException e) {
    }
    System.out.println("done " + caught);
  }
}

//--- throw.xml
<probekit>
  <probe>
    <target type="include" className="T"/>
    <target type="exclude"/>
    <fragment type="throw">
      <data type="exceptionObject" name="e"/>
      <data type="methodName" name="m"/>
      <data type="thisObject" name="self"/>
      <data type="args" name="a"/>
      <code>System.out.println(m + " throws " + e + " given "
          + java.util.Arrays.toString(a) + ", this "
          + (self == null ? null : self.getClass().getName()));</code>
    </fragment>
  </probe>
</probekit>

//--- others.xml
<probekit>
  <probe>
    <target type="include" className="T"/>
    <target type="exclude"/>
    <fragment type="exit"><data type="exceptionObject" name="e"/><code>;</code></fragment>
    <fragment type="catch"><data type="exceptionObject" name="e"/><code>;</code></fragment>
    <fragment type="executableUnit"><code>;</code></fragment>
  </probe>
  <probe>
    <target type="include" className="T"/>
    <target type="exclude"/>
    <fragment type="afterCall"><data type="exceptionObject" name="e"/><code>;</code></fragment>
  </probe>
</probekit>
