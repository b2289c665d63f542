/** Something to trace and to cover. */
public class Work {
  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  static int other(int n) {
    return n > 100 ? -1 : fib(n);
  }

  public static void main(String[] a) throws Exception {
    Thread t = new Thread(() -> fib(5), "helper");
    t.start();
    t.join();
    System.out.println(a[0].equals("before") ? fib(8) : other(9));
  }
}
