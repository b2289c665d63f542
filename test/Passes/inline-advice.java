// The code of advices in place of their calls: with branches, loops, handlers,
// early returns and wide parameters, in code that keeps values on the stack,
// and before super(). The program runs without the class that the code is from.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac --release 8 -nowarn -d %t/p8 %t/P.java 2> %t/log
// RUN: javac --release 17 -d %t/p17 %t/P.java
// RUN: javac --release 8 -nowarn -d %t/in8 %t/T.java 2> %t/log
// RUN: javac --release 11 -d %t/in11 %t/T.java
// RUN: javac --release 17 -d %t/in17 %t/T.java
//
// RUN: %S/Inputs/weave.sh %t/advice %t/in8 %t/called
// RUN: java -Xverify:all -cp %t/called:%t/p8 T > %t/expected
// RUN: FileCheck %s < %t/expected
//
// RUN: %S/Inputs/weave.sh -p insert-probes,inline-advice %t/advice %t/in8 %t/out8 -classpath=%t/p8 -pass-remarks=inline-advice 2> %t/remarks
// RUN: java -Xverify:all -cp %t/out8 T | diff %t/expected -
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// RUN: %S/Inputs/weave.sh -p insert-probes,inline-advice %t/advice %t/in11 %t/out11 -classpath=%t/p8
// RUN: java -Xverify:all -cp %t/out11 T | diff %t/expected -
// RUN: %S/Inputs/weave.sh -p insert-probes,inline-advice %t/advice %t/in17 %t/out17 -classpath=%t/p17
// RUN: java -Xverify:all -cp %t/out17 T | diff %t/expected -
// RUN: %if jdk25 %{ %jdk25/bin/java -Xverify:all -cp %t/out8 T | diff %t/expected - %}
// RUN: %if jdk25 %{ %jdk25/bin/java -Xverify:all -cp %t/out17 T | diff %t/expected - %}
//
// REMARK-NOT: not inlined
// REMARK: T.main([Ljava/lang/String;)V: p/P.enter is inlined, probe class not needed
// REMARK-NOT: not inlined
//
// CHECK:      in <clinit>()
// CHECK-NEXT: <clinit> null null false
// CHECK-NEXT: in main()
// CHECK-NEXT: args 1
// CHECK-NEXT: in vi()
// CHECK-NEXT: args 2
// CHECK-NEXT: vi 2 null false
// CHECK-NEXT: kept 7 0.0
// CHECK:      kept 1099511627776 0.0
// CHECK:      {{^}}9{{$}}
// CHECK:      in vs this T()
// CHECK:      less6x!less6!2.0
// CHECK:      fail null java.lang.IllegalArgumentException: 3 false
// CHECK:      3qafalse

//--- advice
probe #0 "all" {}
probe #1 "args" { exclude "*" "*" "<*" "*" }
probe #2 "values" { include "*" "T" "v*" "*" exclude "*" "*" "*" "*" }
probe #3 "isolated" { include "*" "T" "v*" "*" exclude "*" "*" "*" "*" }
advice #0 probe #0 entry call p/P.enter:(Ljava/lang/String;Ljava/lang/Object;)V (methodName, thisObject)
advice #1 probe #1 entry call p/P.args:([Ljava/lang/Object;)V (args)
advice #2 probe #0 exit call p/P.leave:(Ljava/lang/Object;Ljava/lang/Throwable;Ljava/lang/String;Ljava/lang/Object;)V (returnedObject, exceptionObject, methodName, thisObject)
advice #3 probe #2 exit call p/P.replace:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace
advice #4 probe #2 entry call p/P.start:(Ljava/lang/String;)J (methodName) result=keep
advice #5 probe #2 exit call p/P.stop:(JD)V (kept, local "d")
advice #6 probe #3 entry call p/P.fails:(Ljava/lang/String;)V (methodName) exceptions=isolate
advice #7 probe #3 exit call p/P.failsToo:(Ljava/lang/Object;)Ljava/lang/Object; (returnedObject) result=replace exceptions=isolate

//--- P.java
package p;
public class P {
  public static void enter(String m, Object t) {
    StringBuilder b = new StringBuilder("in ");
    for (int i = 0; i < m.length(); i++)
      if (m.charAt(i) != '$')
        b.append(m.charAt(i));
    if (t != null)
      b.append(" this ").append(t.getClass().getName());
    System.out.println(b.append("()"));
  }
  public static void args(Object[] a) {
    if (a.length == 0)
      return;
    try {
      Object o = a[a.length - 1];
      if (o instanceof Integer)
        a[a.length] = o;
      System.out.println(new StringBuilder("args ").append(a.length));
    } catch (ArrayIndexOutOfBoundsException e) {
      System.out.println("caught");
    } finally {
      a = null;
    }
  }
  public static void leave(Object r, Throwable e, String m, Object t) {
    System.out.println(new StringBuilder(m).append(' ').append(r).append(' ').append(e).append(' ').append(t != null));
  }
  public static Object replace(Object r) {
    if (r instanceof Integer)
      return Integer.valueOf(((Integer) r).intValue() + 1);
    if (r instanceof Long) {
      long l = ((Long) r).longValue();
      while (l > 10)
        l /= 2;
      return Long.valueOf(l);
    }
    return r instanceof String ? ((String) r).concat("!") : r;
  }
  public static long start(String m) {
    switch (m) {
    case "vl": return 1L << 40;
    case "vi": return 7;
    default: return m.length();
    }
  }
  public static void stop(long kept, double local) {
    if (kept > local || kept != kept)
      System.out.println(new StringBuilder("kept ").append(kept).append(' ').append(local));
    else
      System.out.println(local);
  }
  public static void fails(String m) {
    if (m.equals("vi"))
      throw new IllegalStateException(m);
    try { m.charAt(99); } catch (StringIndexOutOfBoundsException e) { throw new Error(e); }
  }
  public static Object failsToo(Object o) {
    Object copy = o;
    for (int i = 0; i < 3; i++)
      copy = copy == null ? null : copy;
    if (copy instanceof String)
      throw new Error();
    return copy;
  }
}

//--- T.java
public class T {
  static int x = 5;
  final String s;
  T(int a, long b) {
    this(a > b ? "more" : new StringBuilder("less").append(b).toString());
  }
  T(String s) {
    super();
    this.s = s;
  }
  static int vi(int a, double d) { return a + (d > 1 ? 1 : 0); }
  static long vl(long a, int b) { double d = a * 2.0; return d > b ? a : b; }
  String vs(String a) {
    try {
      return a.trim();
    } catch (NullPointerException e) {
      return s;
    } finally {
      x++;
    }
  }
  static float vf(float... f) { return f[0]; }
  static void fail(byte b) {
    synchronized (T.class) {
      throw new IllegalArgumentException(String.valueOf(b));
    }
  }
  static char loop(char c) {
    do { c--; } while (c > 'a');
    return c;
  }
  public static void main(String[] args) {
    System.out.println(1 + vi(vi(1, 2), vl(100, 3)) + vl(3, 4));
    T t = new T(vi(1, .5), vl(50, vi(2, 2)));
    System.out.println(t.s + t.vs(" x ") + t.vs(null) + vf(2, 3));
    try {
      fail((byte) 3);
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage() + new T("q").s + loop('e') + Thread.holdsLock(T.class));
    }
  }
}
