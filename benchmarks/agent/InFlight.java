// 16 threads in endless loops, three attaches and off: nanoseconds for each turn
// of a loop before and after.
import java.nio.charset.StandardCharsets;

public class InFlight {
  static final int THREADS = 16, APART = 16;
  static class Work {
    int x;
    void step() { x = x * 31 + 7; }
  }
  static final long[] turns = new long[THREADS * APART];
  static volatile boolean stop;

  static Runnable loop(int n) {
    return () -> {
      Work w = new Work();
      while (!stop) {
        w.step();
        w.step();
        turns[n * APART]++;
      }
      System.err.print(w.x == 0 ? " " : "");
    };
  }
  static double nanoseconds() throws Exception {
    long before = 0, after = 0, begin = System.nanoTime();
    for (long t : turns) before += t;
    Thread.sleep(4000);
    for (long t : turns) after += t;
    return (System.nanoTime() - begin) / (double) (after - before);
  }
  static void attach(String library, String options) throws Exception {
    Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/jcmd",
        "" + ProcessHandle.current().pid(), "JVMTI.agent_load", library,
        "\"" + options + "\"").redirectErrorStream(true).start();
    String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    p.waitFor();
    if (!said.contains("return code: 0") && !said.contains("return code: 106"))
      throw new IllegalStateException(options + ": " + said);
  }
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < THREADS; i++) {
      Thread t = new Thread(loop(i), "worker " + i);
      t.setDaemon(true);
      t.start();
    }
    Thread.sleep(3000);
    double before = nanoseconds();
    for (int i = 0; i < 3; i++)
      attach(args[0], args[1]);
    attach(args[0], "off");
    Thread.sleep(1000);
    System.out.println("{\"before\": " + before + ", \"after\": " + nanoseconds() + "}");
  }
}
