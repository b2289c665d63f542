import static org.junit.Assert.*;

import java.io.FileOutputStream;
import org.junit.*;

/** Tests of JUnit 4, each of which writes a file. */
public class Old {
  static void write(String name) {
    try (FileOutputStream out = new FileOutputStream("data/" + name)) {
      out.write(1);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeClass public static void before() { write("before"); }

  @Test public void passes() { write("passes"); }

  @Test public void fails() {
    write("fails");
    fail("as it must");
  }

  @Test public void aborts() {
    write("aborts");
    Assume.assumeTrue(false);
  }

  @Ignore @Test public void ignored() { write("ignored"); }
}
