// Static fields of probes and advices of the static initialiser, in programs.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac --release 8 -nowarn -d %t/in8 %t/T.java
// RUN: javac --release 17 -d %t/in17 %t/T.java
// RUN: %S/Inputs/weave.sh %t/advice %t/in8 %t/out8
// RUN: %S/Inputs/weave.sh %t/advice %t/in17 %t/out17
// RUN: javac --release 8 -nowarn -d %t/out8 %t/P.java %t/p/*.java
// RUN: javac --release 8 -nowarn -d %t/out17 %t/P.java %t/p/*.java
// RUN: java -Xverify:all -cp %t/in17 T write %t/data
// RUN: java -Xverify:all -cp %t/out8 T read %t/data | FileCheck %s
// RUN: java -Xverify:all -cp %t/out17 T read %t/data | FileCheck %s
//
// Objects that the unprobed program wrote:
// CHECK: init T$Plain
// CHECK-NEXT: init T$Child
// CHECK-NEXT: read 5 7
// CHECK-NEXT: init T$Fixed
// CHECK-NEXT: read 9

// One field per class and probe; fragments see and change its object.
// CHECK-NEXT: init T$A
// CHECK-NEXT: a: 1 in T$A, then 2, other 1
// CHECK-NEXT: init T$B
// CHECK-NEXT: b: 1 in T$B, then 2, other 1
// CHECK-NEXT: fields [private static p.Other probekit$staticField_1, private static p.State probekit$staticField_0]

// In front of the class's own initialiser, in the order of the probes.
// CHECK-NEXT: init T$Own
// CHECK-NEXT: second of T$Own
// CHECK-NEXT: entry <clinit>
// CHECK-NEXT: own
// CHECK-NEXT: own 3

// A class that is only touched; one of which the probe selects an abstract
// method only; interfaces stay.
// CHECK-NEXT: init T$Touched
// CHECK-NEXT: touched
// CHECK-NEXT: init T$Abstract
// CHECK-NEXT: abstract
// CHECK-NEXT: interface 0

// What fails in the new code is the class's failure.
// CHECK-NEXT: java.lang.ExceptionInInitializerError: java.lang.IllegalStateException: no state
// CHECK-NEXT: java.lang.NoClassDefFoundError
// CHECK-NEXT: init T$NoInit
// CHECK-NEXT: java.lang.ExceptionInInitializerError: java.lang.IllegalStateException: no init

// Enumerations, and classes that computed their version.
// CHECK-NEXT: init T$E
// CHECK-NEXT: [X, Y]
// CHECK-NEXT: done

//--- advice
probe #0 "state" field "p/State" named "probekit$staticField_" { include "" "T$A" "*" "*" include "" "T$B" "*" "*" include "" "T$Own" "*" "*" exclude "*" "*" "*" "*" }
probe #1 "other" field "p/Other" named "probekit$staticField_" { include "" "T$A" "*" "*" include "" "T$B" "*" "*" exclude "*" "*" "*" "*" }
probe #2 "init" { exclude "" "T" "*" "*" exclude "" "T$Own" "*" "*" include "" "T$Abstract" "only" "*" exclude "" "T$Abstract" "*" "*" include "" "T$*" "*" "*" exclude "*" "*" "*" "*" }
probe #3 "own" { include "" "T$Own" "*" "*" exclude "*" "*" "*" "*" }
probe #4 "fails" field "p/Fails" named "probekit$staticField_" { include "" "T$NoState" "*" "*" exclude "*" "*" "*" "*" }
probe #5 "throws" { include "" "T$NoInit" "*" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 entry call p/P.enter:(Lp/State;Ljava/lang/String;)V (staticField, methodName)
advice #1 probe #1 entry call p/P.other:(Ljava/lang/Object;)V (staticField)
advice #2 probe #2 staticInitializer call p/P.init:(Ljava/lang/String;)V (className)
advice #3 probe #3 entry call p/P.own:(Ljava/lang/String;)V (methodName)
advice #4 probe #3 staticInitializer call p/P.second:(Ljava/lang/String;)V (className) order=1
advice #5 probe #3 staticInitializer call p/P.init:(Ljava/lang/String;)V (className)
advice #6 probe #5 staticInitializer call p/P.fail:()V ()

//--- P.java
package p;
public class P {
  public static void enter(State s, String method) {
    if (method.equals("run")) s.n++;
  }
  public static void other(Object o) { ((Other) o).seen = 1; }
  public static void init(String c) { System.out.println("init " + c); }
  public static void second(String c) { System.out.println("second of " + c); }
  public static void own(String m) {
    if (m.equals("<clinit>")) System.out.println("entry " + m);
  }
  public static void fail() { throw new IllegalStateException("no init"); }
}
//--- p/State.java
package p;
public class State { public int n; }
//--- p/Other.java
package p;
public class Other { public int seen; }
//--- p/Fails.java
package p;
public class Fails { public Fails() { throw new IllegalStateException("no state"); } }
//--- T.java
import java.io.*;
import java.lang.reflect.*;
import java.util.*;

public class T {
  static class Plain implements Serializable { int v = 5; }
  static class Child extends Plain {
    protected int w = 7;
    public Child() {}
    synchronized void m(String s) throws IOException {}
  }
  static class Fixed implements Serializable {
    private static final long serialVersionUID = 42;
    int v = 9;
  }
  static class A {
    int run() throws Exception { return 0; }
  }
  static class B {
    int run() throws Exception { return 0; }
  }
  static class Own {
    static int v = make();
    static int make() { System.out.println("own"); return 3; }
  }
  static class Touched { static int v; }
  static abstract class Abstract {
    static int v;
    abstract void only();
  }
  interface I { int V = Integer.parseInt("0"); void m(); }
  static class NoState { static int v; }
  static class NoInit { static int v; }
  enum E { X, Y }

  static Object get(Class<?> c, int n) throws Exception {
    Field f = c.getDeclaredField("probekit$staticField_" + n);
    f.setAccessible(true);
    Object o = f.get(null);
    return o.getClass().getFields()[0].get(o);
  }
  static void fails(Runnable r) {
    try {
      r.run();
    } catch (LinkageError e) {
      System.out.println(e.getClass().getName() +
          (e.getCause() != null && !(e instanceof NoClassDefFoundError) ? ": " + e.getCause() : ""));
    }
  }
  public static void main(String[] args) throws Exception {
    if (args[0].equals("write")) {
      try (ObjectOutputStream o = new ObjectOutputStream(new FileOutputStream(args[1]))) {
        o.writeObject(new Child());
        o.writeObject(new Fixed());
      }
      return;
    }
    try (ObjectInputStream in = new ObjectInputStream(new FileInputStream(args[1]))) {
      Child c = (Child) in.readObject();
      System.out.println("read " + c.v + " " + c.w);
      System.out.println("read " + ((Fixed) in.readObject()).v);
    }
    A a = new A();
    a.run();
    System.out.print("a: " + get(A.class, 0) + " in T$A");
    a.run();
    System.out.println(", then " + get(A.class, 0) + ", other " + get(A.class, 1));
    B b = new B();
    b.run();
    System.out.print("b: " + get(B.class, 0) + " in T$B");
    b.run();
    System.out.println(", then " + get(B.class, 0) + ", other " + get(B.class, 1));
    List<String> names = new ArrayList<>();
    for (Field f : A.class.getDeclaredFields())
      names.add(Modifier.toString(f.getModifiers()) + " " + f.getType().getName() + " " + f.getName());
    Collections.sort(names);
    System.out.println("fields " + names);
    System.out.println("own " + Own.v);
    Touched.v = 1;
    System.out.println("touched");
    Abstract.v = 1;
    System.out.println("abstract");
    System.out.println("interface " + I.V);
    fails(() -> NoState.v = 1);
    fails(() -> NoState.v = 1);
    fails(() -> NoInit.v = 1);
    System.out.println(Arrays.toString(E.values()));
    System.out.println("done");
  }
}
