// Every instruction that javac makes, and an exception out of each that throws.
// Test inputs of jopt: a trace of it is compared with single steps.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

public class Opcodes extends Base implements Comparable<Opcodes> {
  static int si; static long sl; static float sf; static double sd; static Object so;
  int i = 1; long l = 2; float f = 3; double d = 4; Object o = "o"; byte b; short s; char c; boolean z;
  int[] is = new int[3]; long[] ls = {1, 2}; float[] fs = {1f}; double[] ds = {1, 2}; Object[] os = {"x", 1};
  byte[] bs = {1}; char[] cs = {'c'}; short[] ss = {3}; boolean[] zs = {true}; int[][][] cube = new int[2][3][];

  Opcodes(int n) {
    super(n > 2 ? new ArrayList<>(Arrays.asList(n, new int[n].length)) : null, n);
    i += n;
  }
  Opcodes() { this(5); }

  void constants() {
    int a = -1, b = 0, c = 1, d = 2, e = 3, f = 4, g = 5, h = 100, i = 1000, j = 100000;
    long k = 0, l = 1, m = 1234567890123L;
    float n = 0, o = 1, p = 2, q = 3.5f;
    double r = 0, s = 1, t = 2.5;
    Object u = null, v = Opcodes.class, w = "text";
    so = "" + (a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t) + u + v + w;
  }
  void math(int a, long b, float c, double d) {
    si = a + 3 - a * 2 / 3 % 7 + (-a << 2 >> 1 >>> 1 & 0xff | 3 ^ a);
    sl = b + 3 - b * 2 / 3 % 7 + (-b << 2 >> 1 >>> 1 & 0xff | 3 ^ b);
    sf = c + 3 - c * 2 / 3 % 7 + -c;
    sd = d + 3 - d * 2 / 3 % 7 + -d;
    a++; a += 5; a -= 100; a += 10000;
    sl = a; sf = a; sd = a; b = (byte) a; b = (char) a; b = (short) a;
    si = (int) sl; sf = sl; sd = sl; si = (int) sf; sl = (long) sf; sd = sf; si = (int) sd; sl = (long) sd; sf = (float) sd;
    si = (sl > b ? 1 : 0) + (sf > c ? 2 : 0) + (sf < c ? 4 : 0) + (sd > d ? 8 : 0) + (sd < d ? 16 : 0);
  }
  int jumps(int a, int b, Object p, Object q) {
    int n = 0;
    if (a == 0) n++; if (a != 0) n++; if (a < 0) n++; if (a >= 0) n++; if (a > 0) n++; if (a <= 0) n++;
    if (a == b) n++; if (a != b) n++; if (a < b) n++; if (a >= b) n++; if (a > b) n++; if (a <= b) n++;
    if (p == q) n++; if (p != q) n++; if (p == null) n++; if (p != null) n++;
    do { n += 2; if (n > 40) break; if (n == 23) continue; } while (n < 50);
    for (int i = 0; i < 3; i++) n += i;
    switch (a) { case 1: n = 7; case 2: n += 8; break; case 3: return n; default: n--; }
    switch (b) { case -1000: n = 7; break; case 1000: n += 8; case 0: break; }
    switch (String.valueOf(p)) { case "p": n++; break; case "q": n--; }
    return n;
  }
  void arrays() {
    is[1] = is[0] + 1; ls[0] += 2; fs[0]++; ds[1] = ds[0]; os[0] = os[1]; bs[0]++; cs[0]++; ss[0]--; zs[0] = !zs[0];
    cube[1][2] = new int[4]; cube[1][2][3] = is.length + cube.length;
    String[][] text = new String[2][]; text[0] = new String[] {"a", null}; so = text[0][0];
    is[i++ & 1] += 7; l = ls[1]++; long[] copy = ls.clone(); sl = copy[0] = copy[1] = 9;
  }
  void fields() {
    i = 2; l = 3; f = 4; d = 5; o = this; b++; s += 2; c = 'x'; z ^= true; this.l++; d = l = i++; Opcodes.sl++; sd = sl = si;
    so = o; o = so; so = new StringBuilder().append(l).append(c).toString();
  }
  static long longs(long a) { return a; }
  static float floats(float a) { return a; }
  static double doubles(double a) { return a; }
  Object calls(Supplier<String> it, IntBinaryOperator op) throws Exception {
    longs(2); floats(3); si = (int) doubles(4); new Opcodes(1); super.of(1); of(2); it.get(); si = op.applyAsInt(3, 4);
    Comparable<Opcodes> same = this; same.compareTo(this); List<Integer> list = new ArrayList<>(Arrays.asList(3, 1, 2));
    list.sort((x, y) -> { int r = x - y; return r; }); Runnable r = this::arrays; r.run();
    synchronized (this) { si++; } sync(); return list instanceof ArrayList ? (ArrayList<?>) list : null;
  }
  synchronized int sync() { return si; }
  @Override int of(int n) { return n == 0 ? 0 : super.of(n) + of(n - 1); }
  @Override public int compareTo(Opcodes other) { return i - other.i; }

  int fails(int n, Object nothing) {
    int[] none = null;
    Opcodes no = (Opcodes) nothing;
    try {
      switch (n) {
        case 0: return 1 / (n & 0);
        case 1: return is[7];
        case 2: is[-1] = 3; return 0;
        case 3: return none[0];
        case 4: return none.length;
        case 5: return no.i;
        case 6: no.i = 3; return 0;
        case 7: no.arrays(); return 0;
        case 8: throw null;
        case 9: synchronized (nothing) { return 0; }
        case 10: return new int[n - 11].length;
        case 11: return new int[1][n - 12].length;
        case 12: ((Object[]) new String[1])[0] = n; return 0;
        case 13: return ((Integer) (Object) "x");
        case 14: return (int) (1L % (n & 0));
        case 15: return new Object[n - 16].length;
        case 16: return Broken.value();
        case 17: return new Thrower(true).x;
        case 18: return thrower(3);
        case 19: throw new IllegalStateException("it");
        case 20: Arrays.asList(2, 1).sort((x, y) -> { throw new IllegalArgumentException(); }); return 0;
        case 21: synchronized (this) { return thrower(0); }
        default: return no.sync();
      }
    } catch (NullPointerException e) {
      return -1;
    } catch (ArithmeticException | IndexOutOfBoundsException e) {
      return -2;
    } catch (RuntimeException e) {
      try { if (n > 18) throw e; return -3; } catch (IllegalStateException x) { return -4; } catch (IllegalArgumentException x) { return -5; }
    } catch (Error e) {
      return -6;
    } finally {
      i++;
    }
  }
  int thrower(int n) {
    try { if (n == 0) throw new UnsupportedOperationException("deep"); return thrower(n - 1) + 1; }
    finally { if (n == 2) si++; }
  }

  static void all(int k) throws Exception {
    Opcodes it = new Opcodes();
    it.constants(); it.math(k, k * 3L, k / 2f, k / 3d);
    for (int a = 0; a < 5; a++) si += it.jumps(a - 1, (a - 2) * 500, a > 2 ? "p" : null, a == 3 ? "p" : "q");
    it.arrays(); it.fields(); it.calls(() -> "s" + k, (x, y) -> x * y + k);
    for (int n = 0; n < 23; n++) try { si += it.fails(n, null); } catch (UnsupportedOperationException e) { si += 100; }
    Wide.run(k); Inner in = it.new Inner(); in.go();
    for (Color c : Color.values()) si += c.size();
  }
  class Inner { int go() { return i + si; } }
  enum Color { RED, GREEN { @Override int size() { return 7; } }; int size() { return ordinal(); } }

  public static void main(String[] args) throws Exception {
    all(1);
    System.out.println(si + " " + so.getClass());
    for (int k = 0; k < 3; k++) {
      int n = k;
      Thread t = new Thread(() -> { try { all(n); } catch (Exception e) { throw new Error(e); } });
      t.start(); t.join();
    }
    System.out.println(si + " " + sl + " " + sd);
  }
}
class Base {
  final List<Integer> list; protected int base;
  Base(List<Integer> list, int n) { this.list = list; if (n == 77) throw new IllegalStateException(); base = n; }
  int of(int n) { return base + n; }
}
class Broken { static int x = 1 / Integer.parseInt("0"); static int value() { return x; } }
class Thrower { int x; Thrower(boolean now) { x = 1; if (now) throw new IllegalStateException("no"); } }
