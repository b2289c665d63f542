// A result that an advice may replace, and leaves alone, is passed on as it is:
// an object where an interface that it does not implement is declared, and one
// of a class that the caller may not access. What takes its place is cast.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: %{python} %t/fill.py %t/T.java
// RUN: javac -d %t/in %t/T.java %t/A.java && javac -d %t/p %t/P.java
// RUN: mkdir %t/jir
// RUN: jopt -S %t/in/T.class | sed -e 's,lie:(I)Ljava/lang/Object;,lie:(I)Ljava/lang/Runnable;,' > %t/jir/T.jir
// RUN: jopt %t/jir/T.jir -o %t/in/T.class
// RUN: java -Xverify:all -cp %t/in:%t/p T > %t/plain
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: java -Xverify:all -cp %t/out:%t/p T > %t/woven
// RUN: grep -v '^[<>]' %t/woven | diff %t/plain -
// RUN: FileCheck %s < %t/woven
// CHECK: < exit Object
// CHECK-NEXT: > Object
// CHECK-NEXT: > again Object
// CHECK-NEXT: lie java.lang.Object
// CHECK-NEXT: < exit null
// CHECK: > Hidden
//
// What is replaced.
// RUN: java -Xverify:all -Dnew=thread -cp %t/out:%t/p T | FileCheck %s --check-prefix=NEW
// NEW: lie java.lang.Thread
// RUN: not java -Xverify:all -Dnew=wrong -cp %t/out:%t/p T 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: < exit Object
// WRONG: java.lang.ClassCastException: class java.lang.String
// WRONG-NEXT: at T.lie
//
// What needs no cast, or one that cannot fail for the object, has no branch.
// RUN: javap -c -p -cp %t/out T | FileCheck %s --check-prefix=CODE
// CODE-LABEL: static java.lang.String text();
// CODE-NOT: if_acmp
// CODE: checkcast {{.*}} java/lang/String
// CODE-NEXT: areturn
// CODE-LABEL: static java.lang.Thread same();
// CODE-NOT: {{checkcast|if_acmp}}
// CODE: areturn
//
// Inlined, isolated, switched, and in methods of their own.
// RUN: jopt -verify-output -probes=%t/p.xml -inline-fragments %t/in -o %t/inlined
// RUN: java -Xverify:all -cp %t/inlined T | diff %t/plain -
// RUN: jopt -verify-output -probes=%t/p.xml -isolate-probes %t/in -o %t/isolated
// RUN: java -Xverify:all -cp %t/isolated T | diff %t/plain -
// RUN: jopt -verify-output -probes=%t/p.xml -oversize=outline %t/in -o %t/big \
// RUN:   -probes-report=text 2>&1 | FileCheck %s --check-prefix=BIG
// RUN: java -Xverify:all -cp %t/big T | diff %t/plain -
// BIG: huge(I)I: code of its probes is in

//--- advice
probe #0 "exit" { include "*" "T" "lie" "*" exclude "*" "*" "*" "*" }
probe #1 "calls" { include "*" "T" "lie" "*" include "a" "A" "get" "*" exclude "*" "*" "*" "*" }
probe #2 "again" { include "*" "T" "lie" "*" include "a" "A" "get" "*" exclude "*" "*" "*" "*" }
probe #3 "text" { include "*" "T" "text" "*" exclude "*" "*" "*" "*" }
probe #4 "same" { include "*" "T" "same" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 exit call p/P.exit:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace
advice #1 probe #1 afterCall call p/P.after:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace exceptions=isolate
advice #2 probe #2 afterCall call p/P.again:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace switch=p/P.on
advice #3 probe #3 exit call p/P.after:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace
advice #4 probe #4 exit call p/P.same:(Ljava/lang/Object;)Ljava/lang/Thread; (returnedObject) result=replace
//--- P.java
package p;
public class P {
  static Object show(String what, Object o) {
    System.out.println(what + " " + (o == null ? "null" : o.getClass().getSimpleName()));
    return o;
  }
  public static Object exit(Object r) {
    show("< exit", r);
    String n = System.getProperty("new", "");
    return n.equals("thread") ? new Thread() : n.equals("wrong") ? "wrong" : r;
  }
  public static Object after(Object r) { return show(">", r); }
  public static Object again(Object r) { return show("> again", r); }
  public static Thread same(Object r) { return (Thread) r; }
  public static boolean on() { return true; }
}
//--- A.java
package a;
public class A {
  static class Hidden {}
  public static Hidden get() { return new Hidden(); }
}
//--- T.java
import a.A;
public class T {
  static class Holder { Holder(int i, Object o) { System.out.println("held " + i + (o != null)); } }
  static class Base { Base(long i, Object o, int j) { System.out.println("base " + i + (o == null) + j); } }
  static class Made extends Base {
    Made(Object o) { super(5L, o == null ? null : A.get(), n); }
  }
  static int n;
  static Object lie(int i) { return i == 0 ? null : i == 1 ? new Object() : "lie"; }
  static String text() { return "text"; }
  static Thread same() { return null; }
  static int huge(int i) {
FILLER
    return i;
  }
  static String name(Object o) { return o == null ? null : o.getClass().getName(); }
  public static void main(String[] x) {
    System.out.println("lie " + name(lie(1)));
    System.out.println("lie " + name(lie(0)) + name(lie(2)));
    Object h = new Holder(3, A.get());
    h = new Holder(x.length == 0 ? 4 : 5, x.length == 0 ? A.get() : null);
    new Made(new Object());
    new Made(null);
    for (int i = 0; i < 2; ++i)
      try {
        System.out.println(i + (lie(i) == null ? 1L : 2L));
      } finally {
        n += A.get() == null ? 1 : 2;
      }
    System.out.println(n + huge(1) + text() + same());
  }
}
//--- fill.py
import sys
text = open(sys.argv[1]).read()
calls = "".join(f"    if (A.get() == null) i++;\n" for i in range(700))
open(sys.argv[1], "w").write(text.replace("FILLER", calls))
//--- p.xml
<probekit>
<probe><controlKey name="results"/>
<target type="include" className="T" method="lie"/><target type="include" package="a" method="get"/><target type="exclude"/>
<fragment type="afterCall" result="replace"><data type="returnedObject" name="r"/><code>return r;</code></fragment>
</probe>
<probe>
<target type="include" className="T" method="lie"/><target type="exclude"/>
<fragment type="exit" result="replace"><data type="returnedObject" name="r"/><data type="methodSig" name="s"/><code>return s.equals("-") ? null : r;</code></fragment>
</probe></probekit>
