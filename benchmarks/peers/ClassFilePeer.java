//===- benchmarks/peers/ClassFilePeer.java - with java.lang.classfile -----===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ClassFilePeer WORK [-warmup=N] [-passes=N] PATH...
// Needs JDK 25. WORK:
//   copypool   parse and write with a shared pool; nothing is looked at
//   visitor    every instruction through the library, new pool
//   frames     and the stack maps made anew
//   advice     entry and every exit of every method: static calls
//
//===----------------------------------------------------------------------===//

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.UnaryOperator;

public final class ClassFilePeer {
  private static final ClassDesc PROBE = ClassDesc.of("Probe");

  public static void main(String[] args) throws IOException {
    Measure.main("classfile", args, ClassFile.latestMajorVersion(),
                 input -> rewriter(args[0]));
  }

  private static UnaryOperator<byte[]> rewriter(String work) {
    ClassFile shared = ClassFile.of();
    ClassFile fresh =
        ClassFile.of(ClassFile.ConstantPoolSharingOption.NEW_POOL);
    ClassFile frames =
        ClassFile.of(ClassFile.ConstantPoolSharingOption.NEW_POOL,
                     ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
    return switch (work) {
    case "copypool" -> file ->
        shared.transformClass(shared.parse(file), ClassTransform.ACCEPT_ALL);
    case "visitor" -> file ->
        fresh.transformClass(fresh.parse(file), everyInstruction());
    case "frames" -> file ->
        frames.transformClass(frames.parse(file), everyInstruction());
    case "advice" -> file -> {
      ClassModel model = shared.parse(file);
      if (model.flags().has(java.lang.reflect.AccessFlag.INTERFACE))
        return file;
      return shared.transformClass(model, (builder, element) -> {
        if (element instanceof MethodModel method &&
            method.code().isPresent()) {
          boolean isConstructor = method.methodName().equalsString("<init>");
          builder.transformMethod(
              method, java.lang.classfile.MethodTransform.transformingCode(
                          new Advice(isConstructor)));
        } else {
          builder.with(element);
        }
      });
    };
    default -> throw new IllegalArgumentException("unknown work: " + work);
    };
  }

  private static ClassTransform everyInstruction() {
    return ClassTransform.transformingMethodBodies(CodeBuilder::with);
  }

  /** Calls at entry, before each return, and in a handler over all of it. */
  private static final class Advice implements CodeTransform {
    private final boolean isConstructor;
    private Label start;
    private boolean inserted;

    Advice(boolean isConstructor) { this.isConstructor = isConstructor; }

    @Override
    public void atStart(CodeBuilder builder) {
      if (!isConstructor)
        begin(builder);
    }

    private void begin(CodeBuilder builder) {
      call(builder, "enter");
      start = builder.newBoundLabel();
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (start != null && element instanceof ReturnInstruction) {
        call(builder, "exit");
        inserted = true;
      }
      builder.with(element);
      // As ASM's adapter does roughly: after the first call of a constructor.
      if (isConstructor && start == null &&
          element instanceof InvokeInstruction call &&
          call.opcode() == Opcode.INVOKESPECIAL &&
          call.name().equalsString("<init>"))
        begin(builder);
      else if (start != null)
        inserted = true;
    }

    @Override
    public void atEnd(CodeBuilder builder) {
      if (start == null || !inserted)
        return;
      Label end = builder.newBoundLabel();
      Label handler = builder.newBoundLabel();
      builder.exceptionCatchAll(start, end, handler);
      call(builder, "exit");
      builder.athrow();
    }

    private static void call(CodeBuilder builder, String name) {
      builder.invokestatic(PROBE, name,
                           MethodTypeDesc.of(ConstantDescs.CD_void));
    }
  }
}
