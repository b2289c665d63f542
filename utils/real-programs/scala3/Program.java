import dotty.tools.dotc.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import real.Rounds;

/** The compiler of Scala 3: the classes that it makes. */
public class Program {
  private static int rounds;

  static String classes(Path folder) throws Exception {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).filter(f -> !f.toString().endsWith(".tasty"))
          .sorted().map(file -> {
            try {
              byte[] digest = java.security.MessageDigest.getInstance("SHA-256")
                  .digest(Files.readAllBytes(file));
              return folder.relativize(file) + " "
                  + java.util.HexFormat.of().formatHex(digest, 0, 8) + "\n";
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }).collect(Collectors.joining());
    }
  }

  public static void main(String[] args) throws Exception {
    Rounds.run(() -> {
      Path out = Files.createDirectory(Path.of("classes" + ++rounds));
      var said = Main.process(new String[] {"-usejavacp", "-color:never", "-d", out.toString(),
          args[0]});
      return said.hasErrors() + "\n" + classes(out);
    });
  }
}
