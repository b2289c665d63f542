//===- utils/model/SiteActivation.java - an activation with sites ---------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;

/**
 * An activation with fragments at single instructions too, at lines and at the
 * heads of loops. They come behind the units and in front of the calls.
 *
 * <p>What they throw is thrown at the instruction; behind a monitorenter or
 * monitorexit at the one that comes next, for that is where it begins to matter
 * whether the lock is held.
 */
final class SiteActivation extends FragmentActivation {
  private final Sites sites;
  /** By head: the turns since the loop was entered. */
  private final Map<Integer, Integer> turns = new HashMap<>();
  /** The instruction before, unless an exception came in between. */
  private int last = -1;
  private Sites.Site site;
  /** Of the instruction at work: its operands, and what was in its field. */
  private Object[] operands;
  private Object old;

  SiteActivation(Interpreter model, Probes probes, Interpreter.Cls owner,
                 MethodNode method, Object[] params) {
    super(model, probes, owner, method, params);
    sites = facts.sites;
  }

  // -- Between instructions -------------------------------------------------

  @Override
  void between() throws Interpreter.Thrown {
    if (sites.head[pc]) {
      // From above it is entered.
      if (last >= 0 && last < pc)
        turns.put(pc, 0);
      int count = turns.getOrDefault(pc, 0);
      placed(() -> fireAt("loop", false, Map.of("count", count)));
      turns.put(pc, count + 1);
    }
    if (facts.lineBegins[pc])
      placed(() -> fireAt("line", false, Map.of()));
    last = pc;
  }

  @Override
  void leave(Interpreter.Thrown thrown) throws Interpreter.Thrown {
    last = -1;
    super.leave(thrown);
  }

  @Override
  void caught() { last = -1; }

  // -- At instructions ------------------------------------------------------

  private boolean anyNames(String item) {
    for (Probes.Probe p : methodProbes)
      for (Probes.Fragment f : p.fragments())
        if (f.kind().equals(site.kind()) && f.names(item) && taken(f))
          return true;
    return false;
  }

  private boolean taken(Probes.Fragment f) {
    return sites.takes(f, pc) &&
        (site.descriptor() != null ||
         f.only().takesDescriptor(elementOf(operands[0])));
  }

  /** Of what kind the elements are that an access names by its array alone. */
  private String elementOf(Object array) {
    if (array != null)
      return ArrayValues.element(array);
    int op = facts.code[pc].getOpcode();
    return op == Opcodes.AALOAD || op == Opcodes.AASTORE ? "Ljava/lang/Object;"
                                                         : "B";
  }

  private int operandCount(AbstractInsnNode insn) {
    return switch (insn.getOpcode()) {
      case Opcodes.NEW, Opcodes.GETSTATIC, Opcodes.IINC -> 0;
      case Opcodes.PUTFIELD -> 2;
      case Opcodes.MULTIANEWARRAY -> ((MultiANewArrayInsnNode)insn).dims;
      case Opcodes.INVOKESPECIAL ->
        1 + Type.getArgumentTypes(((MethodInsnNode)insn).desc).length;
      default ->
        site.kind().equals("arrayRead")        ? 2
            : site.kind().equals("arrayWrite") ? 3
                                               : 1;
    };
  }

  @Override
  void before(AbstractInsnNode insn) throws Interpreter.Thrown {
    site = sites.at[pc];
    if (site == null)
      return;
    operands = operations.top(operandCount(insn));
    // Whoever asks what is in a static field initialises its class.
    old = site.kind().equals("fieldWrite") && anyNames("oldValue")
        ? oldValue((FieldInsnNode)insn)
        : null;
    placed(() -> fireAt(site.kind(), false, data(insn, false)));
    operands = operations.top(operandCount(insn));
  }

  @Override
  void behind() throws Interpreter.Thrown {
    // The site is that of this activation's instruction, whatever it called.
    site = sites.at[pc];
    if (site == null)
      return;
    AbstractInsnNode insn = facts.code[pc];
    if (site.kind().startsWith("monitor"))
      placeBehindMonitor();
    fireAt(site.kind(), true, data(insn, true));
  }

  private Object oldValue(FieldInsnNode f) throws Interpreter.Thrown {
    Object zero = Operations.zero(f.desc);
    Object value = zero;
    if (f.getOpcode() == Opcodes.PUTSTATIC) {
      Interpreter.Cls c = model.fieldOwner(f.owner, f.name);
      model.initialise(c.node.name);
      value = c.statics.getOrDefault(f.name, zero);
    } else if (operands[0] != null && (constructed || operands[0] != self)) {
      value = ((Interpreter.Obj)operands[0]).fields.getOrDefault(f.name, zero);
    }
    return Interpreter.box(Type.getType(f.desc), value);
  }

  private Map<String, Object> data(AbstractInsnNode insn, boolean behind) {
    Map<String, Object> data = new HashMap<>();
    Object result = behind && site.kind().matches("fieldRead|new.*|arrayRead|instanceOf")
        ? operations.peek()
        : null;
    switch (site.kind()) {
    case "fieldRead", "fieldWrite" -> {
      boolean isStatic = insn.getOpcode() == Opcodes.GETSTATIC ||
                         insn.getOpcode() == Opcodes.PUTSTATIC;
      boolean write = site.kind().equals("fieldWrite");
      data.put("object", isStatic || (!constructed && operands[0] == self)
                             ? null
                             : operands[0]);
      data.put("fieldOwner", site.owner());
      data.put("fieldName", site.name());
      data.put("value", boxed(write ? operands[operands.length - 1] : result));
      data.put("oldValue", old);
    }
    case "new" -> {
      data.put("typeName", site.owner());
      data.put("object", operands.length > 0 && behind ? operands[0] : null);
    }
    case "newArray" -> {
      data.put("typeName", site.owner());
      data.put("length", operands[0]);
      data.put("array", result);
    }
    case "arrayRead", "arrayWrite" -> {
      data.put("array", operands[0]);
      data.put("index", operands[1]);
      data.put("value", boxed(operands.length > 2 ? operands[2] : result));
    }
    case "cast", "instanceOf" -> {
      data.put("typeName", site.owner());
      data.put("object", operands[0]);
      data.put("value", boxed(result));
    }
    case "localWrite" -> {
      data.put("variableName", site.name().isEmpty() ? null : site.name());
      Object value;
      if (insn instanceof IincInsnNode inc)
        value = (Integer)operations.local(inc.var) + (behind ? 0 : inc.incr);
      else
        value = operands[0];
      // What a jsr leaves is no value of the program.
      data.put("value", value instanceof Operations.ReturnAddress
                            ? null
                            : boxed(value));
    }
    case "throw" -> data.put("exceptionObject", operands[0]);
    default -> data.put("object", operands[0]);
    }
    return data;
  }

  private Object boxed(Object value) {
    String desc = site.descriptor() != null ? site.descriptor()
                                            : elementOf(operands[0]);
    return value == null || desc.isEmpty()
        ? value
        : Interpreter.box(Type.getType(desc), value);
  }

  /** The fragments of a kind, before or behind the instruction. */
  private void fireAt(String kind, boolean behind, Map<String, Object> given)
      throws Interpreter.Thrown {
    Map<String, Object> data = null;
    Sites.Site at = site;
    for (Probes.Probe p : methodProbes)
      for (Probes.Fragment f : p.fragments()) {
        if (!f.kind().equals(kind) || f.only().behind(kind) != behind ||
            !(Sites.BETWEEN.contains(kind) ? sites.takes(f, pc) : taken(f)))
          continue;
        if (data == null)
          data = hostData(given, facts.line[pc], behind ? pc + 1 : pc);
        data.put("staticField", owner.probeFields.get(p.index()));
        fire(model, p, f.name(), data);
        site = at;
      }
  }
}
