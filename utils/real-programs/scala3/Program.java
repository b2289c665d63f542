import dotty.tools.dotc.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import real.Rounds;

/** The compiler of Scala 3: the classes that it makes. */
public class Program {
  private static int rounds;

  public static void main(String[] args) throws Exception {
    Rounds.run(() -> {
      Path out = Files.createDirectory(Path.of("classes" + ++rounds));
      var said = Main.process(new String[] {"-usejavacp", "-color:never", "-d", out.toString(),
          args[0]});
      return said.hasErrors() + "\n" + Rounds.digests(out, ".class");
    });
  }
}
