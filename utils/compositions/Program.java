package composed;

import java.util.*;
import java.util.function.*;

/**
 * A program with one of each shape that placing code must respect. It prints the
 * same whatever is put into it.
 */
public class Program {
    static int written;
    volatile long wide = 1;
    final String name;

    static { written = 5; for (int i = 0; i < 3; i++) written += i; }

    Program(String name) { this(name, name.length() > 3 ? 7L : 9L); }

    Program(String name, long wide) {
        super();
        this.name = name;
        this.wide = wide;
    }

    static class Sub extends Program implements Comparable<Sub> {
        private final int[] cells;
        Sub(String s, boolean fails) {
            super(fails ? refuse(s) : s + (s.isEmpty() ? "!" : "?"));
            cells = new int[] {1, 2, s.length()};
        }
        static String refuse(String s) { throw new IllegalArgumentException(s); }
        public int compareTo(Sub o) { return cells[2] - o.cells[2]; }
        @Override long sum(double d, long l, byte b) { return super.sum(d, l, b) + cells[1]; }
    }

    interface Named { default String twice() { return one() + one(); } String one(); }

    long sum(double d, long l, byte b) { wide += l; return (long) d + wide + b; }

    synchronized int locked(Object o, boolean early) {
        synchronized (o) {
            if (early)
                return 1;
            synchronized (this) { written++; }
        }
        return 2;
    }

    static int cleaned(int n) {
        int steps = 0;
        try {
            steps++;
            if (n == 1)
                return steps;
            if (n == 2)
                throw new IllegalStateException("two");
            try { steps /= n - 3; } catch (ArithmeticException e) { steps = 40; } finally { steps += 2; }
        } catch (IllegalStateException e) {
            steps = 30;
        } finally {
            written += steps;
        }
        return steps;
    }

    static String switched(Object o, int n) {
        String s = String.valueOf(o);
        switch (s) {
        case "a": case "b": s = "ab"; break;
        case "Aa": return "Aa";
        case "BB": s += n;
        default: s += "-";
        }
        switch (n) {
        case 0: return s + 0;
        case 1: return s + 1;
        case 1000: return s + "k";
        default: return s;
        }
    }

    static int loops(int[][] cells) {
        int total = 0;
        outer:
        for (int[] row : cells) {
            for (int i = row.length - 1; i >= 0; i--) {
                if (row[i] < 0)
                    continue outer;
                total += row[i] > 5 && i != 0 || row[i] == 3 ? row[i] : 1;
            }
            do total--; while (total > 100);
        }
        return total;
    }

    static long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

    static void throwing(int n) throws Exception {
        if (n == 0)
            throw new Exception("end");
        throwing(n - 1);
    }

    static <T extends Comparable<T>> T least(List<T> list) {
        T least = null;
        for (T t : list)
            if (least == null || t.compareTo(least) < 0)
                least = t;
        return least;
    }

    public static void main(String[] args) {
        StringBuilder out = new StringBuilder();
        Program p = new Program("abc");
        Sub s = new Sub("xyz", false);
        try { new Sub("bad", true); } catch (IllegalArgumentException e) { out.append(e.getMessage()).append('\n'); }
        out.append(p.sum(1.5, 2, (byte) 3)).append(' ').append(s.sum(2.5, 3, (byte) 4)).append('\n');
        out.append(p.locked(out, true)).append(p.locked(out, false)).append('\n');
        for (int i = 0; i < 5; i++)
            out.append(cleaned(i)).append(',').append(switched(i == 2 ? "Aa" : i == 3 ? "BB" : "a", i)).append(' ');
        out.append(switched(null, 1000)).append('\n');
        out.append(loops(new int[][] {{1, 9, 3}, {-1, 4}, {7, 6}, {}})).append('\n');
        out.append(fibonacci(9)).append('\n');
        try { throwing(4); } catch (Exception e) { out.append(e.getMessage()).append('\n'); }
        out.append(least(Arrays.asList(3, 1, 2))).append(least(Arrays.asList(s, new Sub("", false))).name).append('\n');
        Named n = () -> "n";
        Function<Integer, Function<Integer, Integer>> add = a -> b -> a + b;
        out.append(n.twice()).append(add.apply(3).apply(4)).append('\n');
        Object[] objects = new Object[2];
        try { objects[2] = p; } catch (ArrayIndexOutOfBoundsException e) { out.append("index\n"); }
        try { Object o = "text"; out.append(((Integer) o).intValue()); } catch (ClassCastException e) { out.append("cast\n"); }
        out.append(written).append(' ').append(p.wide).append(' ').append(p.name instanceof String).append('\n');
        System.out.print(out);
    }
}
