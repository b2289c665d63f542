import java.util.*;
public class Throws {
  final int v;
  Throws(int a) { super(); 
    v = check(a);
    System.out.println("Throws " + a); }
  static int check(int a) { if (a < 0) throw new IllegalArgumentException("neg");
    return a; }
  static synchronized int sync(int a) {
    Object o = new Object();
    synchronized (o) {
      check(a);
      check(a - 1);
    }
    return a;
  }
  static int loop(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i % 3 == 0) s += i; else s -= check(i); } return s; }
  static int sw(int x) { switch (x) { case 0: return 1; case 1: x += 2; break; case 5: x--; default: x = 3; } 
    boolean b = x > 2 && x < 9 || x == 77; return b ? x : -x; }
  static int tr(int x) { 
    try { 
      check(x); 
      check(x - 1); 
    } catch (IllegalArgumentException e) { 
      return -1; 
    } finally { 
      System.out.println("fin " + x); 
    } 
    return x; }
  // Both ways of the `if` lead to what follows it; one is taken.
  static int empty(boolean b) {
    if (b) {}
    check(1);
    return 1; }
  static int emptier(boolean b) {
    if (b) {}
    return 1; }
  public static void main(String[] a) {
    System.out.println(empty(true) + emptier(false));
    System.out.println(loop(10) + " " + sw(0) + sw(1) + sw(5) + sw(8) + " " + tr(3) + tr(0) + tr(-1));
    System.out.println(sync(4));
    try { sync(0); } catch (RuntimeException e) { System.out.println(e); }
    new Throws(3);
    try { new Throws(-3); } catch (RuntimeException e) { System.out.println(e); }
    Runnable r = () -> System.out.println("lambda");
    r.run();
  }
}
