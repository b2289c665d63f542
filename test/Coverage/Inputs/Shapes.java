package shapes;

import java.io.Closeable;
import java.lang.annotation.*;

/** Code for which compilers add some of their own. */
public class Shapes {
    enum Colour { RED, GREEN { int n() { return 2; } }; int n() { return 1; } }

    enum Empty { }

    @Retention(RetentionPolicy.CLASS) @interface MyGenerated { }

    static class Utility { private Utility() { } static int one() { return 1; } }

    static abstract class Base<T> { abstract T get(); abstract int size(); }

    static class Text extends Base<String> {
        String get() { return "t"; }
        int size() { return 1; }
        @MyGenerated int made() { return 1; }
    }

    interface Named { String name(); default String twice() { return name() + name(); } }

    static class Resource implements Closeable {
        final boolean fails;
        Resource(boolean fails) { this.fails = fails; }
        public void close() { if (fails) throw new IllegalStateException("close"); }
    }

    static int strings(String s) {
        switch (s) {
        case "a": return 1;
        case "b":
        case "c": return 2;
        case "Aa":
        case "BB": return 3;
        default: return 4;
        }
    }

    static int colours(Colour c) {
        switch (c) {
        case RED: return 1;
        default: return 2;
        }
    }

    static int locked(Object o, boolean b) {
        synchronized (o) {
            if (b) return 1;
        }
        return 2;
    }

    static int cleaned(boolean b, boolean c) {
        int n = 0;
        try {
            if (b) return 1;
            if (c) throw new IllegalArgumentException();
            n = 2;
        } catch (IllegalArgumentException e) {
            n = 3;
        } finally {
            System.out.println("finally " + n);
        }
        return n;
    }

    static int emptyCatch() {
        int n = 1;
        try {
            n = Integer.parseInt("x");
        } catch (NumberFormatException e) {
        } finally {
            n += 2;
        }
        return n;
    }

    static int with(boolean a, boolean b) {
        try (Resource one = new Resource(a); Resource two = b ? null : new Resource(a)) {
            if (a && b) return 1;
            System.out.println("in");
        } catch (IllegalStateException e) {
            return 2;
        }
        return 3;
    }

    static int given(Resource r) {
        try (Resource other = r) {
            return 1;
        }
    }

    static int checked(int n) {
        assert n > 0 : "negative";
        return n;
    }

    static int loops(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            if (i % 2 == 0 && i % 3 == 0 || i > 5) sum += i; else sum--;
        do { sum--; } while (sum > 10);
        return sum;
    }

    public static void main(String[] args) {
        Runnable r = () -> System.out.println("lambda");
        Runnable never = () -> System.out.println("never");
        r.run();
        System.out.println(strings("a") + strings("BB") + colours(Colour.RED) + Colour.GREEN.n());
        System.out.println(locked(r, true) + cleaned(true, true) + cleaned(false, true) + emptyCatch());
        System.out.println(with(true, false) + with(false, true) + given(new Resource(false)));
        System.out.println(checked(1) + loops(7) + new Text().size() + Utility.one());
        Base<?> b = new Text();
        System.out.println(b.get());
        Named n = () -> "n";
        System.out.println(n.twice());
        new Object() { void a() { System.out.println("anonymous"); } }.a();
        try {
            given(new Resource(true));
        } catch (IllegalStateException e) {
            System.out.println("thrown");
        }
    }
}
