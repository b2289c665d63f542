import java.io.IOException;
import java.nio.file.*;

/**
 * A thread that has answered, or has ended for others, may still be on its way out, where probes see it: until there is
 * none that the system has to give a processor. Those that wait for work are not seen by name, as pools and servers have
 * threads of their own.
 */
class Quiet {
  /** How many threads run or would run, this one among them. */
  private static int running() throws IOException {
    int n = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Paths.get("/proc/self/task"))) {
      for (Path task : all) {
        try {
          String stat = new String(Files.readAllBytes(task.resolve("stat")));
          if (stat.charAt(stat.lastIndexOf(')') + 2) == 'R') n++;
        } catch (IOException e) {
          // it has ended
        }
      }
    }
    return n;
  }

  /** Quiet three times in a row; a thread may wait for a moment. */
  static void await() throws Exception {
    for (int quiet = 0, looks = 0; quiet < 3 && looks < 600; looks++) {
      Thread.sleep(100);
      quiet = running() == 1 ? quiet + 1 : 0;
    }
  }
}
