public class Out {
  static void p(int i) { System.out.println(i); }

  static void p(long i) { System.out.println(i); }

  static void p(float f) { System.out.println(Integer.toHexString(Float.floatToIntBits(f))); }

  static void p(double d) { System.out.println(Long.toHexString(Double.doubleToLongBits(d))); }
}
