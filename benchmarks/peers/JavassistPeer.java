//===- benchmarks/peers/JavassistPeer.java - entry and exit by Javassist --===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   JavassistPeer advice [-warmup=N] [-passes=N] PATH...
//
// Source is compiled into the entry and all exits of every method: static calls
// without arguments.
//
//===----------------------------------------------------------------------===//

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.function.UnaryOperator;
import javassist.CannotCompileException;
import javassist.ClassPool;
import javassist.CtBehavior;
import javassist.CtClass;
import javassist.CtConstructor;
import javassist.CtNewMethod;
import javassist.bytecode.ClassFile;

public final class JavassistPeer {
  public static void main(String[] args) throws IOException {
    Measure.main("Javassist", args, ClassFile.MAJOR_VERSION, JavassistPeer::rewriter);
  }

  private static UnaryOperator<byte[]> rewriter(Classes input) {
    ClassPool pool = new ClassPool(true);
    try {
      for (byte[] file : input.files)
        pool.makeClass(new ByteArrayInputStream(file));
      CtClass probe = pool.makeClass("Probe");
      for (String name : new String[] {"enter", "exit"})
        probe.addMethod(CtNewMethod.make("public static void " + name + "() {}", probe));
    } catch (IOException | CannotCompileException e) {
      throw new IllegalArgumentException(e);
    }
    return file -> {
      try {
        CtClass made = pool.makeClass(new ByteArrayInputStream(file), false);
        for (CtBehavior method : made.getDeclaredBehaviors())
          advise(method);
        if (made.getClassInitializer() != null)
          advise(made.getClassInitializer());
        return made.toBytecode();
      } catch (IOException | CannotCompileException e) {
        throw new IllegalArgumentException(e);
      }
    };
  }

  private static void advise(CtBehavior method) throws CannotCompileException {
    if (method.getMethodInfo2().getCodeAttribute() == null)
      return;
    if (method instanceof CtConstructor && !((CtConstructor)method).isClassInitializer())
      ((CtConstructor)method).insertBeforeBody("Probe.enter();");
    else
      method.insertBefore("Probe.enter();");
    method.insertAfter("Probe.exit();", true);
  }
}
