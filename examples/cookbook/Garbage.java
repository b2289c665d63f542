/** Makes objects that live for a moment. */
public class Garbage {
  static class Point {
    final double x, y;

    Point(double x, double y) {
      this.x = x;
      this.y = y;
    }

    Point plus(Point other) {
      return new Point(x + other.x, y + other.y);
    }
  }

  static Point sum() {
    Point sum = new Point(0, 0), one = new Point(1, 1);
    for (int i = 0; i < 100; i++)
      sum = sum.plus(one);
    return sum;
  }

  static void turn() {
    sum();
  }
}
