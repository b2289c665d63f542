//===- utils/linkcheck/LinkCheck.java - links classes, runs none ----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One fork of linkcheck.py: links the classes that a task file names, and
// writes one line for each. Run it under -Xverify:all.
//
//   java LinkCheck TASKS RESULTS
//
// TASKS has tab-separated lines:
//   unit  ROOT...         a fresh loader over these roots, in this order; a root
//                         is a folder, a jar, or JAR!PREFIX for a part of one
//   module NAME           what follows is in a module of the boot layer
//   class NAME            link this one
// RESULTS gets a line per class, in order: "ok", or the class of the error, a
// tab and its message. A line is complete before the next class is touched, so
// the parent knows at which class the JVM died.
//
// Class.getDeclaredFields() links, and so verifies, without initialising.
// getDeclaredMethods() would also resolve the types of parameters.
//
//===----------------------------------------------------------------------===//

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

public final class LinkCheck {
  /** A folder, or the entries of an archive that start with a prefix. */
  private record Root(Path folder, ZipFile archive, String prefix) {
    byte[] find(String path) throws IOException {
      if (archive == null) {
        Path file = folder.resolve(path);
        return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
      }
      ZipEntry entry = archive.getEntry(prefix + path);
      if (entry == null)
        return null;
      try (InputStream in = archive.getInputStream(entry)) {
        return in.readAllBytes();
      }
    }
  }

  /** Defines classes from its roots; the platform's own come first. */
  private static final class Loader extends ClassLoader {
    private final List<Root> roots;

    Loader(List<Root> roots) {
      super(ClassLoader.getPlatformClassLoader());
      this.roots = roots;
    }

    // The classes under test win against the platform's, but for java.*.
    @Override
    protected Class<?> loadClass(String name, boolean resolve)
        throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null)
          return known;
        if (!name.startsWith("java.")) {
          byte[] file = bytes(name.replace('.', '/') + ".class");
          if (file != null)
            return defineClass(name, file, 0, file.length);
        }
        return super.loadClass(name, resolve);
      }
    }

    private byte[] bytes(String path) {
      try {
        for (Root root : roots) {
          byte[] file = root.find(path);
          if (file != null)
            return file;
        }
      } catch (IOException | RuntimeException e) {
        throw new NoClassDefFoundError(path + ": " + e);
      }
      return null;
    }
  }

  // Archives stay open: the class path of one unit is that of the next.
  private static final Map<String, ZipFile> ARCHIVES = new HashMap<>();

  private static Root open(String root) throws IOException {
    int mark = root.lastIndexOf(".jar!");
    String prefix = mark < 0 ? "" : root.substring(mark + 5);
    String name = mark < 0 ? root : root.substring(0, mark + 4);
    if (new File(name).isDirectory())
      return new Root(Path.of(name), null, "");
    ZipFile archive = ARCHIVES.get(name);
    if (archive == null) {
      archive = new ZipFile(name);
      ARCHIVES.put(name, archive);
    }
    return new Root(null, archive, prefix);
  }

  public static void main(String[] args) throws IOException {
    ClassLoader loader = null;
    Module module = null;
    try (OutputStream out = new FileOutputStream(args[1])) {
      for (String line : Files.readAllLines(Path.of(args[0]))) {
        String[] words = line.split("\t", -1);
        switch (words[0]) {
        case "unit" -> {
          List<Root> roots = new ArrayList<>();
          for (int i = 1; i < words.length; ++i)
            roots.add(open(words[i]));
          loader = new Loader(roots);
          module = null;
        }
        case "module" ->
          module = ModuleLayer.boot().findModule(words[1]).orElse(null);
        case "class" -> {
          String result = link(words[1], loader, module) + "\n";
          out.write(result.getBytes(StandardCharsets.UTF_8));
        }
        default -> throw new IOException("unknown task: " + line);
        }
      }
    }
  }

  private static String link(String name, ClassLoader loader, Module module) {
    try {
      Class<?> type;
      if (loader != null) {
        type = Class.forName(name, false, loader);
      } else if (module != null) {
        type = Class.forName(module, name);
        if (type == null)
          return "java.lang.ClassNotFoundException\t" + name;
      } else {
        return "none\tthe module is not in the boot layer";
      }
      type.getDeclaredFields();
      return "ok";
    } catch (Throwable e) {
      // Only the first line: the rest of a VerifyError shows the bytes.
      String message = String.valueOf(e.getMessage());
      int end = message.indexOf('\n');
      return e.getClass().getName() + "\t" +
          (end < 0 ? message : message.substring(0, end)).strip();
    }
  }
}
