import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import real.Rounds;

/** The compiler of Kotlin: what it says, and the classes that it makes. */
public class Program {
  private static int rounds;

  public static void main(String[] args) throws Exception {
    Rounds.run(() -> {
      Path out = Path.of("classes" + ++rounds);
      var said = new ByteArrayOutputStream();
      // What it compiles against is the untouched library, whose inline functions it copies.
      var status = new K2JVMCompiler().exec(new PrintStream(said, true), "-no-stdlib",
          "-no-reflect", "-nowarn", "-module-name", "program", "-cp", args[1], "-d", out.toString(),
          args[0]);
      return status + "\n" + said + Rounds.digests(out, "");
    });
  }
}
