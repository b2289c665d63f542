//===- utils/model/Variables.java - names of local variables --------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Label;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * The local variables that a generated method tells of, as javac -g does: from
 * behind the first write to the end. Parameters are p0, p1 ..., others are I0,
 * J0, A0 ... by the letter of how the JVM keeps them.
 */
final class Variables {
  private record Variable(String name, String desc, Label from, int slot) {}

  private final MethodNode method;
  private final Label start = new Label();
  private final List<Variable> all = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  /** To be made before the method has code. */
  Variables(MethodNode method) {
    this.method = method;
    method.visitLabel(start);
  }

  void parameter(Type type, int slot) { add("p", type, start, slot); }

  /** The slot has just been written. */
  void declare(Type type, int slot) {
    Label from = new Label();
    method.visitLabel(from);
    String letter = switch (type.getSort()) {
      case Type.LONG, Type.FLOAT, Type.DOUBLE -> type.getDescriptor();
      case Type.OBJECT, Type.ARRAY -> "A";
      default -> "I";
    };
    add(letter, type, from, slot);
  }

  private void add(String letter, Type type, Label from, int slot) {
    all.add(new Variable(letter + (numbers.merge(letter, 1, Integer::sum) - 1),
                         type.getDescriptor(), from, slot));
  }

  /** Writes the table; the method has all its code. */
  void tell() {
    Label end = new Label();
    method.visitLabel(end);
    for (Variable v : all)
      method.visitLocalVariable(v.name, v.desc, null, v.from, end, v.slot);
  }
}
