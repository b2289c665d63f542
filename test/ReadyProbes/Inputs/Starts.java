import java.io.*;
import java.util.*;

/** Starts processes from 16 threads, and prints each as the probes are to record it: command|directory|PID|exit code. */
public class Starts {
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());

  static void work(int thread) throws Exception {
    Process fast = new ProcessBuilder("true").start();
    log.add("true||" + fast.pid() + "|" + fast.waitFor());
    Process code = new ProcessBuilder("sh", "-c", "exit " + thread).directory(new File("/")).start();
    log.add("sh -c exit " + thread + "|/|" + code.pid() + "|" + code.waitFor());
    Process killed = Runtime.getRuntime().exec(new String[] {"sleep", "1000"});
    killed.destroyForcibly();
    log.add("sleep 1000||" + killed.pid() + "|" + killed.waitFor());
    try {
      new ProcessBuilder("./no-such-program", String.valueOf(thread)).start();
    } catch (IOException e) {
      log.add("./no-such-program " + thread + "|failed");
    }
  }

  public static void main(String[] args) throws Exception {
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int thread = t;
      all.add(new Thread(() -> {
        try {
          work(thread);
        } catch (Throwable e) {
          log.add("unexpected " + e);
        }
      }));
    }
    for (Thread t : all) t.start();
    for (Thread t : all) t.join();
    Process left = new ProcessBuilder("sleep", "60").start();
    log.add("sleep 60||" + left.pid() + "|running");
    for (String line : log) System.out.println(line);
  }
}
