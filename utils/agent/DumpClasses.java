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
 * An agent that retransforms classes and changes nothing. It is given a regular expression for their names, a blank, and
 * a folder to write them to, as the agents before it leave them; or no folder.
 */
public class DumpClasses {
  public static void agentmain(String argument, Instrumentation inst) throws Exception {
    String[] words = argument.split(" ", 2);
    dump(inst, words[0], words.length > 1 ? words[1] : null);
  }

  static void dump(Instrumentation inst, String names, String folder) throws Exception {
    ClassFileTransformer writer = new ClassFileTransformer() {
      @Override public byte[] transform(ClassLoader l, String name, Class<?> redefined,
                                        ProtectionDomain d, byte[] data) {
        try {
          if (folder != null && redefined != null && redefined.getName().matches(names)) {
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
      if (c.getName().matches(names) && inst.isModifiableClass(c) && !c.isHidden())
        all.add(c);
    inst.retransformClasses(all.toArray(new Class<?>[0]));
    inst.removeTransformer(writer);
  }
}
