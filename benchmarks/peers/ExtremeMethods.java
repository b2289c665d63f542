//===- benchmarks/peers/ExtremeMethods.java - methods at the limits -------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ExtremeMethods FOLDER
// Writes each shape in sizes n, 2n and 4n, 4n at a limit of the class file, as
// FOLDER/SHAPE-1.class, -2 and -4. All are valid, with a frame where one is
// needed. A cost that is linear grows by 4 from -1 to -4.
//
//===----------------------------------------------------------------------===//

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class ExtremeMethods implements Opcodes {
  private static final String THROWABLE = "java/lang/Throwable";

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Files.createDirectories(folder);
    write(folder, "Straight", 10800, ExtremeMethods::straight);
    write(folder, "Branches", 9300, ExtremeMethods::branches);
    write(folder, "Handlers", 10000, ExtremeMethods::handlers);
    write(folder, "NestedHandlers", 10000, ExtremeMethods::nestedHandlers);
    write(folder, "Ladder", 2000, ExtremeMethods::ladder);
    write(folder, "Locals", 5000, ExtremeMethods::locals);
    write(folder, "TableSwitch", 15000, ExtremeMethods::tableSwitch);
    write(folder, "LookupSwitch", 7000, ExtremeMethods::lookupSwitch);
    write(folder, "Stack", 30000, ExtremeMethods::stack);
    write(folder, "Copies", 30000, ExtremeMethods::copies);
    write(folder, "Returns", 10800, ExtremeMethods::returns);
  }

  private static void write(Path folder, String shape, int limit,
                            ObjIntConsumer<MethodVisitor> body)
      throws IOException {
    for (int factor : new int[] {1, 2, 4}) {
      String name = shape + "_" + factor;
      ClassWriter writer = new ClassWriter(0);
      writer.visit(V1_8, ACC_PUBLIC | ACC_SUPER, name, null,
                   "java/lang/Object", null);
      MethodVisitor m =
          writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "run", "(I)I", null, null);
      m.visitCode();
      body.accept(m, limit / 4 * factor);
      m.visitMaxs(40000, 6000);
      m.visitEnd();
      writer.visitEnd();
      Files.write(folder.resolve(name + ".class"), writer.toByteArray());
    }
  }

  private static void same(MethodVisitor m) {
    m.visitFrame(F_SAME, 0, null, 0, null);
  }

  private static void caught(MethodVisitor m) {
    m.visitFrame(F_SAME1, 0, null, 1, new Object[] {THROWABLE});
  }

  private static void answer(MethodVisitor m) {
    m.visitVarInsn(ILOAD, 0);
    m.visitInsn(IRETURN);
  }

  /** One block of 64 KB. */
  private static void straight(MethodVisitor m, int n) {
    for (int i = 0; i < n; ++i) {
      m.visitVarInsn(ILOAD, 0);
      m.visitIntInsn(BIPUSH, i % 100 + 7);
      m.visitInsn(i % 2 == 0 ? IADD : IXOR);
      m.visitInsn(NOP);
      m.visitVarInsn(ISTORE, 0);
    }
    answer(m);
  }

  /** Small blocks, each with a branch over the next. */
  private static void branches(MethodVisitor m, int n) {
    for (int i = 0; i < n; ++i) {
      Label skip = new Label();
      m.visitVarInsn(ILOAD, 0);
      m.visitJumpInsn(IFEQ, skip);
      m.visitIincInsn(0, i % 100);
      m.visitLabel(skip);
      same(m);
    }
    answer(m);
  }

  /** n ranges beside each other, a handler for each. */
  private static void handlers(MethodVisitor m, int n) {
    Label[] starts = new Label[n + 1], targets = new Label[n];
    for (int i = 0; i <= n; ++i)
      starts[i] = new Label();
    for (int i = 0; i < n; ++i) {
      targets[i] = new Label();
      m.visitTryCatchBlock(starts[i], starts[i + 1], targets[i], null);
    }
    for (int i = 0; i < n; ++i) {
      m.visitLabel(starts[i]);
      m.visitIincInsn(0, 1);
    }
    m.visitLabel(starts[n]);
    answer(m);
    for (int i = 0; i < n; ++i) {
      m.visitLabel(targets[i]);
      caught(m);
      m.visitInsn(ATHROW);
    }
  }

  /** n ranges over the same block, a handler for each. */
  private static void nestedHandlers(MethodVisitor m, int n) {
    Label start = new Label(), end = new Label();
    Label[] targets = new Label[n];
    for (int i = 0; i < n; ++i) {
      targets[i] = new Label();
      m.visitTryCatchBlock(start, end, targets[i], THROWABLE);
    }
    m.visitLabel(start);
    m.visitVarInsn(ILOAD, 0);
    m.visitInsn(ICONST_3);
    m.visitInsn(IDIV);
    m.visitVarInsn(ISTORE, 0);
    m.visitLabel(end);
    answer(m);
    for (int i = 0; i < n; ++i) {
      m.visitLabel(targets[i]);
      caught(m);
      m.visitInsn(ATHROW);
    }
  }

  /**
   * Range i starts at block i and goes to the end: n * n / 2 pairs of a block
   * and a range, in a table of n entries.
   */
  private static void ladder(MethodVisitor m, int n) {
    Label end = new Label();
    Label[] starts = new Label[n], targets = new Label[n];
    for (int i = 0; i < n; ++i) {
      starts[i] = new Label();
      targets[i] = new Label();
      m.visitTryCatchBlock(starts[i], end, targets[i], THROWABLE);
    }
    for (int i = 0; i < n; ++i) {
      m.visitLabel(starts[i]);
      m.visitIincInsn(0, 1);
    }
    m.visitLabel(end);
    answer(m);
    for (int i = 0; i < n; ++i) {
      m.visitLabel(targets[i]);
      caught(m);
      m.visitInsn(ATHROW);
    }
  }

  /** n live slots, and n blocks that all have them in their frames. */
  private static void locals(MethodVisitor m, int n) {
    Object[] types = new Object[n];
    Arrays.fill(types, INTEGER);
    for (int i = 1; i < n; ++i) {
      m.visitInsn(ICONST_1);
      m.visitVarInsn(ISTORE, i);
    }
    Label first = new Label();
    m.visitVarInsn(ILOAD, 0);
    m.visitJumpInsn(IFEQ, first);
    m.visitIincInsn(0, 1);
    m.visitLabel(first);
    m.visitFrame(F_FULL, n, types, 0, null);
    for (int i = 1; i < n; ++i) {
      Label skip = new Label();
      m.visitVarInsn(ILOAD, i);
      m.visitJumpInsn(IFEQ, skip);
      m.visitInsn(NOP);
      m.visitLabel(skip);
      same(m);
    }
    answer(m);
  }

  private static void tableSwitch(MethodVisitor m, int n) {
    Label[] cases = new Label[n], blocks = new Label[n / 15];
    for (int i = 0; i < blocks.length; ++i)
      blocks[i] = new Label();
    for (int i = 0; i < n; ++i)
      cases[i] = blocks[i % blocks.length];
    Label other = new Label();
    m.visitVarInsn(ILOAD, 0);
    m.visitTableSwitchInsn(0, n - 1, other, cases);
    fallThrough(m, blocks, other);
  }

  private static void lookupSwitch(MethodVisitor m, int n) {
    int[] keys = new int[n];
    Label[] cases = new Label[n], blocks = new Label[n / 15];
    for (int i = 0; i < blocks.length; ++i)
      blocks[i] = new Label();
    for (int i = 0; i < n; ++i) {
      keys[i] = i * 1001 - 500000;
      cases[i] = blocks[i % blocks.length];
    }
    Label other = new Label();
    m.visitVarInsn(ILOAD, 0);
    m.visitLookupSwitchInsn(other, keys, cases);
    fallThrough(m, blocks, other);
  }

  private static void fallThrough(MethodVisitor m, Label[] blocks,
                                  Label other) {
    for (Label block : blocks) {
      m.visitLabel(block);
      same(m);
      m.visitIincInsn(0, 1);
    }
    m.visitLabel(other);
    same(m);
    answer(m);
  }

  /** n values on the stack at once. */
  private static void stack(MethodVisitor m, int n) {
    for (int i = 0; i < n; ++i)
      m.visitVarInsn(ILOAD, 0);
    for (int i = 1; i < n; ++i)
      m.visitInsn(IADD);
    m.visitInsn(IRETURN);
  }

  /** One value with n uses. */
  private static void copies(MethodVisitor m, int n) {
    m.visitVarInsn(ILOAD, 0);
    m.visitInsn(ICONST_2);
    m.visitInsn(IMUL);
    for (int i = 1; i < n; ++i)
      m.visitInsn(DUP);
    for (int i = 1; i < n; ++i)
      m.visitInsn(IXOR);
    m.visitInsn(IRETURN);
  }

  /** n returns: n places for an exit probe. */
  private static void returns(MethodVisitor m, int n) {
    for (int i = 0; i < n; ++i) {
      Label skip = new Label();
      m.visitVarInsn(ILOAD, 0);
      m.visitJumpInsn(IFNE, skip);
      m.visitInsn(ICONST_0);
      m.visitInsn(IRETURN);
      m.visitLabel(skip);
      same(m);
    }
    answer(m);
  }
}
