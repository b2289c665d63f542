//===- TestCountingAgent.java - Counts what a trace has to tell -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * {@code -javaagent:counts.jar=FILE,LETTERS[,PREFIX...][,!CLASS...]}: has each event of docs/Traces.md counted where it happens,
 * and writes the sums when the program ends. Of jopt it shares nothing: the events of opcodes are written down here
 * from that page. It changes classes before jopt's agent sees them, so both count the same run; what it adds are
 * calls of TestCounts, which whoever reads the trace leaves out. Classes have one of the prefixes (internal names),
 * or are those that a trace has by default; those behind a {@code !} are not counted.
 * With the letter {@code @} sites of probes are counted, in constructors in front of super() too.
 */
public final class TestCountingAgent implements ClassFileTransformer {
  private static final String[] EXCLUDED = {
    "java/", "sun/", "apple/", "com/apple", "com/sun", "sunw", "javax/", "jdk/", "org/ietf", "org/jcp", "org/omg",
    "org/w3c", "org/xml", "org/objectweb/asm", "junit", "org/junit", "jopt/boot/", "jopt/probes/"
  };

  private static final List<String> TYPES = Arrays.asList(TestCounts.TYPES);
  private final String letters;
  private final String[] prefixes;

  private final Set<String> without = new HashSet<>();

  private TestCountingAgent(String letters, List<String> classes) {
    this.letters = letters;
    List<String> found = new ArrayList<>();
    for (String c : classes) {
      if (c.startsWith("!")) without.add(c.substring(1));
      else found.add(c);
    }
    prefixes = found.toArray(new String[0]);
  }

  public static void premain(String options, Instrumentation instrumentation) {
    String[] parts = options.split(",");
    String letters = parts[1].equals("A") ? "exlivzjfcts" : parts[1];
    if (letters.contains("@")) TestCounts.open();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> TestCounts.write(parts[0])));
    instrumentation.addTransformer(new TestCountingAgent(letters, Arrays.asList(parts).subList(2, parts.length)));
  }

  private static boolean startsWith(String name, String[] prefixes) {
    for (String prefix : prefixes) if (name.startsWith(prefix)) return true;
    return false;
  }

  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
    if (name == null || old != null || name.contains("Test") || name.contains("Mock")) return null;
    if (startsWith(name, EXCLUDED) || (prefixes.length > 0 && !startsWith(name, prefixes))) return null;
    if (without.contains(name)) return null;
    try {
      ClassNode node = new ClassNode();
      new ClassReader(bytes).accept(node, 0);
      if ((node.access & Opcodes.ACC_INTERFACE) != 0) return null;
      for (MethodNode method : node.methods) change(method);
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      node.accept(writer);
      return writer.toByteArray();
    } catch (RuntimeException e) {
      System.err.println("not counted: " + name + ": " + e);
      return null;
    }
  }

  private boolean asked(String any) {
    for (char c : any.toCharArray()) if (letters.indexOf(c) >= 0) return true;
    return false;
  }

  private void add(InsnList to, String any, String type) {
    if (!asked(any)) return;
    to.add(new IntInsnNode(Opcodes.BIPUSH, TYPES.indexOf(type)));
    to.add(new MethodInsnNode(Opcodes.INVOKESTATIC, "TestCounts", "count", "(I)V", false));
  }

  /** The call of super() or this() of a constructor; null if there is none, or several. */
  private static AbstractInsnNode initialiser(MethodNode method) {
    AbstractInsnNode found = null;
    int made = 0;
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i.getOpcode() == Opcodes.NEW) made++;
      if (i.getOpcode() != Opcodes.INVOKESPECIAL || !((MethodInsnNode) i).name.equals("<init>")) continue;
      if (made-- > 0) continue;
      if (found != null) return null;
      found = i;
      made = 0;
    }
    return found;
  }

  private void change(MethodNode method) {
    if (method.instructions.size() == 0) return;
    AbstractInsnNode first = null;
    if (method.name.equals("<init>")) {
      first = initialiser(method);
      if (first == null && !asked("@")) return;
    }
    Set<AbstractInsnNode> heads = asked("@") ? heads(method) : new HashSet<>();
    boolean isCounted = first == null;
    InsnList before = new InsnList();
    if (method.name.equals("main") && method.desc.equals("([Ljava/lang/String;)V"))
      before.add(new MethodInsnNode(Opcodes.INVOKESTATIC, "TestCounts", "open", "()V", false));
    if (first == null) add(before, "e", "$enter$");
    InsnList entered = before;
    before = new InsnList();
    boolean isHead = false, isLine = false;
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (isCounted && i instanceof LineNumberNode) add(before, "l", "$line$");
      isHead |= heads.contains(i);
      isLine |= i instanceof LineNumberNode;
      if (i.getOpcode() < 0) continue;
      InsnList behind = new InsnList();
      if (asked("@")) {
        if (isHead) add(before, "@", "loop usual");
        if (isLine) add(before, "@", "line usual");
        isHead = isLine = false;
        site(i, i != first, before, behind);
      }
      if (isCounted) instruction(i.getOpcode(), before, behind);
      // Frames know what is not initialised yet by where its `new` is, which so stays behind their label.
      if (i.getOpcode() == Opcodes.NEW) behind.insert(before);
      method.instructions.insertBefore(i, before);
      if (i == first) {
        isCounted = true;
        add(behind, "e", "$enter$");
      }
      method.instructions.insert(i, behind);
      before = new InsnList();
    }
    method.instructions.insert(entered);
  }

  /** Where jumps go back to. */
  private static Set<AbstractInsnNode> heads(MethodNode method) {
    Set<AbstractInsnNode> heads = new HashSet<>();
    for (AbstractInsnNode i : method.instructions.toArray()) {
      List<LabelNode> targets = new ArrayList<>();
      if (i instanceof JumpInsnNode) targets.add(((JumpInsnNode) i).label);
      if (i instanceof TableSwitchInsnNode) {
        targets.addAll(((TableSwitchInsnNode) i).labels);
        targets.add(((TableSwitchInsnNode) i).dflt);
      }
      if (i instanceof LookupSwitchInsnNode) {
        targets.addAll(((LookupSwitchInsnNode) i).labels);
        targets.add(((LookupSwitchInsnNode) i).dflt);
      }
      for (LabelNode target : targets)
        if (method.instructions.indexOf(target) < method.instructions.indexOf(i)) heads.add(target);
    }
    return heads;
  }

  private void both(String kind, InsnList before, String first, InsnList behind, String second) {
    add(before, "@", kind + " " + first);
    add(behind, "@", kind + " " + second);
  }

  /** What the sites of an instruction are; a constructor call {@code makes} an object unless it is super() or this(). */
  private void site(AbstractInsnNode i, boolean makes, InsnList before, InsnList behind) {
    int op = i.getOpcode();
    if (op >= 46 && op <= 53) both("arrayRead", before, "before", behind, "usual");
    else if (op >= 79 && op <= 86) both("arrayWrite", before, "usual", behind, "after");
    else if ((op >= 54 && op <= 58) || op == 132) both("localWrite", before, "usual", behind, "after");
    else if (op == 178 || op == 180) both("fieldRead", before, "before", behind, "usual");
    else if (op == 179 || op == 181) both("fieldWrite", before, "usual", behind, "after");
    else if (op == 183 && makes && ((MethodInsnNode) i).name.equals("<init>")) add(behind, "@", "new usual");
    else if (op == 187) add(before, "@", "new before");
    else if (op == 188 || op == 189 || op == 197) both("newArray", before, "before", behind, "usual");
    else if (op == 191) add(before, "@", "throw usual");
    else if (op == 192) both("cast", before, "usual", behind, "after");
    else if (op == 193) both("instanceOf", before, "usual", behind, "after");
    else if (op == 194) both("monitorEnter", before, "usual", behind, "after");
    else if (op == 195) both("monitorExit", before, "usual", behind, "after");
  }

  /** What happens in front of an instruction, and behind it if it completes. */
  private void instruction(int op, InsnList before, InsnList behind) {
    if (op == 0) return;
    if (op <= 15) {
      // Declared by z, told by c.
      if (asked("z")) add(before, "c", "$constant$");
    } else if (op <= 20) add(before, "c", "$constant$");
    else if (op <= 45 || (op >= 54 && op <= 78) || op == 169) add(before, "v", "$var$");
    else if (op <= 53) add(before, "z", "$arrayload$");
    else if (op <= 86) add(before, "z", "$arraystore$");
    else if (op <= 95) add(before, "z", "$stack$");
    else if (op <= 131) add(before, "z", "$math$");
    else if (op == 132) add(before, "v", "$iinc$");
    else if (op <= 147) add(before, "z", "$type$");
    else if (op <= 152) add(before, "z", "$compare$");
    else if (op <= 168 || op >= 198) add(before, "j", "$jump$");
    else if (op <= 171) add(before, "s", "$switch$");
    else if (op <= 177) add(before, "x", "$exit$");
    else if (op <= 181) add(op == 178 || op == 180 ? behind : before, "f", "$field$");
    else if (op <= 186) {
      add(before, "i", "$invoke$");
      add(behind, "i", "$complete$");
    } else if (op <= 189 || op == 192 || op == 193 || op == 197) add(before, "t", "$type$");
    else if (op == 190) add(before, "z", "$arraylen$");
    else if (op == 191) {
      add(before, "z", "$athrow$");
      add(before, "x", "$exit$");
    } else add(before, "z", "$monitor$");
  }
}
