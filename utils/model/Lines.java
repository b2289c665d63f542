//===- utils/model/Lines.java - line numbers of generated methods -------===//
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
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;

/** Gives a method line numbers, tidy ones, wild ones, or none. */
final class Lines {
  private Lines() {}

  static void add(MethodNode method, Random random) {
    int how = random.nextInt(10);
    if (how < 2)
      return;
    List<AbstractInsnNode> real = new ArrayList<>();
    for (AbstractInsnNode i : method.instructions)
      if (i.getOpcode() >= 0)
        real.add(i);
    // Entries of the table stand in this order, whatever they refer to.
    List<LineNumberNode> late = new ArrayList<>();
    int line = 1 + random.nextInt(100);
    int step = 2 + random.nextInt(12);
    boolean first = how != 2;
    for (int at = first ? 0 : random.nextInt(real.size()); at < real.size();
         at += 1 + random.nextInt(step)) {
      LabelNode label = new LabelNode();
      method.instructions.insertBefore(real.get(at), label);
      line += how < 7 ? random.nextInt(3) : random.nextInt(50) - 20;
      line = Math.max(1, line);
      LineNumberNode node = new LineNumberNode(line, label);
      if (how == 9 && random.nextInt(3) == 0)
        late.add(node);
      else
        method.instructions.insertBefore(real.get(at), node);
      if (how == 8 && random.nextInt(4) == 0)
        method.instructions.insertBefore(real.get(at),
                                         new LineNumberNode(line + 3, label));
    }
    for (LineNumberNode node : late)
      method.instructions.add(node);
  }
}
