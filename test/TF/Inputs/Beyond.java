// What the original tool does wrong, or cannot do at all (D1 to D6 and others).
import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;
import jopt.tf.*;
import jopt.tf.annotation.*;

public class Beyond {
  @MethodMonitorGroup
  @Retention(RetentionPolicy.RUNTIME)
  @interface On {}

  /** Arguments of info methods that end in a null, or are found by branches. */
  @On
  static class Nulls {
    @InfoMethod private void one(Object o) {}
    @InfoMethod private void two(Object o, int n) {}

    @On String last(String s) { one(null); two(null, 0); return s; }
    @On String chosen(boolean b) {
      one(b ? "yes" : null);
      two(b ? null : "no", b ? 0 : 1);
      String r = b ? null : "result";
      one(r);
      return b ? r : null;
    }
    @On int nested(int n) {
      two(n > 0 ? "n" + nested(n - 1) : null, n == 0 ? 0 : nested(0));
      return n;
    }
  }

  @On
  record Point(int x, int y) {
    @On int sum() { seen(x); return x + y; }
    @InfoMethod private void seen(int x) {}
  }

  @On
  enum Kind {
    A { @Override int value() { return 1; } },
    B { @Override int value() { return 2; } };
    abstract int value();
    @On int twice() { told(this); return value() * 2; }
    @InfoMethod private void told(Object o) {}
  }

  sealed interface Shape permits Circle, Square {}
  record Circle(double r) implements Shape {}
  record Square(double a) implements Shape {}

  @On
  static final class Modern {
    private final List<Runnable> later = new ArrayList<>();

    @On double area(Shape s) {
      if (s instanceof Circle c) return 3 * c.r() * c.r();
      if (s instanceof Square q && q.a() > 1) return q.a() * q.a();
      throw new IllegalArgumentException("small");
    }
    @On String text(Object o) {
      return switch (o.hashCode() % 3) {
        case 0 -> "zero";
        case 1 -> { told(1); yield "one" + o; }
        default -> throw new IllegalStateException("" + o);
      };
    }
    @On int lambdas(int n) {
      IntUnaryOperator f = x -> x + n;
      later.add(() -> System.out.println("  later " + n));
      Supplier<String> s = this::toString;
      return f.applyAsInt(1) + s.get().length();
    }
    @On void resource(boolean fails) throws Exception {
      try (AutoCloseable c = () -> closed()) {
        if (fails) throw new Exception("body");
      }
    }
    private void closed() {}
    @InfoMethod private void told(int n) {}
    @Override public String toString() { return "Modern"; }
  }

  static MethodMonitorFactory recorder =
      new MethodMonitorFactoryBase("recorder") {
        public MethodMonitor create(final Class<?> cls) {
          return new MethodMonitorBase("recorder", cls, this) {
            void tell(String event, int ident, Object detail) {
              System.out.println("  " + event + " "
                  + MethodMonitorRegistry.getMethodName(cls, ident) + " "
                  + Arrays.deepToString(new Object[] {detail}));
            }
            public void enter(int ident, Object... args) {
              tell("enter", ident, args);
            }
            public void info(Object[] args, int caller, int self) {
              tell("info", self, args);
            }
            public void exit(int ident) { tell("exit", ident, "nothing"); }
            public void exit(int ident, Object r) { tell("exit", ident, r); }
            public void exception(int ident, Throwable t) {
              tell("exception", ident, t);
            }
            public void clear() {}
          };
        }
      };

  interface Action { Object run() throws Throwable; }

  static void show(String what, Action a) {
    try {
      System.out.println(what + " -> " + a.run());
    } catch (Throwable e) {
      System.out.println(what + " -> " + e + " in line "
          + e.getStackTrace()[0].getLineNumber());
    }
  }

  static void work() {
    Nulls n = new Nulls();
    show("last", () -> n.last("s"));
    show("chosen", () -> n.chosen(true) + n.chosen(false));
    show("nested", () -> n.nested(1));
    show("point", () -> new Point(1, 2).sum() + " " + new Point(3, 4));
    show("kind", () -> Kind.A.twice() + Kind.valueOf("B").twice());
    Modern m = new Modern();
    show("area", () -> m.area(new Circle(2)) + m.area(new Square(3)));
    show("small", () -> m.area(new Square(1)));
    show("text", () -> m.text(3) + m.text(1));
    show("text", () -> m.text(2));
    show("lambdas", () -> m.lambdas(4));
    m.later.forEach(Runnable::run);
    show("resource", () -> { m.resource(false); return 0; });
    show("resource", () -> { m.resource(true); return 0; });
  }

  /** What reflection says of a class, what is made for tracing apart. */
  static void shape(Class<?> c) {
    System.out.println(c + " of " + c.getNestHost() + " " + c.getModifiers()
        + Arrays.toString(c.getInterfaces()) + Arrays.toString(c.getRecordComponents())
        + Arrays.toString(c.getPermittedSubclasses()));
    for (Annotation a : c.getAnnotations())
      if (!a.annotationType().getSimpleName().equals("TFEnhanced"))
        System.out.println(a);
    List<String> all = new ArrayList<>();
    for (var m : c.getDeclaredMethods())
      if (!m.isAnnotationPresent(InfoMethod.class))
        all.add(m.toGenericString() + Arrays.toString(m.getParameters())
            + Arrays.toString(m.getAnnotations()));
    for (var f : c.getDeclaredFields())
      if (!f.getName().startsWith("__$mm$__")) all.add(f.toGenericString());
    Collections.sort(all);
    all.forEach(System.out::println);
  }

  public static void main(String[] args) {
    for (Class<?> c : new Class<?>[] {Nulls.class, Point.class, Kind.class,
        Modern.class})
      shape(c);
    System.out.println("== without");
    work();
    System.out.println("== with");
    MethodMonitorRegistry.register(On.class, recorder);
    work();
  }
}
