//===- benchmarks/peers/AsmAgent.java - an agent in Java on ASM -----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.function.UnaryOperator;

/**
 * -javaagent:asm-agent.jar[=PREFIX]: static calls at entry and exit of every
 * method of each class of the application whose internal name begins with
 * PREFIX, frames recomputed. What is called is AsmAgentProbe, on the boot
 * loader.
 */
public final class AsmAgent implements ClassFileTransformer {
  private final String prefix;
  /** Each thread has its own facts about superclasses. */
  private final ThreadLocal<UnaryOperator<byte[]>> rewriters =
      ThreadLocal.withInitial(() -> AsmPeer.advice("AsmAgentProbe"));

  private AsmAgent(String prefix) { this.prefix = prefix; }

  public static void premain(String options, Instrumentation jvm) {
    jvm.addTransformer(new AsmAgent(options == null ? "" : options));
  }

  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
                          ProtectionDomain domain, byte[] file) {
    // The boot and the platform loader's, and its own.
    if (loader == null || loader.getParent() == null || name == null ||
        !name.startsWith(prefix) || name.startsWith("org/objectweb/asm/") ||
        name.startsWith("AsmPeer") || name.startsWith("AsmAgent") ||
        name.startsWith("jdk/") || name.startsWith("sun/") ||
        name.startsWith("com/sun/"))
      return null;
    try {
      return rewriters.get().apply(file);
    } catch (RuntimeException e) {
      return null;
    }
  }
}
