// Each line that counts says how: full, part or none, and the branches that were missed and covered.
// Other compilers than javac may have marks of their own.
import java.io.Closeable;
import java.util.concurrent.Callable;

public class Java17 { // part; ecj: none
    static int sink; // empty; ecj: full

    static void use(int n) {
        sink += n; // full
    } // full

    enum Colour { RED, GREEN } // full

    record Point(int x, int y) { // full
        int sum() {
            return x + y; // none
        }
    }

    static final class Utility {
        private Utility() {
        }

        static void twice(int n) {
            use(n); // full
            use(n); // full
        } // full
    }

    static final class Resource implements Closeable { // full
        @Override
        public void close() {
            use(1); // full
        } // full
    }

    static void tryWithResources() {
        try (Resource r = new Resource()) { // full
            use(1); // full
        }
    } // full

    static void finallyBlock(boolean thrown) {
        try {
            if (thrown) { // full 0/2
                throw new IllegalStateException(); // full
            }
            use(1); // full
        } catch (IllegalStateException e) { // full
            use(2); // full
        } finally {
            use(3); // full
        }
    } // full

    static void lock(Object o) {
        synchronized (o) { // full
            use(1); // full
        } // full; ecj: empty
    } // full

    static void stringSwitch(String s) {
        switch (s) { // part 1/2
            case "a":
                use(1); // full
                break; // full
            case "b":
                use(2); // none
                break; // none
            default:
                use(3); // full
        }
    } // full

    static int exhaustive(Colour c) {
        return switch (c) { // full 0/2
            case RED -> 1; // full
            case GREEN -> 2; // full
        };
    }

    static int arrows(int n) {
        return switch (n) { // part 2/2
            case 1, 2 -> 3; // full
            case 3 -> 4; // none
            case 4 -> {
                use(1); // none
                yield 5; // none
            }
            default -> 6; // full
        };
    }

    static void lambda() throws Exception {
        Callable<Integer> ran = () -> 1; // full
        Callable<Integer> not = () -> 2; // part
        use(ran.call()); // full
    } // full

    static boolean conditions(int a, int b) {
        boolean both = a > 0 && b > 0; // part 1/3
        boolean any = a > 0 || b > 0; // part 1/3
        return both == any ? both : !any; // part 3/1
    }

    static void thrower() {
        use(1); // full
        fail(); // none
        use(2); // none
    } // none

    static void fail() {
        throw new UnsupportedOperationException(); // full
    }

    static void asserts(int n) {
        assert n > 0 : "positive"; // part 1/1
    } // full

    static boolean instance(Object o) {
        return o instanceof String s && s.length() > 1; // part 1/3; ecj: part 2/4
    }

    public static void main(String[] args) throws Exception {
        new Point(1, 2); // full
        Utility.twice(1); // full
        tryWithResources(); // full
        finallyBlock(true); // full
        finallyBlock(false); // full
        lock(new Object()); // full
        stringSwitch("a"); // full
        stringSwitch("c"); // full
        exhaustive(Colour.RED); // full
        exhaustive(Colour.GREEN); // full
        arrows(1); // full
        arrows(9); // full
        lambda(); // full
        conditions(1, 1); // full
        conditions(-1, -1); // full
        try {
            thrower(); // none
        } catch (UnsupportedOperationException e) { // full; ecj: part
            use(1); // full
        } // none; ecj: empty
        asserts(1); // full
        instance("word"); // full
        instance(1); // full
    } // full
}
