// One program for several libraries: TF and ANNOTATION stand for the packages;
// a line that ends in //jopt or //pfl is for that library alone.
import java.lang.annotation.*;
import ANNOTATION.*;
import TF.*;

public class Shapes {
  @MethodMonitorGroup(Low.class) @Retention(RetentionPolicy.RUNTIME)
  public @interface High {}
  @MethodMonitorGroup @Retention(RetentionPolicy.RUNTIME)
  public @interface Low {}
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Plain {}

  @Low public static class Simple {
    static { System.nanoTime(); }
    @Low void zero() {}
    @Low static long Upper(int a, String b) { return a; }
    void untraced() { Runnable r = () -> zero(); r.run(); }
  }

  @High @Plain @Low public static class Both {
    @High int one() { note(1, null); return 1; }
    @Plain @Low synchronized void two() throws Exception { begin(); end(2); }
    @Low native void three();
    @InfoMethod private void note(int i, Object o) {}
    @InfoMethod(tpType = TimingPointType.ENTER, tpName = "span")
    private void begin() {}
    @InfoMethod(tpType = TimingPointType.EXIT, tpName = "span")
    private void end(long l) {}
    @InfoMethod(tpType = TimingPointType.NONE, tpName = "unused")
    private void none() {}
    @Description("what it does") @High void \u00e9t\u00e9() {}
  }

  @Low public static abstract class Names implements Comparable<Names> {
    @Low abstract void a$b();
    @Low void a_b() {}
    @Low void aB() {}
    @Low void a() {}
    @Low void A() {}
    @Low void ab() {}
    @Low public int compareTo(Names other) { return 0; }
  }

  @Low public static class Overloads {
    @Low @TracingName("many")   //jopt
    void m() {}                 //jopt
    @Low @TracingName("single") //jopt
    void m(int i) {}            //jopt
    @Low @TracingName("")       //jopt
    void own() {}               //jopt
    @Low void m() {}            //pfl
    @Low void m(int i) {}       //pfl
    @Low void m(long l) {}      //pfl
    @Low void last() {}
  }

  @Low public enum Kind { ONE, TWO; @Low public String toString() { return ""; } }

  public static class Untraced { void m() {} }

  @High public static class Deep {
    @High public class Inner { @High Object lambda() { return (Runnable) () -> {}; } }
    @High void outer() {}
  }

  public static void main(String[] args) throws Exception {
    for (String name : args) {
      Class<?> c = Class.forName(name);
      try {
        MethodMonitorRegistry.registerClass(c);
      } catch (RuntimeException e) {
        System.out.println(name + " is not traced");
        continue;
      }
      System.out.println(name + " " + MethodMonitorRegistry.getMethodNames(c)
          + " " + MethodMonitorRegistry.getTimerTypes(c)
          + " " + MethodMonitorRegistry.getTimerNames(c));
    }
  }
}
