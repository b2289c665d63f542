import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;

// Constructors with fields to set in front of super(), and frames there.
value class Point implements Comparable<Point> {
    static int made;
    private final int x, y;
    final String text;

    Point(int x, int y, String in) {
        if (x < 0) {
            this.x = -x;
        } else {
            this.x = x;
        }
        int parsed;
        try {
            parsed = Integer.parseInt(in);
        } catch (NumberFormatException e) {
            parsed = e.getMessage().length();
        } finally {
            ++made;
        }
        this.y = switch (y) {
            case 1 -> 10;
            case 2 -> {
                int sum = 0;
                for (int i = 0; i < parsed; ++i) sum += i;
                yield sum;
            }
            default -> y;
        };
        text = in + parsed;
    }

    Point(int n) {
        this(n, n > 3 ? 1 : 2, n == 0 ? "none" : "7");
    }

    Point(long n) {
        int low = (int) n;
        if (low == 0) throw new IllegalArgumentException("zero");
        this(low, 5, Long.toString(n));
        if (low > 100) System.out.println("large " + this);
    }

    @Override public int compareTo(Point o) { return Integer.compare(x, o.x); }
    @Override public String toString() { return x + "," + y + "," + text; }
    int sum() { return x + y; }
    static synchronized int count() { return made; }
}

abstract value class Shape {
    final double scale;

    Shape(double scale) {
        this.scale = scale > 0 ? scale : 1;
        super();
        System.out.println("shape " + this.scale);
    }

    abstract double area();
}

value class Circle extends Shape {
    final double r;
    final long id;

    Circle(double r, long id) {
        this.r = Math.abs(r);
        double scale;
        try {
            scale = id == 0 ? Objects.requireNonNull((Double) null) : id;
        } catch (NullPointerException e) {
            scale = 0.5;
        }
        this.id = id;
        super(scale);
        System.out.println("circle " + area());
    }

    @Override double area() { return r * r * scale; }
}

value record Pair(Object a, Point b) {
    Pair {
        if (b == null) throw new NullPointerException("b");
        a = a == null ? "null" : a;
    }
    static Pair of(int n) {
        Point b = new Point(n);
        return new Pair(n, b);
    }
}

// It has identity, and strict fields.
record Named(String name, int n) {
    Named(String name, int n) {
        this.name = name == null ? "?" : name;
        this.n = n < 0 ? 0 : n;
    }
}

class Base {
    final String of;
    Base(String of) { this.of = of; hook(); }
    void hook() { }
}

// Fields set early without being strict.
class Early extends Base {
    int first;
    final int second;

    Early(int n) {
        if (n > 1) first = n;
        second = n * 2;
        super(n == 0 ? "zero" : "more");
        first += second;
    }

    @Override void hook() { System.out.println("hook " + first + " " + second); }
}

public class Values {
    static int calls;

    static value class Counter implements IntSupplier {
        final int from;
        final int[] now;
        Counter(int from) {
            this.from = from;
            now = new int[] {from};
        }
        @Override public int getAsInt() { return now[0]++; }
    }

    static Object same(Object a, Object b) {
        ++calls;
        return a == b ? "same" : a != null && a.equals(b) ? "equal" : "other";
    }

    static String lock(Object o) {
        try {
            synchronized (o) {
                return "locked";
            }
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }

    static void fails(long n) {
        try {
            System.out.println(new Point(n));
        } catch (IllegalArgumentException e) {
            System.out.println("failed " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        List<Object> all = new ArrayList<>();
        for (int i = -2; i < 6; i += 2) all.add(new Point(i));
        all.add(new Point(3, 9, "x"));
        fails(0);
        fails(7);
        fails(200);
        all.add(new Circle(-2, 0));
        all.add(new Circle(3, 4));
        all.add(Pair.of(4));
        try {
            all.add(new Pair(null, null));
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        all.add(new Named(null, -1));
        all.add(new Early(0));
        all.add(new Early(5));
        Counter c = new Counter(3);
        System.out.println(c.getAsInt() + c.getAsInt());
        for (Object o : all)
            System.out.println((o instanceof Early || o instanceof Circle ? o.getClass().getName() : o)
                + " " + lock(o) + " " + Objects.hasIdentity(o));
        Point[] points = {new Point(5), new Point(5), new Point(6)};
        System.out.println(same(points[0], points[1]) + " " + same(points[1], points[2])
            + " " + same(points, points.clone()) + " " + calls + " " + points[0].compareTo(points[2])
            + " " + Point.count() + " " + (points[0] == points[1]) + " " + points[2].sum());
    }
}
