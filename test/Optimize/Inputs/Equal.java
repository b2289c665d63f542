/// Methods of which both versions do the same.
public class Equal {
  static int count;
  int field;

  static int f(int x) { return x; }

  static int sums(int n) {
    int s = 0;
    /*OLD*/ for (int i = 0; i < n; i++) s += i + 2; /*NEW int i = 0; while (true) { if (i >= n) break; s = s + 2 + i; i = i + 1; } */
    return s;
  }

  static int constants() { int a = 6; int b = 7; /*OLD*/ return a * b; /*NEW return 42; */ }

  static int negated(boolean c, int x) { /*OLD*/ return c ? f(x) : 0; /*NEW if (!c) return 0; return f(x); */ }

  int twice() { /*OLD*/ return field + field; /*NEW int x = field; return x + x; */ }

  int stored(int v) { field = v; /*OLD*/ return field; /*NEW return v; */ }

  static int threaded(Object o, int n) {
    /*OLD*/ boolean b = o != null; if (b && n > 0) return 1; return b ? 2 : 3; /*NEW if (o == null) return 3; return n > 0 ? 1 : 2; */
  }

  static int known(int x) { if (x == 5) { /*OLD*/ return f(x + 1); /*NEW return f(6); */ } return 0; }

  static int nested(int[][] a) {
    int s = 0;
    for (int i = 0; i < a.length; i++)
      /*OLD*/ for (int j = 0; j < a[i].length; j++) s += a[i][j]; /*NEW { int j = 0; int[] r = a[i]; while (j < r.length) { s = s + r[j]; j = j + 1; r = a[i]; } } */
    return s;
  }

  static int caught(int[] a, int i) {
    try {
      /*OLD*/ int x = a[i]; return x; /*NEW return a[i]; */
    } catch (NullPointerException e) {
      /*OLD*/ int d = 1; int r = d + 1; return r; /*NEW return 2; */
    } finally {
      count++;
    }
  }

  static int chosen(int n) {
    /*OLD*/ switch (n) { case 1: return 10; default: return 0; } /*NEW if (n == 1) return 10; return 0; */
  }

  static Object made(boolean c) { /*OLD*/ Object o = new Object(); return c ? new Object() : null; /*NEW return c ? new Object() : null; */ }

  /// The class is there once a store to its field has completed.
  int storedStatic(int v) { count = v; /*OLD*/ return count; /*NEW return v; */ }
}
