import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of JUnit 5, each of which writes a file. */
public class New {
  @BeforeAll static void before() { Old.write("before"); }

  @Test void passes() { Old.write("passes"); }

  @Test void fails() {
    Old.write("fails");
    Assertions.fail("as it must");
  }

  @Test void aborts() {
    Old.write("aborts");
    Assumptions.assumeTrue(false);
  }

  @Disabled @Test void ignored() { Old.write("ignored"); }

  @ParameterizedTest @ValueSource(ints = {1, 2}) void several(int n) { Old.write("several" + n); }

  @Nested class Inner {
    @Test void passesToo() { Old.write("inner"); }
  }
}
