import java.io.*;
import java.lang.reflect.Method;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

// Compiles a program for many releases of Java, and runs what was made of it, each
// by one JVM: loaders keep the programs and their libraries apart.
public class Versions {
  // compile FIRST LAST OUT SOURCES CLASSPATH: into OUT/RELEASE
  static void compile(String[] args) throws Exception {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    int last = Integer.parseInt(args[2]);
    for (int release = Integer.parseInt(args[1]); release <= last; release++) {
      String out = args[3] + "/" + release;
      Files.createDirectories(Paths.get(out));
      List<String> line = new ArrayList<>(List.of(
          "-nowarn", "-Xlint:-options", "-g", "--release", "" + release, "-d", out, "-cp", args[5]));
      try (DirectoryStream<Path> sources = Files.newDirectoryStream(Paths.get(args[4]), "*.java")) {
        for (Path source : sources) line.add(source.toString());
      }
      var log = new ByteArrayOutputStream();
      if (javac.run(null, log, log, line.toArray(new String[0])) != 0) throw new Exception("" + log);
    }
  }

  // run EXPECTED CLASSPATH MAX FOLDER...: those up to version MAX, by their versions
  static void run(String[] args) throws Exception {
    var console = System.out;
    String expected = Files.readString(Paths.get(args[1]));
    var programs = new TreeMap<Integer, String>();
    for (String folder : Arrays.asList(args).subList(4, args.length))
      programs.put(
          (int) Files.readAllBytes(Paths.get(folder, "demo", "Main.class"))[7], folder);
    for (var program : programs.headMap(Integer.valueOf(args[3]), true).entrySet()) {
      var urls = new ArrayList<URL>();
      urls.add(Paths.get(program.getValue()).toUri().toURL());
      for (String entry : args[2].split(":")) urls.add(Paths.get(entry).toUri().toURL());
      var bytes = new ByteArrayOutputStream();
      System.setOut(new PrintStream(bytes, true));
      try (var loader = new URLClassLoader(
          urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
        Method main = loader.loadClass("demo.Main").getMethod("main", String[].class);
        main.invoke(null, (Object) new String[0]);
      }
      String text = bytes.toString().replaceAll("@[0-9a-f]{5,}", "@HASH");
      console.println(program.getKey() + (text.equals(expected) ? " same" : " differs:\n" + text));
    }
  }

  public static void main(String[] args) throws Exception {
    if (args[0].equals("compile")) compile(args);
    else run(args);
  }
}
