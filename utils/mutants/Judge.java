// Judges class files by the JVM it runs on.
//
//   java -Xverify:all Judge PACK FIRST FOLDER...
//
// Each class of PACK from number FIRST on is defined in a class loader of its
// own, which defines the classes of the folders beside it, and is linked but not
// initialised. Prints `<name> TAB <OK or the error> TAB <message>` for each.

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

public final class Judge {
  /** Where the class of a name is; the first folder that has it counts. */
  private static final Map<String, Path> CLASSES = new HashMap<>();
  private static final Map<String, byte[]> READ = new HashMap<>();

  private static final class Loader extends ClassLoader {
    Loader() { super(ClassLoader.getPlatformClassLoader()); }

    Class<?> define(byte[] bytes) {
      return defineClass(null, bytes, 0, bytes.length);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve)
        throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) return known;
        byte[] bytes = bytesOf(name);
        if (bytes == null) return super.loadClass(name, resolve);
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }

  private static byte[] bytesOf(String name) {
    Path path = CLASSES.get(name);
    if (path == null) return null;
    return READ.computeIfAbsent(name, n -> {
      try {
        return Files.readAllBytes(path);
      } catch (IOException e) {
        return null;
      }
    });
  }

  private static String judge(byte[] bytes) {    String name = "";
    try {
      Class<?> defined = new Loader().define(bytes);
      name = defined.getName();
      // Links the class, and does not initialise it.
      defined.getDeclaredFields();
      return "OK\t";    } catch (Throwable t) {
      String message = String.valueOf(t.getMessage());
      // Its own supertypes were looked at when it was defined.
      if (t.getClass() == IncompatibleClassChangeError.class && !name.isEmpty())
        return "IncompatibleClassChangeErrorElsewhere\t" + message;
      return t.getClass().getSimpleName() + elsewhere(message, name) + "\t"
          + message.lines().findFirst().orElse("");
    }
  }

  private static final Pattern PLACE = Pattern.compile(
      "\\(class: ([^,\\n]+),|Location:\\s+([^\\n]+?)\\.[^./\\n(]+\\(");

  /**
   * A superclass is verified first, and may be wrong because of what the class
   * has become: that says nothing about the class itself.
   */
  private static String elsewhere(String message, String name) {
    Matcher m = PLACE.matcher(message);
    if (!m.find()) return "";
    String place = m.group(1) != null ? m.group(1) : m.group(2);
    return place.replace('/', '.').equals(name) ? "" : "Elsewhere";
  }
public static void main(String[] args) throws IOException {
    for (int i = 2; i < args.length; ++i) {
      Path folder = Path.of(args[i]);
      try (Stream<Path> files = Files.walk(folder)) {
        files.filter(p -> p.toString().endsWith(".class")).sorted().forEach(
            p -> CLASSES.putIfAbsent(
                folder.relativize(p).toString().replace(".class", "")
                    .replace('/', '.'), p));
      }
    }
    int first = Integer.parseInt(args[1]);
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    try (DataInputStream in = new DataInputStream(
             new BufferedInputStream(Files.newInputStream(Path.of(args[0]))))) {
      for (int number = 0;; ++number) {
        String name = new String(in.readNBytes(in.readUnsignedShort()),
            StandardCharsets.UTF_8);
        byte[] bytes = in.readNBytes(in.readInt());
        if (number < first) continue;
        String verdict = judge(bytes).replace('\r', ' ');
        out.print(name + "\t" + verdict + "\n");
        out.flush();
      }
    } catch (EOFException end) {
      // the pack is done
    }
  }
}
