// Arguments that advices may write, and leave alone, are passed on as they are:
// an object where an interface that it does not implement is declared, and one
// of a class that the caller may not access. What is written is cast.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: %{python} %t/fill.py %t/T.java
// RUN: javac -d %t/in %t/T.java %t/A.java && javac -d %t/p %t/P.java
// RUN: mkdir %t/jir
// RUN: jopt -S %t/in/T.class | sed -e 's,(ILjava/lang/Object;J)V,(ILjava/lang/Runnable;J)V,' > %t/jir/T.jir
// RUN: jopt %t/jir/T.jir -o %t/in/T.class
// RUN: java -Xverify:all -cp %t/in:%t/p T > %t/plain
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: java -Xverify:all -cp %t/out:%t/p T > %t/woven
// RUN: grep -v '^[<>]' %t/woven | diff %t/plain -
// RUN: FileCheck %s < %t/woven
//
// The same in methods of their own.
// RUN: jopt -verify-output -probes=%t/p.xml -oversize=outline %t/in -o %t/big \
// RUN:   -probes-report=text 2>&1 | FileCheck %s --check-prefix=BIG
// RUN: java -Xverify:all -cp %t/big T > %t/outlined
// RUN: grep -v '^[<>]' %t/outlined | diff %t/plain -
// BIG: huge(ILjava/lang/Runnable;J)V: code of its probes is in
//
// And where they are written.
// RUN: not java -Xverify:all -Dwrite=1 -cp %t/out:%t/p T | FileCheck %s --check-prefix=WRITE
//
// CHECK: > T.take [1, Object, 2]
// CHECK-NEXT: > entry take [1, Object, 2]
// CHECK-NEXT: took true
// CHECK: > a/A.use [Hidden]
// CHECK-NEXT: used true
// CHECK: > T$Holder.<init> [Object]
// CHECK: > T.wrap [1, Object, 5]
// WRITE: > entry take [1, Object, 2]
// WRITE-NEXT: took false
// WRITE: java.lang.ClassCastException

//--- advice
probe #0 "calls" { exclude "p" "*" "*" "*" exclude "java*" "*" "*" "*" include "*" "*" "*" "*" } within { exclude "a" "*" "*" "*" }
probe #1 "entry" { include "*" "T" "take" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 beforeCall call p/P.before:(Ljava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V (className, methodName, args) args=write
advice #1 probe #0 afterCall call p/P.after:([Ljava/lang/Object;)V (args)
advice #2 probe #1 entry call p/P.entry:([Ljava/lang/Object;)V (args) args=write
//--- P.java
package p;
public class P {
  static String show(Object[] a) {
    StringBuilder s = new StringBuilder();
    for (Object o : a)
      s.append(s.length() == 0 ? "" : ", ").append(o == null || o instanceof Number || o instanceof String ? o : o.getClass().getSimpleName());
    return "[" + s + "]";
  }
  public static void before(String c, String m, Object[] a) { System.out.println("> " + c + "." + m + " " + show(a)); }
  public static void after(Object[] a) { System.out.println("< " + show(a)); }
  public static void entry(Object[] a) {
    System.out.println("> entry take " + show(a));
    if (System.getProperty("write") != null)
      a[1] = (Integer) a[0] == 1 ? (Runnable) () -> {} : "wrong";
  }
}
//--- A.java
package a;
public class A {
  static class Hidden {}
  public static Hidden get() { return new Hidden(); }
  public static void use(Hidden h) { System.out.println("used " + (h != null)); }
}
//--- T.java
import a.A;
public class T {
  static class Holder { Holder(Object o) { System.out.println("held " + (o != null)); } }
  static class Base { Base(int i, String s) { System.out.println("base " + i + s); } }
  static class Made extends Base {
    Made(Object o) { super(wrap(1, o, 5), o == null ? "a" : "b"); }
  }
  static void take(int i, Object o, long j) { System.out.println("took " + !(o instanceof Runnable)); }
  static int wrap(int i, Object o, long j) { return i + (int) j; }
  static void huge(int i, Object o, long j) {
FILLER
  }
  static int n;
  static int next() { return ++n; }
  public static void main(String[] x) {
    take(1, new Object(), 2);
    try {
      take(next() + 1, "string", 3);
    } catch (ClassCastException e) {
      System.out.println(e.getClass().getName());
    }
    A.use(A.get());
    A.use(x.length == 0 ? A.get() : null);
    Object h = new Holder(new Object());
    new Made(new Object());
    new Made(null);
    take(1, null, next() + (x.length == 0 ? 1 : 2));
    for (int i = 0; i < 2; ++i)
      take(i == 0 ? 1 : 2, i == 0 ? (Object) new int[0] : (Runnable) () -> {}, i);
    huge(1, new Object(), 2);
  }
}
//--- fill.py
import sys
text = open(sys.argv[1]).read()
calls = "".join(f"    take({i}, o, {i});\n" for i in range(600))
open(sys.argv[1], "w").write(text.replace("FILLER", calls))
//--- p.xml
<probekit><probe>
<target type="exclude" className="T" method="main"/>
<target type="include" className="T" method="take"/><target type="include" method="use"/><target type="exclude"/>
<fragment type="beforeCall"><data type="args" name="a"/><data type="methodName" name="m"/>
<code>System.out.println("> " + m + a.length);</code></fragment>
</probe></probekit>
