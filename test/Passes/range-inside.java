// Advices inside of the method's exception ranges: what they throw is caught
// where the code at their place would be caught, the entry's by the exit
// handler too; an exit advice does not run again because one of them threw.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: mkdir %t/in && jopt %t/R.jir -o %t/in/R.class
// RUN: javac -cp %t/in -d %t/in %t/T.java
// RUN: %S/Inputs/weave.sh %t/advice %t/in %t/out
// RUN: javac -d %t/out %t/P.java
// RUN: java -Xverify:all -cp %t/out T | FileCheck %s --match-full-lines
//
// The handler of the first block catches it; what would be kept is 0.
// CHECK:      entryCaught
// CHECK-NEXT: handler P: entry
// CHECK-NEXT: leave 0 null
// CHECK-NEXT: 7
//
// No handler: the exit advice sees it.
// CHECK-NEXT: entryUncaught
// CHECK-NEXT: leave 0 P: entry
// CHECK-NEXT: thrown P: entry
//
// The range begins behind the first instruction.
// CHECK-NEXT: entryBefore
// CHECK-NEXT: leave 0 P: entry
// CHECK-NEXT: thrown P: entry
//
// Outside, no handler of the method sees it.
// CHECK-NEXT: outside
// CHECK-NEXT: thrown P: entry
//
// At a return: the handler returns too, and that one has its exit.
// CHECK-NEXT: exitCaught
// CHECK-NEXT: exit 1
// CHECK-NEXT: handler P: exit
// CHECK-NEXT: exit -1
// CHECK-NEXT: -1
//
// CHECK-NEXT: exitUncaught
// CHECK-NEXT: exit 2
// CHECK-NEXT: thrown P: exit
//
// Outside, inside and outside again at one return: the last does not run.
// CHECK-NEXT: mixed
// CHECK-NEXT: first 3
// CHECK-NEXT: exit 3
// CHECK-NEXT: handler P: exit
// CHECK-NEXT: first -3
// CHECK-NEXT: exit -3
// CHECK-NEXT: last -3
// CHECK-NEXT: -3
//
// The result of an advice inside is returned, and the finally block runs once.
// CHECK-NEXT: replaced
// CHECK-NEXT: finally
// CHECK-NEXT: 8
//
// The monitor is free again.
// CHECK-NEXT: locked
// CHECK-NEXT: exit 5
// CHECK-NEXT: thrown P: exit
// CHECK-NEXT: held false
// CHECK-NEXT: done

//--- advice
probe #0 "entry" { include "*" "T" "entry*" "*" exclude "*" "*" "*" "*" }
probe #1 "outside" { include "*" "T" "outside" "*" exclude "*" "*" "*" "*" }
probe #2 "mixed" { include "*" "R" "mixed" "*" exclude "*" "*" "*" "*" }
probe #3 "exit" { include "*" "*" "exit*" "*" include "*" "R" "mixed" "*" include "*" "T" "locked" "*" exclude "*" "*" "*" "*" }
probe #4 "replaced" { include "*" "T" "replaced" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 entry call p/P.enter:()J () result=keep range=inside
advice #1 probe #0 exit call p/P.leave:(JLjava/lang/Throwable;)V (kept, exceptionObject)
advice #2 probe #1 entry call p/P.enter:()J ()
advice #3 probe #2 exit call p/P.first:(Ljava/lang/Object;)V (returnedObject)
advice #4 probe #3 exit call p/P.exit:(Ljava/lang/Object;)V (returnedObject) range=inside
advice #5 probe #2 exit call p/P.last:(Ljava/lang/Object;)V (returnedObject)
advice #6 probe #4 exit call p/P.more:(Ljava/lang/Object;)I (returnedObject) result=replace range=inside

//--- P.java
package p;
public class P {
  static class E extends RuntimeException {
    E(String s) { super(s); }
    public String toString() { return "P: " + getMessage(); }
  }
  public static long enter() { throw new E("entry"); }
  public static void leave(long kept, Throwable e) { System.out.println("leave " + kept + " " + e); }
  public static void first(Object r) { System.out.println("first " + r); }
  public static void exit(Object r) {
    System.out.println("exit " + r);
    if ((Integer) r > 0) throw new E("exit");
  }
  public static void last(Object r) { System.out.println("last " + r); }
  public static int more(Object r) { return (Integer) r + 1; }
}

//--- R.jir
; javac leaves returns out of the ranges they stand in.
class public super R extends java/lang/Object version 61.0 {
  method public static exitCaught:()I {
    code slots 0 {
      try t0 -> b1 catch java/lang/RuntimeException
    b0 throws t0:
      %0:int = getstatic T.zero:I
      %1:int = const int 1
      %2:int = iadd (%0, %1)
      ireturn (%2)
    b1(%3:java/lang/RuntimeException) handler frame []:
      %4:int = const int -1
      %5:int = invokestatic T.handled:(Ljava/lang/RuntimeException;I)I (%3, %4)
      ireturn (%5)
    }
  }
  method public static mixed:()I {
    code slots 0 {
      try t0 -> b1 catch java/lang/RuntimeException
    b0 throws t0:
      %0:int = const int 3
      ireturn (%0)
    b1(%1:java/lang/RuntimeException) handler frame []:
      %2:int = const int -3
      %3:int = invokestatic T.handled:(Ljava/lang/RuntimeException;I)I (%1, %2)
      ireturn (%3)
    }
  }
}

//--- T.java
import java.util.function.IntSupplier;
public class T {
  static int zero;
  static int handled(RuntimeException e, int result) { System.out.println("handler " + e); return result; }
  static int entryCaught() {
    try { return zero; } catch (RuntimeException e) { System.out.println("handler " + e); }
    return 7;
  }
  static int entryUncaught() { return zero; }
  static int entryBefore() {
    int n = zero;
    try { return 1 / n; } catch (RuntimeException e) { System.out.println("handler " + e); }
    return 7;
  }
  static int outside() {
    try { return zero; } catch (RuntimeException e) { System.out.println("handler " + e); }
    return 7;
  }
  static int exitUncaught() { return zero + 2; }
  static int replaced() {
    try { return zero + 7; } finally { System.out.println("finally"); }
  }
  static final Object LOCK = new Object();
  static int locked() { synchronized (LOCK) { return zero + 5; } }
  static void t(String name, IntSupplier s) {
    System.out.println(name);
    try { System.out.println(s.getAsInt()); } catch (RuntimeException e) { System.out.println("thrown " + e); }
  }
  public static void main(String[] a) {
    t("entryCaught", T::entryCaught);
    t("entryUncaught", T::entryUncaught);
    t("entryBefore", T::entryBefore);
    t("outside", T::outside);
    t("exitCaught", R::exitCaught);
    t("exitUncaught", T::exitUncaught);
    t("mixed", R::mixed);
    t("replaced", T::replaced);
    t("locked", T::locked);
    System.out.println("held " + Thread.holdsLock(LOCK));
    System.out.println("done");
  }
}
