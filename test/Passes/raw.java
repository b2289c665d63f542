// Straight code that no pass reads stays bytes; what comes out is what comes out
// of lifted code, whether a later pass lifts it after all or not.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -g -d %t/in %t/T.java && java -cp %t/in T > %t/expected
//
// relower wants instructions, so nothing stays raw.
// RUN: jopt -q -stats -patch=never -verify-each -verify-output -probes=%t/p.xml %t/in -o %t/raw 2> %t/stats
// RUN: FileCheck --check-prefix=RAW %s < %t/stats
// RUN: jopt -q -stats -passes=relower,insert-probes -probes=%t/p.xml %t/in -o %t/lifted 2> %t/lifted.stats
// RUN: FileCheck --check-prefix=LIFTED --implicit-check-not=raw-bytes %s < %t/lifted.stats
// RUN: cmp %t/raw/T.class %t/lifted/T.class
// RAW: {{^ *[1-9][0-9][0-9]+}} lifter raw-bytes
// LIFTED: methods lifted
//
// adce wants instructions: they are made in its turn.
// RUN: jopt -q -verify-output -probes=%t/p.xml -passes=insert-probes,adce %t/in -o %t/late
// RUN: jopt -q -probes=%t/p.xml -passes=relower,insert-probes,adce %t/in -o %t/soon
// RUN: cmp %t/late/T.class %t/soon/T.class
//
// RUN: java -Xverify:all -cp %t/raw T > %t/got && diff %t/expected %t/got
// RUN: java -Xverify:all -cp %t/late T > %t/got && diff %t/expected %t/got
//
// Lines and variables are those of the original; the first line has what is at entry.
// RUN: javap -l -p -cp %t/raw T | FileCheck --check-prefix=LINES %s
// LINES-LABEL: static long lines(int)
// LINES: LineNumberTable
// LINES-NEXT: line 42: 0
// LINES-NEXT: line 43: [[#%u,B:]]
// LINES: LocalVariableTable
// LINES-DAG: [[#B]] {{.*}} 1 x J
// LINES-DAG: {{[0-9]+ [0-9]+}} 0 n I
//
//--- p.xml
<probekit>
<probe>
<fragment type="entry">
<data type="args" name="args"/>
<code>if (args.length == 77) System.out.println("never");</code>
</fragment>
<fragment type="exit">
<data type="returnedObject" name="r"/>
<data type="exceptionObject" name="x"/>
<data type="thisObject" name="t"/>
<code>if (r == x &amp;&amp; r != null) System.out.println("never");</code>
</fragment>
</probe>
</probekit>
//--- T.java
import java.util.*;

public class T {
  final String name;
  int count;
  long[] cells = new long[4];
  T(int n) {
    this(n > 0 ? "plus" + n : null);
    count = n;
  }
  T(String s) {
    super();
    name = s == null ? new StringBuilder().append('?').toString() : s;
  }
  // new of an object that a frame names, and dup forms.
  static Object made(boolean b) {
    return new ArrayList<Object>(b ? new ArrayList<>(List.of(1, 2)) : Set.of());
  }
  long update(int i) {
    cells[i] += 3;
    cells[i]++;
    long old = cells[i]--;
    return count++ + (cells[1] = old);
  }
  synchronized int guarded(Object o) {
    synchronized (o) {
      try {
        return Integer.parseInt(o.toString());
      } catch (NumberFormatException e) {
        return -1;
      } finally {
        count += 10;
      }
    }
  }
  static double mixed(int a, double d, float f, Object[] os) {
    double sum = a * d - f;
    for (Object o : os) if (o instanceof String s) sum += s.length(); else if (o == null) continue; else sum--;
    return switch (a) { case 1 -> sum; case 1000 -> -sum; default -> sum / 2; };
  }
  static long lines(int n) {
    long x = n * 2L;
    return x + (n > 3 ? 1 : 2);
  }
  // The parameter's slot gets another type; `this` is not touched.
  static Object reuse(Object o) {
    int[][] a = new int[2][3];
    a[1][2] = o.hashCode() == 0 ? 4 : 5;
    o = a[1];
    return ((int[]) o)[2];
  }
  static int loop(int n) {
    int i = 0;
    do { i += n & 3; n >>= 1; } while (n > 0);
    return i;
  }
  public static void main(String[] args) {
    T t = new T(5);
    System.out.println(t.name + new T(-1).name + t.count + made(true) + made(false));
    System.out.println(t.update(2) + " " + t.update(1) + " " + Arrays.toString(t.cells));
    System.out.println(t.guarded("12") + t.guarded("x") + t.count);
    System.out.println(mixed(1, 2.5, 1f, new Object[] {"a", null, 3}) + mixed(1000, 1, 2, args) + mixed(7, 1, 2, args));
    System.out.println(lines(4) + lines(1) + " " + reuse("") + reuse("x") + loop(1000));
    Runnable r = () -> System.out.println(args.length);
    r.run();
    try { t.guarded(null); } catch (NullPointerException e) { System.out.println("npe"); }
  }
}
