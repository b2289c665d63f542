//===- benchmarks/attach/Control.java - what HotSpot itself takes ---------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import com.sun.tools.attach.VirtualMachine;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/**
 * Control PID JAR BATCH: has the classes of Many retransformed, a batch at a time, by an
 * agent that gives each class a copy of its bytes.
 */
public final class Control {
  private Control() {}

  public static void main(String[] args) throws Exception {
    VirtualMachine vm = VirtualMachine.attach(args[0]);
    vm.loadAgent(args[1], args[2]);
    vm.detach();
  }

  public static void agentmain(String batch, Instrumentation it) throws Exception {
    it.addTransformer(new ClassFileTransformer() {
      @Override
      public byte[] transform(ClassLoader loader, String name, Class<?> of,
                              ProtectionDomain domain, byte[] bytes) {
        return name != null && name.startsWith("Many$C") ? bytes.clone() : null;
      }
    }, true);
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> c : it.getAllLoadedClasses())
      if (c.getName().startsWith("Many$C")) found.add(c);
    int size = Integer.parseInt(batch);
    for (int from = 0; from < found.size(); from += size)
      it.retransformClasses(
          found.subList(from, Math.min(found.size(), from + size)).toArray(new Class<?>[0]));
  }
}
