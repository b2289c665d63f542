package real;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Prints what a program's work gives. With the property real.until the work is done again and again
 * until there is a file of that name, and each round must give what the first one gave. After the
 * first round a file with .first behind the name has the number of the process.
 */
public final class Rounds {
  private Rounds() {}

  /** The files below a folder whose names end so: a line for each, with a digest. */
  public static String digests(Path folder, String suffix) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).filter(f -> f.toString().endsWith(suffix)).sorted()
          .map(file -> folder.relativize(file) + " " + digest(file) + "\n")
          .collect(Collectors.joining());
    }
  }

  private static String digest(Path file) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void run(Callable<String> work) throws Exception {
    String first = work.call();
    System.out.print(first);
    System.out.flush();
    String until = System.getProperty("real.until");
    if (until == null) {
      return;
    }
    String pid = Long.toString(ProcessHandle.current().pid());
    Files.move(Files.writeString(Path.of(until + ".new"), pid), Path.of(until + ".first"));
    int rounds = 1;
    while (!Files.exists(Path.of(until))) {
      String next = work.call();
      ++rounds;
      if (!next.equals(first)) {
        System.out.println("round " + rounds + " differs:\n" + next);
        break;
      }
    }
    System.err.println(rounds + " rounds");
  }
}
