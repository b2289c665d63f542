// The returned object was initialised through another copy of it on the stack;
// where the probe sees it, it is an ordinary reference.
// RUN: rm -rf %t && split-file %s %t && javac -d %t/in %t/A.java
// RUN: mkdir %t/out && jopt -probes=%t/p.xml -verify-each -verify-output %t/in/A.class -o %t/out/A.class
// RUN: java -Xverify:all -cp %t/out:%t/out/p-probes.jar A | FileCheck %s
// CHECK: returned yes
// CHECK-NEXT: returned no

//--- A.java
public class A {
  static StringBuilder make(boolean b) {
    return new StringBuilder(b ? "yes" : "no");
  }
  public static void main(String[] args) {
    make(true);
    make(false);
  }
}

//--- p.xml
<probekit><probe>
  <target type="include" method="make"/>
  <target type="exclude"/>
  <fragment type="exit">
    <data type="returnedObject" name="r"/>
    <code>System.out.println("returned " + r);</code>
  </fragment>
</probe></probekit>
