import java.util.ArrayList;
import java.util.List;

/** Throws, in each of several threads, and prints what the probes are to record: class|text|seen|thread|made at. */
public class Raises {
  static class Own extends RuntimeException {
    Own(String text) {
      super(text);
    }
  }

  /** Whose text cannot be had. */
  static class Broken extends RuntimeException {
    @Override
    public String toString() {
      throw new IllegalStateException("no text");
    }
  }

  static class Work {
    /** Thrown and caught in the same method. */
    static void here() {
      try {
        throw new Own("here");
      } catch (Own e) {
        said(e, "thrown");
      }
    }

    /** Thrown once, through methods and a `finally` that has others, and thrown on. */
    static void far() {
      try {
        deep(5);
      } catch (Own e) {
        said(e, "thrown");
      }
    }

    static void deep(int n) {
      try {
        if (n == 0) throw new Own("far, password=hidden");
        deep(n - 1);
      } catch (Own e) {
        throw e;
      } finally {
        here();
      }
    }

    /** Of the JVM, and of the JDK: they leave a method of the program. */
    static void passed(String text) {
      try {
        length(null);
      } catch (NullPointerException e) {
        said(e, "passed on");
      }
      try {
        number(text);
      } catch (NumberFormatException e) {
        said(e, "passed on");
      }
    }

    /** Of the JDK, and caught by who called it. */
    static void caught(String text) {
      try {
        Integer.parseInt(text);
      } catch (NumberFormatException e) {
        said(e, "caught");
      }
    }

    static int length(String s) {
      return s.length();
    }

    static int number(String s) {
      return Integer.parseInt(s);
    }

    static void broken() {
      try {
        throw new Broken();
      } catch (Broken e) {
        System.out.println(line(e.getClass().getName() + "|text fails|thrown", e));
      }
    }

    /** Another thread that gets the same object sees it again. */
    static void again(Own shared) {
      try {
        throw shared;
      } catch (Own e) {
        said(e, "thrown");
      }
    }
  }

  static void said(Throwable e, String how) {
    System.out.println(line(e.getClass().getName() + "|" + e.toString().replace("hidden", "...") + "|" + how, e));
  }

  static String line(String of, Throwable e) {
    return of + "|" + Thread.currentThread().getName() + "|" + e.getStackTrace()[0];
  }

  public static void main(String[] args) throws Exception {
    Own shared = new Own("shared");
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread t = new Thread(() -> {
        Work.here();
        Work.far();
        Work.passed("x");
        Work.caught("y");
        Work.broken();
        Work.again(shared);
      }, "raises " + i);
      all.add(t);
      t.start();
    }
    for (Thread t : all) t.join();
  }
}
