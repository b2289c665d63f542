//===- utils/model/CodeFacts.java - units and handlers of a method ------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * What the interpreter needs to know of a method's code: its instructions by
 * number, the exception table in these numbers, the executable units, and which
 * instructions are handlers.
 */
final class CodeFacts {
  /** An entry of the exception table; to is exclusive, a null type is any. */
  record Entry(int from, int to, int handler, String type) {
    boolean covers(int i) { return from <= i && i < to; }
  }

  final AbstractInsnNode[] code;
  final List<Entry> table = new ArrayList<>();
  /** The method has line numbers; without, it is one unit. */
  final boolean lines;
  /** The unit of each instruction. */
  final int[] unit;
  /** A unit begins at the instruction. */
  final boolean[] begins;
  /** A handler for everything begins here, which covers that. */
  boolean coversItself(int pc) {
    for (Entry e : table)
      if (e.handler() == pc && e.covers(pc) && e.type() == null)
        return true;
    return false;
  }

  /** The first entry of the exception table with this handler, or null. */
  final Entry[] handler;
  /** The method is verified by frames. */
  final boolean framed;
  /**
   * The instruction before each in code order. Where the method is not verified
   * by frames, code that nothing can reach has no part in it.
   */
  final int[] previous;
  /** The line that an instruction belongs to, or 0. */
  final int[] line;
  /** The LineNumberTable has a line that begins at the instruction. */
  final boolean[] lineBegins;
  /** Not: code that nothing can reach, where no frame tells of it. */
  final boolean[] live;
  final Sites sites;
  /** The instructions that have run. */
  final boolean[] ran;
  private final Map<LabelNode, Integer> places = new IdentityHashMap<>();

  CodeFacts(MethodNode method, int version) {
    List<AbstractInsnNode> real = new ArrayList<>();
    for (AbstractInsnNode i : method.instructions) {
      if (i.getOpcode() >= 0)
        real.add(i);
      else if (i instanceof LabelNode label)
        places.put(label, real.size());
    }
    code = real.toArray(new AbstractInsnNode[0]);
    handler = new Entry[code.length];
    ran = new boolean[code.length];
    boolean[] cut = new boolean[code.length + 1];
    cut[0] = true;
    for (TryCatchBlockNode t : method.tryCatchBlocks) {
      Entry e = new Entry(place(t.start), place(t.end), place(t.handler),
                          t.type);
      table.add(e);
      if (handler[e.handler] == null)
        handler[e.handler] = e;
      cut[e.handler] = true;
    }
    boolean any = false;
    boolean frames = false;
    line = new int[code.length];
    lineBegins = new boolean[code.length];
    for (AbstractInsnNode i : method.instructions) {
      frames |= i instanceof FrameNode;
      if (i instanceof LineNumberNode node) {
        any = true;
        int at = place(node.start);
        cut[at] = true;
        // Of several at one place the last holds.
        if (at < code.length) {
          line[at] = node.line;
          lineBegins[at] = true;
        }
      }
    }
    for (int i = 1; i < code.length; i++)
      if (!lineBegins[i])
        line[i] = line[i - 1];
    lines = any;
    for (int i = 0; i < code.length; i++) {
      for (int to : targets(i))
        cut[to] = true;
      int op = code[i].getOpcode();
      boolean ends = (op >= Opcodes.IFEQ && op <= Opcodes.RETURN) ||
                     op == Opcodes.ATHROW || op == Opcodes.IFNULL ||
                     op == Opcodes.IFNONNULL || isInvoke(op) ||
                     op == Opcodes.INVOKEDYNAMIC;
      if (ends)
        cut[i + 1] = true;
    }
    framed = (version & 0xFFFF) > Opcodes.V1_6 ||
             ((version & 0xFFFF) == Opcodes.V1_6 && (frames || isStraight()));
    previous = new int[code.length];
    live = framed ? new boolean[code.length] : reached();
    if (framed)
      Arrays.fill(live, true);
    for (int i = 0, last = -1; i < code.length; i++) {
      previous[i] = last;
      if (live[i])
        last = i;
    }
    unit = new int[code.length];
    begins = new boolean[code.length];
    int number = -1;
    for (int i = 0; i < code.length; i++) {
      begins[i] = cut[i] && lines;
      if (cut[i])
        number++;
      unit[i] = lines ? number : 0;
    }
    sites = new Sites(method, this);
  }

  /** Where a jump or switch may go to. */
  List<Integer> targets(int i) {
    List<Integer> to = new ArrayList<>();
    if (code[i] instanceof JumpInsnNode j)
      to.add(place(j.label));
    if (code[i] instanceof TableSwitchInsnNode s) {
      to.add(place(s.dflt));
      s.labels.forEach(l -> to.add(place(l)));
    }
    if (code[i] instanceof LookupSwitchInsnNode s) {
      to.add(place(s.dflt));
      s.labels.forEach(l -> to.add(place(l)));
    }
    return to;
  }

  private boolean[] reached() {
    boolean[] reached = new boolean[code.length];
    Deque<Integer> work = new ArrayDeque<>(List.of(0));
    while (!work.isEmpty()) {
      int i = work.pop();
      if (i >= code.length || reached[i])
        continue;
      reached[i] = true;
      for (Entry e : table)
        if (e.covers(i))
          work.push(e.handler());
      int op = code[i].getOpcode();
      targets(i).forEach(work::push);
      // Every subroutine is taken to return.
      if (goesOn(op))
        work.push(i + 1);
    }
    return reached;
  }

  /** Control may come from the instruction to the one behind it. */
  private static boolean goesOn(int op) {
    return op != Opcodes.GOTO && op != Opcodes.ATHROW &&
        (op < Opcodes.RET || op > Opcodes.RETURN);
  }

  /**
   * Code in front of the instruction is in the range: not where the range begins, unless
   * control comes there from inside of it, behind a monitorenter and where a compiler
   * cut something out of the range.
   */
  boolean coversFront(Entry e, int pc) {
    int before = previous[pc];
    if (!e.covers(pc) || before < 0)
      return false;
    int op = code[before].getOpcode();
    return e.covers(before) || op == Opcodes.MONITORENTER ||
        !goesOn(op) && e.handler() != pc && isLaterPart(e, pc);
  }

  /** An instruction before this one has the same handler for the same type. */
  private boolean isLaterPart(Entry e, int pc) {
    for (int i = 0; i < pc; i++)
      for (Entry other : table)
        if (live[i] && other.covers(i) && other.handler() == e.handler() &&
            Objects.equals(other.type(), e.type()))
          return true;
    return false;
  }

  /** No branch, no handler, and nothing behind the end. */
  private boolean isStraight() {
    for (int i = 0; i < code.length - 1; i++) {
      int op = code[i].getOpcode();
      if (code[i] instanceof JumpInsnNode || op == Opcodes.ATHROW ||
          (op >= Opcodes.TABLESWITCH && op <= Opcodes.RETURN))
        return false;
    }
    return table.isEmpty();
  }

  /** The classes that a handler catches, or null: everything. */
  String caught(int handler) {
    StringBuilder types = new StringBuilder();
    for (Entry e : table) {
      if (e.handler() != handler)
        continue;
      if (e.type() == null)
        return null;
      if (!List.of(types.toString().split("\\|")).contains(e.type()))
        types.append(types.length() == 0 ? "" : "|").append(e.type());
    }
    return types.toString();
  }

  int place(LabelNode label) { return places.get(label); }

  static boolean isInvoke(int op) {
    return op >= Opcodes.INVOKEVIRTUAL && op <= Opcodes.INVOKEINTERFACE;
  }
}
