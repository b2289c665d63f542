/** Of two readers of a file one closes it. */
public class OpenFiles {
  static int good(java.io.File file) throws java.io.IOException {
    try (java.io.FileInputStream in = new java.io.FileInputStream(file)) {
      return in.read();
    }
  }

  static int bad(java.io.File file) throws java.io.IOException {
    return new java.io.FileInputStream(file).read();
  }

  static void turn() throws java.io.IOException, InterruptedException {
    java.io.File file = new java.io.File("/dev/zero");
    good(file);
    bad(file);
    Thread.sleep(100);
  }
}
