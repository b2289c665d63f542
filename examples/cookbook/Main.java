import java.lang.reflect.Method;

/** Runs the programs that are named, each again and again in a thread of its own, until standard input ends. */
public class Main {
  public static void main(String[] names) throws Exception {
    for (String name : names) {
      Method turn = Class.forName(name).getDeclaredMethod("turn");
      Thread thread = new Thread(() -> {
        try {
          while (true) {
            turn.invoke(null);
            Thread.sleep(10);
          }
        } catch (ReflectiveOperationException | InterruptedException e) {
          e.printStackTrace();
        }
      }, name);
      thread.setDaemon(true);
      thread.start();
    }
    System.out.println("ready");
    while (System.in.read() >= 0) {
    }
  }
}
