/** Switches, arrays, inner classes, class literals, long and double. */
public class Mixed {
  interface Op {
    double apply(double a, double b);
  }

  private int field = 3;

  class Inner implements Op {
    int shift;

    Inner(int shift) { this.shift = shift + field; }

    public double apply(double a, double b) {
      field++;
      return a * shift + b;
    }
  }

  static String sparse(int n) {
    switch (n) {
    case -1000000:
      return "low";
    case 0:
      return "zero";
    case 7:
    case 8:
      n++;
    case 1000000:
      return "some " + n;
    default:
      return "other";
    }
  }

  static int dense(char c) {
    int r = 0;
    switch (c) {
    case 'a':
      r += 1;
    case 'b':
      r += 2;
      break;
    case 'c':
      r -= 5;
    case 'e':
      r *= 2;
      break;
    default:
      r = c;
    }
    return r;
  }

  static double mix(long a, int[] b, float f) {
    double r = 0;
    long[][] grid = new long[3][4];
    for (int i = 0; i < b.length; i++) {
      grid[i % 3][i % 4] += a-- * b[i];
      r += grid[i % 3][(i + 1) % 4] / (f + 1) - (i > 2 ? a : b[i]);
      b[i] ^= (int) a;
      b[i]++;
    }
    return r % 1e9;
  }

  static boolean logic(int a, int b, Object o) {
    return (a > b && o != null) || !(o instanceof String) && (a & b) != 0 ||
        a == ~b;
  }

  public static void main(String[] args) {
    int[] keys = {-1000000, 0, 7, 8, 9, 1000000, 5};
    for (int i = 0; i < keys.length; i++)
      System.out.println(sparse(keys[i]));
    for (char c = '`'; c < 'g'; c++)
      System.out.println(dense(c));
    int[] numbers = {5, -3, 22, 1 << 20, 0, 9};
    System.out.println(mix(123456789012L, numbers, 2.5f));
    System.out.println(numbers[0] + numbers[3]);
    System.out.println(logic(1, 2, "x") + " " + logic(3, 2, new int[0]));
    Op op = new Mixed().new Inner(4);
    System.out.println(op.apply(1.5, 2) + op.apply(-1, 0.25));
    final int base = 10;
    Op anonymous = new Op() {
      public double apply(double a, double b) { return a / b + base; }
    };
    System.out.println(anonymous.apply(1, 0));
    System.out.println(Mixed.class.getName() + int[].class.getName());
    try {
      Object[] objects = new String[1];
      objects[0] = new Integer(3);
    } catch (ArrayStoreException e) {
      System.out.println("store");
    }
  }
}
