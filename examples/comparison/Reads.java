import java.io.*;
import java.nio.file.*;

/** What docs/Comparison.md watches. Reads two files, one larger than the other, again and again. */
public class Reads {
  static class Disk {
    static int read(Path file) throws IOException {
      byte[] buffer = new byte[8192];
      try (FileInputStream in = new FileInputStream(file.toFile())) {
        return in.read(buffer, 0, buffer.length);
      }
    }
  }
  public static void main(String[] args) throws Exception {
    Path small = Files.write(Paths.get("small.txt"), new byte[10]);
    Path large = Files.write(Paths.get("large.txt"), new byte[5000]);
    System.out.println("ready");
    for (int n = 0; System.in.available() == 0; n++) {
      step(n % 3 == 0 ? large : small);
      Thread.sleep(5);
    }
  }
  static void step(Path file) throws IOException { Disk.read(file); }
}
