/** synchronized blocks and methods, with all the ways out of them. */
public class Locks {
  private int count;
  private final Object lock = new Object();

  synchronized int bump(int by) {
    if (by == 0)
      throw new IllegalArgumentException();
    return count += by;
  }

  int guarded(int n) {
    synchronized (lock) {
      synchronized (this) {
        if (n == 1)
          return -1;
        for (int i = 0; i < n; i++) {
          synchronized (lock) {
            if (i == 5)
              break;
            if (i == 2)
              continue;
            count += i;
          }
        }
        try {
          bump(n % 3);
        } catch (IllegalArgumentException e) {
          count++;
        } finally {
          count += 1000;
        }
      }
    }
    return count;
  }

  static long sum(long a, int b, double c) {
    synchronized (Locks.class) {
      long r = a << b;
      return (long) (r * c) ^ (r >>> 3);
    }
  }

  public static void main(String[] args) {
    Locks locks = new Locks();
    for (int i = 0; i < 9; i++)
      System.out.println(locks.guarded(i) + " " + sum(i * 77L, i, 1.25 * i));
    System.out.println(Thread.holdsLock(locks) + " " +
                       Thread.holdsLock(locks.lock));
  }
}
