//===- DumpClasses.java - Loaded classes as retransformation sees them ----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.lang.instrument.*;
import java.nio.file.*;
import java.security.ProtectionDomain;
import java.util.*;

/**
 * An agent that retransforms classes of Tomcat and changes nothing. It is given
 * a folder to write them to, or nothing, and does not take all of them then.
 */
public class DumpClasses {
  public static void agentmain(String argument, Instrumentation inst) throws Exception {
    String folder = argument == null ? "" : argument;
    ClassFileTransformer writer = new ClassFileTransformer() {
      @Override public byte[] transform(ClassLoader l, String name, Class<?> redefined,
                                        ProtectionDomain d, byte[] data) {
        try {
          if (!folder.isEmpty() && redefined != null && name.startsWith("org/apache/")) {
            Path file = Path.of(folder, name + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, data);
          }
        } catch (java.io.IOException e) {
          e.printStackTrace();
        }
        return null;
      }
    };
    inst.addTransformer(writer, true);
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> c : inst.getAllLoadedClasses())
      if (c.getName().matches(folder.isEmpty()
              ? "org[.]apache[.](catalina[.](core|connector)|coyote[.]http11)[.][A-Z].*"
              : "org[.]apache[.](catalina|coyote)[.].*")
          && inst.isModifiableClass(c) && !c.isHidden())
        all.add(c);
    inst.retransformClasses(all.toArray(new Class<?>[0]));
    inst.removeTransformer(writer);
  }
}
