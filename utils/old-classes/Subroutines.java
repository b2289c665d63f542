//===- utils/old-classes/Subroutines.java - jsr as no compiler makes it ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HotSpot allows one ret for each subroutine, and one depth of calls at which
// it runs, so none has more.
//
// Writes classes of versions 45 to 50 into a folder. Each has one method
// "static int run(int)" with subroutines of an unusual shape, and a main that
// prints what it answers for a few arguments:
//   Subroutines FOLDER
//
//===----------------------------------------------------------------------===//

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class Subroutines implements Opcodes {
  private static final int[] ARGUMENTS = {-3, -1, 0, 1, 2, 3, 5, 8, 100};

  private final Map<String, Consumer<MethodVisitor>> shapes =
      new LinkedHashMap<>();

  public static void main(String[] args) throws IOException {
    Subroutines all = new Subroutines();
    all.define();
    for (int version : new int[] {V1_1, V1_2, V1_3, V1_4, V1_5, V1_6}) {
      for (Map.Entry<String, Consumer<MethodVisitor>> shape :
           all.shapes.entrySet()) {
        String name = shape.getKey() + (version & 0xFFFF);
        Files.write(Path.of(args[0], name + ".class"),
                    write(name, version, shape.getValue()));
      }
    }
  }

  private static byte[] write(String name, int version,
                              Consumer<MethodVisitor> body) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(version, ACC_PUBLIC | ACC_SUPER, name, null,
                 "java/lang/Object", null);
    MethodVisitor run = writer.visitMethod(ACC_STATIC, "run", "(I)I", null,
                                           null);
    run.visitCode();
    body.accept(run);
    run.visitMaxs(0, 0);
    run.visitEnd();
    writeMain(writer, name);
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Prints run(n), or the class of what it throws, for each argument. */
  private static void writeMain(ClassWriter writer, String name) {
    MethodVisitor m = writer.visitMethod(
        ACC_PUBLIC | ACC_STATIC, "main", "([Ljava/lang/String;)V", null, null);
    m.visitCode();
    for (int argument : ARGUMENTS) {
      Label start = new Label(), end = new Label(), handler = new Label();
      Label next = new Label();
      m.visitTryCatchBlock(start, end, handler, "java/lang/Throwable");
      m.visitLabel(start);
      m.visitFieldInsn(GETSTATIC, "java/lang/System", "out",
                       "Ljava/io/PrintStream;");
      m.visitIntInsn(BIPUSH, argument);
      m.visitMethodInsn(INVOKESTATIC, name, "run", "(I)I", false);
      m.visitMethodInsn(INVOKEVIRTUAL, "java/io/PrintStream", "println", "(I)V",
                        false);
      m.visitLabel(end);
      m.visitJumpInsn(GOTO, next);
      m.visitLabel(handler);
      m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Object", "getClass",
                        "()Ljava/lang/Class;", false);
      m.visitVarInsn(ASTORE, 1);
      m.visitFieldInsn(GETSTATIC, "java/lang/System", "out",
                       "Ljava/io/PrintStream;");
      m.visitVarInsn(ALOAD, 1);
      m.visitMethodInsn(INVOKEVIRTUAL, "java/io/PrintStream", "println",
                        "(Ljava/lang/Object;)V", false);
      m.visitLabel(next);
    }
    m.visitInsn(RETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
  }

  //===- Small pieces -----------------------------------------------------===//

  private static void load(MethodVisitor m, int slot) {
    m.visitVarInsn(ILOAD, slot);
  }

  private static void store(MethodVisitor m, int slot) {
    m.visitVarInsn(ISTORE, slot);
  }

  /** slot = slot * factor + term. */
  private static void step(MethodVisitor m, int slot, int factor, int term) {
    load(m, slot);
    m.visitIntInsn(BIPUSH, factor);
    m.visitInsn(IMUL);
    m.visitIntInsn(BIPUSH, term);
    m.visitInsn(IADD);
    store(m, slot);
  }

  private static void answer(MethodVisitor m, int slot) {
    load(m, slot);
    m.visitInsn(IRETURN);
  }

  private static void raise(MethodVisitor m, String type) {
    m.visitTypeInsn(NEW, type);
    m.visitInsn(DUP);
    m.visitMethodInsn(INVOKESPECIAL, type, "<init>", "()V", false);
    m.visitInsn(ATHROW);
  }

  //===- Shapes -----------------------------------------------------------===//

  private void define() {
    shapes.put("Finally", Subroutines::tryFinally);
    shapes.put("Calls", Subroutines::severalCalls);
    shapes.put("Nested", Subroutines::nested);
    shapes.put("Loop", Subroutines::insideLoop);
    shapes.put("NoReturn", Subroutines::neverReturns);
    shapes.put("Leaves", Subroutines::leavesByGoto);
    shapes.put("Popped", Subroutines::poppedAddress);
    shapes.put("SharedRet", Subroutines::sharedTail);
    shapes.put("Outer", Subroutines::returnsToOuter);
    shapes.put("Below", Subroutines::valuesBelow);
    shapes.put("Swapped", Subroutines::valueFromBelow);
    shapes.put("Typed", Subroutines::slotOfTwoTypes);
    shapes.put("Wide", Subroutines::wideSlots);
    shapes.put("Far", Subroutines::farJumps);
    shapes.put("Handler", Subroutines::handlerInside);
    shapes.put("Covered", Subroutines::coveredCalls);
    shapes.put("InHandler", Subroutines::calledFromHandler);
    shapes.put("Longs", Subroutines::longs);
    shapes.put("Branches", Subroutines::branchesInside);
    shapes.put("Tower", m -> tower(m, 8));
    shapes.put("Ladder", m -> ladder(m, 40));
    shapes.put("Copied", Subroutines::copiedAddress);
    shapes.put("Switch", Subroutines::switchInside);
    shapes.put("Dead", Subroutines::deadCode);
  }

  private static void tryFinally(MethodVisitor m) {
    Label start = new Label(), end = new Label(), handler = new Label();
    Label sub = new Label(), done = new Label();
    m.visitTryCatchBlock(start, end, handler, null);
    m.visitLabel(start);
    m.visitIntInsn(BIPUSH, 100);
    load(m, 0);
    m.visitInsn(IDIV);
    store(m, 1);
    m.visitLabel(end);
    m.visitJumpInsn(JSR, sub);
    m.visitJumpInsn(GOTO, done);
    m.visitLabel(handler);
    m.visitVarInsn(ASTORE, 2);
    m.visitJumpInsn(JSR, sub);
    m.visitVarInsn(ALOAD, 2);
    m.visitInsn(ATHROW);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 3);
    step(m, 0, 3, 1);
    m.visitVarInsn(RET, 3);
    m.visitLabel(done);
    load(m, 1);
    load(m, 0);
    m.visitInsn(IADD);
    m.visitInsn(IRETURN);
  }

  private static void severalCalls(MethodVisitor m) {
    Label sub = new Label();
    for (int i = 0; i < 6; ++i) {
      m.visitJumpInsn(JSR, sub);
      step(m, 0, 1, i);
    }
    answer(m, 0);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    step(m, 0, 2, 5);
    m.visitVarInsn(RET, 1);
  }

  private static void nested(MethodVisitor m) {
    Label outer = new Label(), middle = new Label(), inner = new Label();
    m.visitJumpInsn(JSR, outer);
    m.visitJumpInsn(JSR, outer);
    answer(m, 0);
    m.visitLabel(outer);
    m.visitVarInsn(ASTORE, 1);
    m.visitJumpInsn(JSR, middle);
    step(m, 0, 3, 1);
    m.visitJumpInsn(JSR, middle);
    m.visitVarInsn(RET, 1);
    m.visitLabel(middle);
    m.visitVarInsn(ASTORE, 2);
    m.visitJumpInsn(JSR, inner);
    step(m, 0, 5, 2);
    m.visitVarInsn(RET, 2);
    m.visitLabel(inner);
    m.visitVarInsn(ASTORE, 3);
    step(m, 0, 7, 3);
    m.visitVarInsn(RET, 3);
  }

  private static void insideLoop(MethodVisitor m) {
    Label top = new Label(), out = new Label(), sub = new Label();
    m.visitInsn(ICONST_0);
    store(m, 1);
    m.visitLabel(top);
    load(m, 1);
    m.visitIntInsn(BIPUSH, 10);
    m.visitJumpInsn(IF_ICMPGE, out);
    m.visitJumpInsn(JSR, sub);
    m.visitIincInsn(1, 1);
    m.visitJumpInsn(JSR, sub);
    m.visitJumpInsn(GOTO, top);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 2);
    Label inner = new Label(), leave = new Label();
    m.visitInsn(ICONST_3);
    store(m, 3);
    m.visitLabel(inner);
    load(m, 3);
    m.visitJumpInsn(IFEQ, leave);
    step(m, 0, 3, 1);
    m.visitIincInsn(3, -1);
    m.visitJumpInsn(GOTO, inner);
    m.visitLabel(leave);
    m.visitVarInsn(RET, 2);
    m.visitLabel(out);
    answer(m, 0);
  }

  private static void neverReturns(MethodVisitor m) {
    Label raises = new Label(), answers = new Label(), ok = new Label();
    load(m, 0);
    m.visitJumpInsn(IFGE, ok);
    m.visitJumpInsn(JSR, raises);
    m.visitLabel(ok);
    m.visitJumpInsn(JSR, answers);
    m.visitLabel(raises);
    m.visitVarInsn(ASTORE, 1);
    raise(m, "java/lang/IllegalStateException");
    m.visitLabel(answers);
    m.visitVarInsn(ASTORE, 1);
    step(m, 0, 3, 4);
    answer(m, 0);
  }

  private static void leavesByGoto(MethodVisitor m) {
    Label sub = new Label(), out = new Label();
    m.visitJumpInsn(JSR, sub);
    step(m, 0, 2, 1);
    m.visitJumpInsn(JSR, sub);
    step(m, 0, 3, 1);
    m.visitLabel(out);
    answer(m, 0);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    load(m, 0);
    m.visitInsn(ICONST_2);
    m.visitJumpInsn(IF_ICMPGT, out);
    step(m, 0, 1, 1);
    m.visitVarInsn(RET, 1);
  }

  private static void poppedAddress(MethodVisitor m) {
    Label first = new Label(), second = new Label(), sub = new Label();
    load(m, 0);
    m.visitJumpInsn(IFLT, second);
    m.visitLabel(first);
    m.visitJumpInsn(JSR, sub);
    m.visitLabel(second);
    m.visitJumpInsn(JSR, sub);
    m.visitLabel(sub);
    m.visitInsn(POP);
    step(m, 0, 4, 1);
    answer(m, 0);
  }

  private static void sharedTail(MethodVisitor m) {
    Label sub = new Label(), left = new Label(), tail = new Label();
    m.visitJumpInsn(JSR, sub);
    m.visitJumpInsn(JSR, sub);
    answer(m, 0);
    m.visitLabel(tail);
    step(m, 0, 1, 2);
    m.visitVarInsn(RET, 1);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    load(m, 0);
    m.visitJumpInsn(IFLE, left);
    step(m, 0, 2, 0);
    m.visitJumpInsn(GOTO, tail);
    m.visitLabel(left);
    step(m, 0, 5, 7);
    m.visitJumpInsn(GOTO, tail);
  }

  /** The inner subroutine returns for the outer one (JVMS 4.10.2.5). */
  private static void returnsToOuter(MethodVisitor m) {
    Label outer = new Label(), inner = new Label();
    m.visitJumpInsn(JSR, outer);
    step(m, 0, 2, 1);
    answer(m, 0);
    m.visitLabel(outer);
    m.visitVarInsn(ASTORE, 1);
    step(m, 0, 3, 1);
    m.visitJumpInsn(JSR, inner);
    m.visitLabel(inner);
    m.visitVarInsn(ASTORE, 2);
    step(m, 0, 1, 9);
    m.visitVarInsn(RET, 1);
  }

  private static void valuesBelow(MethodVisitor m) {
    Label sub = new Label();
    m.visitLdcInsn(1L << 33);
    load(m, 0);
    m.visitJumpInsn(JSR, sub);
    load(m, 0);
    m.visitInsn(IADD);
    m.visitJumpInsn(JSR, sub);
    m.visitInsn(I2L);
    m.visitInsn(LADD);
    m.visitLdcInsn(1000003L);
    m.visitInsn(LREM);
    m.visitInsn(L2I);
    m.visitInsn(IRETURN);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    step(m, 0, 3, 1);
    m.visitVarInsn(RET, 1);
  }

  private static void valueFromBelow(MethodVisitor m) {
    Label sub = new Label();
    load(m, 0);
    m.visitJumpInsn(JSR, sub);
    m.visitJumpInsn(JSR, sub);
    m.visitInsn(IRETURN);
    m.visitLabel(sub);
    m.visitInsn(SWAP);
    m.visitIntInsn(BIPUSH, 3);
    m.visitInsn(IMUL);
    m.visitInsn(SWAP);
    m.visitVarInsn(ASTORE, 1);
    m.visitInsn(ICONST_1);
    m.visitInsn(IADD);
    m.visitVarInsn(RET, 1);
  }

  /** A slot that the subroutine leaves alone keeps its callers' types. */
  private static void slotOfTwoTypes(MethodVisitor m) {
    Label sub = new Label();
    m.visitLdcInsn("text");
    m.visitVarInsn(ASTORE, 1);
    m.visitJumpInsn(JSR, sub);
    m.visitVarInsn(ALOAD, 1);
    m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I",
                      false);
    store(m, 1);
    m.visitJumpInsn(JSR, sub);
    load(m, 1);
    m.visitInsn(I2L);
    m.visitVarInsn(LSTORE, 1);
    m.visitJumpInsn(JSR, sub);
    m.visitVarInsn(LLOAD, 1);
    m.visitInsn(L2I);
    load(m, 0);
    m.visitInsn(IADD);
    m.visitInsn(IRETURN);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 4);
    step(m, 0, 3, 2);
    m.visitVarInsn(RET, 4);
  }

  private static void wideSlots(MethodVisitor m) {
    Label sub = new Label();
    load(m, 0);
    store(m, 300);
    m.visitJumpInsn(JSR, sub);
    m.visitIincInsn(300, 1000);
    m.visitJumpInsn(JSR, sub);
    answer(m, 300);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 400);
    step(m, 300, 3, 2);
    m.visitVarInsn(RET, 400);
  }

  /** Over 32 KB apart, so that ASM writes jsr_w and goto_w. */
  private static void farJumps(MethodVisitor m) {
    Label sub = new Label(), back = new Label(), far = new Label();
    m.visitInsn(ICONST_2);
    store(m, 2);
    m.visitLabel(back);
    m.visitJumpInsn(JSR, sub);
    load(m, 0);
    m.visitJumpInsn(IFGT, far);
    for (int i = 0; i < 12000; ++i)
      m.visitIincInsn(0, i % 7);
    m.visitLabel(far);
    m.visitIincInsn(2, -1);
    Label end = new Label();
    load(m, 2);
    m.visitJumpInsn(IFLE, end);
    m.visitJumpInsn(GOTO, back);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    step(m, 0, 3, 2);
    m.visitVarInsn(RET, 1);
    m.visitLabel(end);
    answer(m, 0);
  }

  private static void handlerInside(MethodVisitor m) {
    Label sub = new Label(), start = new Label(), end = new Label();
    Label handler = new Label(), leave = new Label();
    m.visitTryCatchBlock(start, end, handler, "java/lang/ArithmeticException");
    m.visitJumpInsn(JSR, sub);
    step(m, 0, 1, -1);
    m.visitJumpInsn(JSR, sub);
    answer(m, 0);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    m.visitLabel(start);
    m.visitIntInsn(BIPUSH, 77);
    load(m, 0);
    m.visitInsn(IDIV);
    store(m, 0);
    m.visitLabel(end);
    m.visitJumpInsn(GOTO, leave);
    m.visitLabel(handler);
    m.visitInsn(POP);
    m.visitIntInsn(BIPUSH, 13);
    store(m, 0);
    m.visitLabel(leave);
    m.visitVarInsn(RET, 1);
  }

  /** A range over the calls, the subroutine elsewhere and not covered. */
  private static void coveredCalls(MethodVisitor m) {
    Label sub = new Label(), start = new Label(), end = new Label();
    Label handler = new Label(), more = new Label();
    m.visitTryCatchBlock(start, end, handler, "java/lang/RuntimeException");
    m.visitLabel(start);
    m.visitJumpInsn(JSR, sub);
    m.visitIntInsn(BIPUSH, 50);
    load(m, 0);
    m.visitInsn(IREM);
    m.visitInsn(POP);
    m.visitJumpInsn(JSR, sub);
    m.visitLabel(end);
    answer(m, 0);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    load(m, 0);
    m.visitIntInsn(BIPUSH, 8);
    m.visitJumpInsn(IF_ICMPNE, more);
    raise(m, "java/lang/IllegalArgumentException");
    m.visitLabel(more);
    step(m, 0, 2, -2);
    m.visitVarInsn(RET, 1);
    m.visitLabel(handler);
    m.visitInsn(POP);
    step(m, 0, 10, 1);
    answer(m, 0);
  }

  private static void calledFromHandler(MethodVisitor m) {
    Label start = new Label(), end = new Label(), handler = new Label();
    Label all = new Label(), sub = new Label(), over = new Label();
    m.visitTryCatchBlock(start, end, handler, "java/lang/ArithmeticException");
    m.visitTryCatchBlock(start, all, all, null);
    m.visitLabel(start);
    m.visitIntInsn(BIPUSH, 60);
    load(m, 0);
    m.visitInsn(IDIV);
    store(m, 0);
    m.visitLabel(end);
    m.visitJumpInsn(GOTO, over);
    m.visitLabel(handler);
    m.visitVarInsn(ASTORE, 2);
    m.visitJumpInsn(JSR, sub);
    m.visitLabel(over);
    m.visitJumpInsn(JSR, sub);
    answer(m, 0);
    m.visitLabel(all);
    m.visitVarInsn(ASTORE, 2);
    m.visitJumpInsn(JSR, sub);
    m.visitVarInsn(ALOAD, 2);
    m.visitInsn(ATHROW);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 3);
    step(m, 0, 9, 4);
    m.visitVarInsn(RET, 3);
  }

  private static void longs(MethodVisitor m) {
    Label sub = new Label();
    load(m, 0);
    m.visitInsn(I2L);
    m.visitVarInsn(LSTORE, 1);
    load(m, 0);
    m.visitInsn(I2D);
    m.visitVarInsn(DSTORE, 3);
    m.visitJumpInsn(JSR, sub);
    m.visitJumpInsn(JSR, sub);
    m.visitVarInsn(LLOAD, 1);
    m.visitVarInsn(DLOAD, 3);
    m.visitInsn(D2L);
    m.visitInsn(LXOR);
    m.visitInsn(L2I);
    m.visitInsn(IRETURN);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 5);
    m.visitVarInsn(LLOAD, 1);
    m.visitLdcInsn(6364136223846793005L);
    m.visitInsn(LMUL);
    m.visitVarInsn(LSTORE, 1);
    m.visitVarInsn(DLOAD, 3);
    m.visitLdcInsn(1.75);
    m.visitInsn(DMUL);
    m.visitVarInsn(DSTORE, 3);
    m.visitVarInsn(RET, 5);
  }

  private static void branchesInside(MethodVisitor m) {
    Label sub = new Label(), call = new Label(), out = new Label();
    load(m, 0);
    m.visitJumpInsn(IFLT, call);
    m.visitJumpInsn(JSR, sub);
    m.visitJumpInsn(GOTO, out);
    m.visitLabel(call);
    m.visitIincInsn(0, 40);
    m.visitJumpInsn(JSR, sub);
    m.visitLabel(out);
    answer(m, 0);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    Label big = new Label(), join = new Label(), top = new Label();
    m.visitLabel(top);
    load(m, 0);
    m.visitIntInsn(BIPUSH, 20);
    m.visitJumpInsn(IF_ICMPGT, big);
    step(m, 0, 2, 3);
    m.visitJumpInsn(GOTO, top);
    m.visitLabel(big);
    load(m, 0);
    m.visitInsn(ICONST_1);
    m.visitInsn(IAND);
    m.visitJumpInsn(IFEQ, join);
    m.visitIincInsn(0, 1);
    m.visitLabel(join);
    m.visitVarInsn(RET, 1);
  }

  /** Each level calls the next twice: 2^levels copies when inlined. */
  private static void tower(MethodVisitor m, int levels) {
    Label[] subs = new Label[levels];
    for (int i = 0; i < levels; ++i)
      subs[i] = new Label();
    m.visitJumpInsn(JSR, subs[0]);
    answer(m, 0);
    for (int i = 0; i < levels; ++i) {
      m.visitLabel(subs[i]);
      m.visitVarInsn(ASTORE, i + 1);
      step(m, 0, 3, i);
      if (i + 1 < levels) {
        m.visitJumpInsn(JSR, subs[i + 1]);
        m.visitJumpInsn(JSR, subs[i + 1]);
      }
      m.visitVarInsn(RET, i + 1);
    }
  }

  /** Many subroutines, each called from several places. */
  private static void ladder(MethodVisitor m, int count) {
    Label[] subs = new Label[count];
    for (int i = 0; i < count; ++i)
      subs[i] = new Label();
    for (int i = 0; i < count; ++i) {
      m.visitJumpInsn(JSR, subs[i]);
      m.visitJumpInsn(JSR, subs[count - 1 - i]);
    }
    answer(m, 0);
    for (int i = 0; i < count; ++i) {
      m.visitLabel(subs[i]);
      m.visitVarInsn(ASTORE, 1);
      step(m, 0, i % 5 + 1, i);
      m.visitVarInsn(RET, 1);
    }
  }

  /** The address is copied on the stack and kept in two slots. */
  private static void copiedAddress(MethodVisitor m) {
    Label sub = new Label(), other = new Label();
    m.visitJumpInsn(JSR, sub);
    step(m, 0, 2, 1);
    m.visitJumpInsn(JSR, sub);
    answer(m, 0);
    m.visitLabel(sub);
    m.visitInsn(DUP);
    m.visitVarInsn(ASTORE, 1);
    m.visitVarInsn(ASTORE, 2);
    load(m, 0);
    m.visitJumpInsn(IFGT, other);
    step(m, 0, 3, 5);
    m.visitLabel(other);
    step(m, 0, 5, 3);
    m.visitInsn(ACONST_NULL);
    m.visitVarInsn(ASTORE, 1);
    m.visitVarInsn(RET, 2);
  }

  private static void switchInside(MethodVisitor m) {
    Label sub = new Label(), leave = new Label();
    Label[] cases = {new Label(), new Label(), new Label()};
    Label other = new Label();
    m.visitJumpInsn(JSR, sub);
    m.visitIincInsn(0, 1);
    m.visitJumpInsn(JSR, sub);
    answer(m, 0);
    m.visitLabel(sub);
    m.visitVarInsn(ASTORE, 1);
    load(m, 0);
    m.visitTableSwitchInsn(0, 2, other, cases);
    for (int i = 0; i < cases.length; ++i) {
      m.visitLabel(cases[i]);
      step(m, 0, i + 2, 3 - i);
    }
    m.visitJumpInsn(GOTO, leave);
    m.visitLabel(other);
    load(m, 0);
    m.visitLookupSwitchInsn(leave, new int[] {-3, 100},
                            new Label[] {cases[0], cases[2]});
    m.visitLabel(leave);
    m.visitVarInsn(RET, 1);
  }

  /** Code after a call that never returns, and a subroutine nobody calls. */
  private static void deadCode(MethodVisitor m) {
    Label ends = new Label(), unused = new Label();
    m.visitJumpInsn(JSR, ends);
    step(m, 0, 99, 99);
    m.visitJumpInsn(JSR, unused);
    answer(m, 0);
    m.visitLabel(unused);
    m.visitVarInsn(ASTORE, 1);
    m.visitIincInsn(0, 1);
    m.visitVarInsn(RET, 1);
    m.visitLabel(ends);
    m.visitVarInsn(ASTORE, 1);
    step(m, 0, 2, 2);
    answer(m, 0);
  }
}
