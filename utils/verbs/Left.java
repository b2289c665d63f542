package known;

import java.lang.instrument.*;
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.security.ProtectionDomain;
import java.util.*;
import java.util.stream.*;
import javax.management.ObjectName;

/** Says what of jopt is in this JVM, for each line that comes. */
public class Left {
  static class Work {
    static int step(int n) { return n + 1; }
  }
  static Instrumentation instrumentation;
  static byte[] bytes;

  public static void premain(String options, Instrumentation i) { instrumentation = i; }

  static void say(String what, Stream<String> found) {
    found.distinct().forEach(f -> System.out.println(what + ": " + f));
  }
  static String ask(String command) throws Exception {
    return (String) ManagementFactory.getPlatformMBeanServer().invoke(
        new ObjectName("com.sun.management:type=DiagnosticCommand"), command, new Object[] {new String[0]},
        new String[] {String[].class.getName()});
  }
  static String link(Path p) {
    try {
      return Files.readSymbolicLink(p).toString();
    } catch (Exception e) {
      return "";
    }
  }
  static boolean isOurs(String line) { return line.contains("jopt"); }

  static void look() throws Exception {
    // What goes with a collection is gone after two.
    System.gc();
    System.gc();
    say("thread", Thread.getAllStackTraces().keySet().stream().map(Thread::getName));
    say("property", System.getProperties().stringPropertyNames().stream().filter(Left::isOurs)
        .map(n -> n + "=" + System.getProperty(n)));
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      say("descriptor", all.map(Left::link).filter(l -> isOurs(l) || l.startsWith("socket:"))
          .map(l -> l.replaceAll(":\\[\\d+\\]", "")));
    }
    say("mapped", Files.lines(Path.of("/proc/self/maps")).filter(Left::isOurs).map(l -> l.replaceAll(".*/", "")));
    for (String place : new String[] {"/tmp", "/var/tmp", "/dev/shm"})
      try (Stream<Path> all = Files.list(Path.of(place))) {
        say("file", all.map(Path::toString).filter(f -> f.contains("jopt-" + ProcessHandle.current().pid() + "-")));
      }
    say("class", Stream.of(ask("vmClassHierarchy").split("\n")).filter(Left::isOurs)
        .map(l -> l.replaceAll("^[|\\- ]*", "").replaceAll("/(0x[0-9a-f]+|null)", "").replaceAll("\\$\\$Lambda.*", "\\$\\$Lambda")));
    long size = 0;
    for (String line : ask("gcClassHistogram").split("\n"))
      if (isOurs(line))
        size += Long.parseLong(line.strip().split(" +")[2]);
    System.out.println("objects: " + size);
    say("reads", ModuleLayer.boot().modules().stream().filter(Module::isNamed)
        .filter(m -> m.canRead(ClassLoader.getSystemClassLoader().getUnnamedModule())
                  || m.canRead(ClassLoader.getPlatformClassLoader().getUnnamedModule())).map(Module::getName));
    ClassFileTransformer t = new ClassFileTransformer() {
      public byte[] transform(ClassLoader l, String n, Class<?> c, ProtectionDomain d, byte[] b) {
        bytes = b;
        return null;
      }
    };
    instrumentation.addTransformer(t, true);
    instrumentation.retransformClasses(Work.class);
    instrumentation.removeTransformer(t);
    System.out.println("bytes: " + isOurs(new String(bytes, "ISO-8859-1")));
    System.out.println("end");
  }
  public static void main(String[] a) throws Exception {
    Thread t = new Thread(() -> {
      for (int n = 0;; n = Work.step(n))
        try {
          Thread.sleep(20);
        } catch (InterruptedException e) {
          return;
        }
    }, "worker");
    t.setDaemon(true);
    t.start();
    Scanner in = new Scanner(System.in);
    while (in.hasNextLine()) {
      in.nextLine();
      look();
    }
  }
}
