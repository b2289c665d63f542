//===- utils/model/Sites.java - which instructions are sites --------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The sites of a method: what each of its instructions is one of, and which of
 * them a fragment is for.
 */
final class Sites {
  static final List<String> KINDS = Arrays.asList(
      "throw", "fieldRead", "fieldWrite", "new", "newArray", "arrayRead",
      "arrayWrite", "monitorEnter", "monitorExit", "cast", "instanceOf", "line",
      "loop", "localWrite");
  /** Those in front of an instruction, whatever it is. */
  static final List<String> BETWEEN = Arrays.asList("line", "loop");
  /** Those that can only be in front. */
  static final List<String> UNPLACED = Arrays.asList("line", "loop", "throw");
  private static final List<String> SEEN_BEHIND =
      Arrays.asList("fieldRead", "new", "newArray", "arrayRead");

  /**
   * How a fragment selects its sites; empty or 0 selects all. A star at the end of
   * a pattern stands for the rest.
   */
  record Filter(String owner, String name, String descriptor, int ordinal,
                int first, int last, String where, String javaType) {
    static Filter placed(String where) {
      return new Filter("", "", "", 0, 0, 0, where, "");
    }

    /** A random one that is valid for the kind. */
    static Filter any(Random random, String kind) {
      boolean field = kind.startsWith("field");
      boolean valued = field || kind.equals("localWrite") ||
                       kind.startsWith("array");
      boolean owned = field || kind.startsWith("new") || kind.equals("cast") ||
                      kind.equals("instanceOf");
      String owner = owned && random.nextInt(3) == 0
          ? (random.nextInt(3) > 0 ? "g*" : random.nextInt(2) > 0 ? "[*" : "java.*")
          : "";
      String name = random.nextInt(3) > 0 ? ""
          : field                          ? "h*"
          : kind.equals("localWrite")      ? (random.nextBoolean() ? "I*" : "A1")
                                           : "";
      String type = valued && random.nextInt(3) == 0
          ? (random.nextInt(3) > 0 ? "int" : "long")
          : "";
      String descriptor = valued && type.isEmpty() && random.nextInt(3) == 0
          ? List.of("I", "L*", "D", "Z", "[*").get(random.nextInt(5))
          : "";
      int ordinal = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0;
      // Which array it is, only its access tells here.
      if (kind.startsWith("array") && !descriptor.isEmpty())
        ordinal = 0;
      int first = random.nextInt(4) == 0 ? 1 + random.nextInt(60) : 0;
      int last = first == 0 ? 0 : first + random.nextInt(60);
      String where = UNPLACED.contains(kind)
          ? ""
          : List.of("", "before", "after").get(random.nextInt(3));
      return new Filter(owner, name, descriptor, ordinal, first, last, where,
                        type);
    }

    /** Without a type that only an item of the value can ask for. */
    Filter ofAnyType() {
      return new Filter(owner, name, descriptor, ordinal, first, last, where,
                        "");
    }

    boolean behind(String kind) {
      return where.isEmpty() ? SEEN_BEHIND.contains(kind)
                             : where.equals("after");
    }

    private static boolean matches(String pattern, String text) {
      String p = pattern.replace('.', '/');
      if (p.isEmpty())
        return true;
      return p.endsWith("*") ? text.startsWith(p.substring(0, p.length() - 1))
                             : text.equals(p);
    }

    boolean takesDescriptor(String of) {
      return matches(descriptor, of) &&
          (javaType.isEmpty() || of.equals(javaType.equals("int") ? "I" : "J"));
    }

    boolean takes(Site s, int line) {
      return matches(owner, s.owner) && matches(name, s.name) &&
          // What an array alone tells is a reference, a byte or a boolean.
          (s.descriptor == null ? javaType.isEmpty()
                                : takesDescriptor(s.descriptor)) &&
          (first == 0 || (first <= line && line <= last));
    }

    /** As attributes of the fragment. */
    String attributes() {
      return attribute("owner", owner) + attribute("name", name) +
          attribute("descriptor", descriptor) +
          attribute("ordinal", ordinal == 0 ? "" : "" + ordinal) +
          attribute("lines", first == 0 ? "" : first + "-" + last) +
          attribute("where", where);
    }

    private static String attribute(String name, String value) {
      return value.isEmpty() ? "" : " " + name + "=\"" + value + '"';
    }
  }

  /**
   * A site; what the instruction names is empty where it names nothing, and the
   * descriptor null where only the array tells.
   */
  record Site(String kind, String owner, String name, String descriptor) {}

  private final MethodNode method;
  private final CodeFacts facts;
  /** By instruction; null where there is none. */
  final Site[] at;
  /** Jumps go back to the instruction. */
  final boolean[] head;
  private final Map<Probes.Fragment, BitSet> chosen = new IdentityHashMap<>();

  Sites(MethodNode method, CodeFacts facts) {
    this.method = method;
    this.facts = facts;
    at = new Site[facts.code.length];
    head = new boolean[facts.code.length];
    // Objects that are made and not yet constructed.
    int made = 0;
    for (int i = 0; i < at.length; i++) {
      AbstractInsnNode insn = facts.code[i];
      made += insn.getOpcode() == Opcodes.NEW ? 1 : 0;
      if (insn instanceof MethodInsnNode m && m.name.equals("<init>")) {
        if (made > 0)
          at[i] = new Site("new", m.owner, "", "");
        made = Math.max(0, made - 1);
      } else {
        at[i] = site(insn, i);
      }
      if (facts.live[i] && insn.getOpcode() != Opcodes.JSR)
        for (int to : facts.targets(i))
          head[to] |= to <= i;
    }
  }

  private Site site(AbstractInsnNode insn, int i) {
    int op = insn.getOpcode();
    if (op >= Opcodes.IALOAD && op <= Opcodes.SALOAD)
      return new Site("arrayRead", "", "", element(op - Opcodes.IALOAD));
    if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE)
      return new Site("arrayWrite", "", "", element(op - Opcodes.IASTORE));
    if (insn instanceof VarInsnNode v && op != Opcodes.RET &&
        op >= Opcodes.ISTORE)
      return variable(v.var, i, "IJFDA".charAt(op - Opcodes.ISTORE));
    if (insn instanceof IincInsnNode inc)
      return variable(inc.var, i, 'I');
    if (insn instanceof FieldInsnNode f)
      return new Site(op == Opcodes.GETSTATIC || op == Opcodes.GETFIELD
                          ? "fieldRead"
                          : "fieldWrite",
                      f.owner, f.name, f.desc);
    if (insn instanceof IntInsnNode n && op == Opcodes.NEWARRAY)
      return new Site("newArray", "[" + ArrayValues.primitive(n.operand), "", "");
    if (insn instanceof MultiANewArrayInsnNode m)
      return new Site("newArray", m.desc, "", "");
    if (insn instanceof TypeInsnNode t)
      return switch (op) {
        case Opcodes.NEW -> new Site("new", t.desc, "", "");
        case Opcodes.ANEWARRAY ->
          new Site("newArray",
                   "[" + Type.getObjectType(t.desc).getDescriptor(), "", "");
        case Opcodes.CHECKCAST -> new Site("cast", t.desc, "", "");
        default -> new Site("instanceOf", t.desc, "", "Z");
      };
    return switch (op) {
      case Opcodes.ATHROW -> new Site("throw", "", "", "");
      case Opcodes.MONITORENTER -> new Site("monitorEnter", "", "", "");
      case Opcodes.MONITOREXIT -> new Site("monitorExit", "", "", "");
      default -> null;
    };
  }

  private static String element(int access) {
    String of = "IJFDABCS".substring(access, access + 1);
    return "AB".contains(of) ? null : of;
  }

  /** A write of the slot, whose variable may begin with it. */
  private Site variable(int slot, int i, char kind) {
    for (LocalVariableNode v : variables())
      if (v.index == slot && facts.place(v.start) <= i + 1 &&
          i + 1 < facts.place(v.end) && letter(v.desc) == kind)
        return new Site("localWrite", "", v.name, v.desc);
    return new Site("localWrite", "", "",
                    kind == 'A' ? "Ljava/lang/Object;" : "" + kind);
  }

  /** How the JVM keeps a value of the type. */
  private static char letter(String desc) {
    char c = desc.charAt(0);
    return c == 'L' || c == '[' ? 'A' : "ZBCS".indexOf(c) >= 0 ? 'I' : c;
  }

  private List<LocalVariableNode> variables() {
    return method.localVariables == null ? List.of() : method.localVariables;
  }

  /** Adds the variables that have a name at the instruction. */
  void locals(int pc, Operations operations, Map<String, Object> data) {
    for (LocalVariableNode v : variables())
      if (facts.place(v.start) <= pc && pc < facts.place(v.end))
        data.putIfAbsent("local " + v.name,
                         Interpreter.box(Type.getType(v.desc),
                                         operations.local(v.index)));
  }

  /** The fragment is for what stands at the instruction, if it is of its kind. */
  boolean takes(Probes.Fragment f, int pc) {
    return chosen.computeIfAbsent(f, this::choose).get(pc);
  }

  private BitSet choose(Probes.Fragment f) {
    BitSet set = new BitSet();
    int count = 0;
    for (int i = 0; i < at.length; i++) {
      Site s = BETWEEN.contains(f.kind()) ? new Site(f.kind(), "", "", "") : at[i];
      boolean is = switch (f.kind()) {
        case "line" -> facts.lineBegins[i];
        case "loop" -> head[i];
        default -> s != null && s.kind.equals(f.kind()) && exists(f, i);
      };
      if (is && facts.live[i] && f.only().takes(s, facts.line[i]) &&
          (++count == f.only().ordinal() || f.only().ordinal() == 0))
        set.set(i);
    }
    return set;
  }

  /** An object is there behind its constructor, and before it is not. */
  private boolean exists(Probes.Fragment f, int i) {
    boolean behind = f.only().behind(f.kind());
    return switch (facts.code[i].getOpcode()) {
      case Opcodes.NEW -> !behind;
      case Opcodes.INVOKESPECIAL -> behind;
      case Opcodes.ATHROW -> !behind;
      default -> true;
    };
  }
}
