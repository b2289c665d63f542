//===- Nested.java - A server for try-servers ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.io.*;
import java.net.URL;
import java.security.*;
import front.Front;
import java.util.*;
import java.util.function.Function;
import java.util.zip.*;

/** A jar with jars in it, whose classes a loader of its own takes from there. */
public class Nested extends SecureClassLoader {
  static { registerAsParallelCapable(); }
  private final Map<String, byte[]> entries = new HashMap<>();
  private final Map<String, CodeSource> sources = new HashMap<>();

  Nested(String jar) throws IOException {
    super(Nested.class.getClassLoader());
    try (ZipInputStream outer = new ZipInputStream(new FileInputStream(jar))) {
      for (ZipEntry e; (e = outer.getNextEntry()) != null;)
        if (e.getName().startsWith("BOOT-INF/lib/") && !e.isDirectory()) {
          ZipInputStream inner = new ZipInputStream(new ByteArrayInputStream(outer.readAllBytes()));
          URL from = new URL("jar:" + new File(jar).toURI() + "!/" + e.getName() + "!/");
          for (ZipEntry f; (f = inner.getNextEntry()) != null;) {
            entries.put(f.getName(), inner.readAllBytes());
            sources.put(f.getName(), new CodeSource(from, (CodeSigner[]) null));
          }
        }
    }
  }
  @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    byte[] data = entries.get(file);
    if (data == null)
      throw new ClassNotFoundException(name);
    return defineClass(name, data, 0, data.length, sources.get(file));
  }
  @Override public InputStream getResourceAsStream(String name) {
    byte[] data = entries.get(name);
    return data == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(data);
  }

  @SuppressWarnings("unchecked")
  public static void main(String[] args) throws Exception {
    Front.serve((Function<String, String>) new Nested(args[0]).loadClass("shop.Shop").getConstructor().newInstance());
  }
}
