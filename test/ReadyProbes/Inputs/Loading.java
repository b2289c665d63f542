import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Loads classes by loaders of its own in 16 threads, and prints each as the probes are to record it: class|loader|bytes. */
public class Loading {
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());

  static class Base {}
  static class Derived extends Base {}
  static class More extends Derived {}

  static class Own extends ClassLoader {
    Own() { super(null); }

    @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
      try {
        byte[] bytes = Files.readAllBytes(Paths.get("app", name + ".class"));
        String line = name + "|Loading$Own@" + Integer.toHexString(System.identityHashCode(this)) + "|" + bytes.length;
        if (name.endsWith("Base")) {
          java.nio.ByteBuffer b = java.nio.ByteBuffer.allocateDirect(bytes.length);
          b.put(bytes).flip();
          Class<?> c = defineClass(name, b, null);
          log.add(line);
          return c;
        }
        Class<?> c = defineClass(name, bytes, 0, bytes.length);
        log.add(line);
        return c;
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    void garbage() {
      try {
        defineClass("Garbage", new byte[7], 0, 7);
      } catch (ClassFormatError e) {
        log.add("Garbage|Loading$Own@" + Integer.toHexString(System.identityHashCode(this)) + "|failed");
      }
    }
  }

  public static void main(String[] args) throws Exception {
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      all.add(new Thread(() -> {
        try {
          Own own = new Own();
          own.loadClass("Loading$More");
          own.garbage();
        } catch (Throwable e) {
          log.add("unexpected " + e);
        }
      }));
    }
    for (Thread t : all) t.start();
    for (Thread t : all) t.join();
    for (String line : log) System.out.println(line);
  }
}
