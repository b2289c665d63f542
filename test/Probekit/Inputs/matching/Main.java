package p;
import java.lang.annotation.*;
public class Main {
  @Retention(RetentionPolicy.CLASS) @interface Traced {
    int[] a() default {};
    Class<?>[] c() default {};
    String s() default "";
  }
  @Retention(RetentionPolicy.RUNTIME) @interface Other {
    Traced[] t();
    RetentionPolicy p();
  }
  @Traced(a = {1, 2, 3}, c = {String.class})
  static class A { static void x() {} static void y() {} }
  static class B {
    @Other(t = {@Traced, @Traced(s = "y")}, p = RetentionPolicy.CLASS) @Traced
    static void x() {}
    @Other(t = @Traced, p = RetentionPolicy.CLASS) static void y() {}
  }
  public static void main(String[] args) {
    new Leaf().run();
    new Generated().run();
    new Leaf().hello();
    Top.stat();
    A.x();
    A.y();
    B.x();
    B.y();
    System.out.println("end");
  }
}
