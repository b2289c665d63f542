// Marks as in Java17.java.
public class Java21 { // none
    sealed interface Shape permits Circle, Square {}
    record Circle(int r) implements Shape {} // full
    record Square(int a) implements Shape {} // none
    record Pair(Object a, Object b) {} // full

    static int area(Shape s) {
        return switch (s) { // part 1/1
            case Circle c -> 3 * c.r() * c.r(); // full
            case Square q -> q.a() * q.a(); // none
        };
    }

    static String guarded(Object o) {
        return switch (o) { // part 1/2
            case Integer i when i > 1 -> "large"; // full 0/2
            case String s -> s; // none
            default -> "other"; // full
        };
    }

    static int pair(Object o) {
        if (o instanceof Pair(Integer a, Integer b)) { // part 2/4
            return a + b; // full
        }
        return 0; // full
    }

    public static void main(String[] args) {
        area(new Circle(1)); // full
        guarded(2); // full
        guarded(1); // full
        pair(new Pair(1, 2)); // full
        pair("none"); // full
    } // full
}
