//===- utils/model/Flow.java - random control flow ----------------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

/**
 * A method of random control flow: blocks that jump anywhere, ranges that
 * overlap anyhow and begin and end in the middle of blocks, handlers inside of
 * their own ranges or reached by jumps and by falling through. Every block
 * spends fuel.
 */
final class Flow implements Opcodes {
  private final Group.Mth m;
  private final Body body;
  private final MethodNode n;
  private final Random random;
  private final List<Label> places = new ArrayList<>();

  Flow(Group group, Group.Mth m, Body body) {
    this.m = m;
    this.body = body;
    n = m.node;
    random = group.random;
  }

  private Label any(List<Label> list) {
    return list.get(random.nextInt(list.size()));
  }

  private void place() {
    Label label = new Label();
    n.visitLabel(label);
    places.add(label);
  }

  void emit() {
    int count = 3 + random.nextInt(6);
    boolean loopHead = random.nextInt(4) == 0;
    if (!loopHead)
      body.declareLocals();
    int caught = body.throwableLocal();
    Label end = new Label();
    List<Label> blocks = new ArrayList<>();
    List<Label> handlers = new ArrayList<>();
    boolean[] isHandler = new boolean[count];
    for (int i = 0; i < count; i++) {
      isHandler[i] = i > 0 && random.nextInt(3) == 0;
      Label label = new Label();
      (isHandler[i] ? handlers : blocks).add(label);
    }
    int nextBlock = 0;
    int nextHandler = 0;
    for (int i = 0; i < count; i++) {
      if (isHandler[i]) {
        n.visitLabel(handlers.get(nextHandler++));
        if (caught >= 0)
          n.visitVarInsn(ASTORE, caught);
        else
          n.visitInsn(POP);
      } else {
        n.visitLabel(blocks.get(nextBlock++));
      }
      n.visitIincInsn(body.fuel, -1);
      n.visitVarInsn(ILOAD, body.fuel);
      n.visitJumpInsn(IFLT, end);
      place();
      for (int k = random.nextInt(3); k >= 0; k--) {
        body.simple();
        place();
      }
      boolean intoHandler = i + 1 < count && isHandler[i + 1];
      terminate(blocks, handlers, caught, intoHandler);
      place();
    }
    n.visitJumpInsn(GOTO, end);
    n.visitLabel(end);
    body.push(body.result, 1);
    n.visitInsn(body.result.getOpcode(IRETURN));
    if (handlers.isEmpty())
      return;
    for (int k = 1 + random.nextInt(5); k > 0; k--) {
      int a = random.nextInt(places.size());
      int b = random.nextInt(places.size());
      if (a != b)
        n.visitTryCatchBlock(places.get(Math.min(a, b)),
                             places.get(Math.max(a, b)), any(handlers),
                             body.catchType());
    }
    // A handler that nothing names would be no handler.
    for (Label h : handlers)
      n.visitTryCatchBlock(places.get(0), places.get(places.size() - 1), h,
                           body.catchType());
  }

  private void terminate(List<Label> blocks, List<Label> handlers, int caught,
                         boolean intoHandler) {
    switch (random.nextInt(8)) {
    case 0, 1, 2 -> {
      body.condition(1);
      n.visitJumpInsn(IFEQ, any(blocks));
      if (intoHandler)
        fall(caught, blocks);
    }
    case 3 -> {
      body.pushInt(1);
      n.visitInsn(ICONST_3);
      n.visitInsn(IAND);
      n.visitTableSwitchInsn(0, 2, any(blocks), any(blocks), any(blocks),
                             any(blocks));
    }
    case 4 -> {
      if (caught >= 0 && random.nextBoolean()) {
        n.visitVarInsn(ALOAD, caught);
        n.visitInsn(ATHROW);
      } else {
        body.throwNew();
      }
    }
    case 5 -> {
      body.push(body.result, 1);
      n.visitInsn(body.result.getOpcode(IRETURN));
    }
    case 6 -> {
      if (caught >= 0 && !handlers.isEmpty() && random.nextBoolean()) {
        n.visitVarInsn(ALOAD, caught);
        n.visitJumpInsn(GOTO, any(handlers));
      } else {
        n.visitJumpInsn(GOTO, any(blocks));
      }
    }
    default -> {
      if (intoHandler)
        fall(caught, blocks);
      else
        n.visitInsn(NOP);
    }
    }
  }

  /** Into a handler by falling, or past it. */
  private void fall(int caught, List<Label> blocks) {
    if (caught >= 0 && random.nextBoolean())
      n.visitVarInsn(ALOAD, caught);
    else
      n.visitJumpInsn(GOTO, any(blocks));
  }
}
