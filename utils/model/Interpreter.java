//===- utils/model/Interpreter.java - the model of probed programs ------===//
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
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Runs the original class files and says which events a probed program must
 * show, by the rules of Probekit or of probe classes. Knows nothing of how jopt
 * does it: there is no inserted code here, only the questions at which
 * instruction which fragments or callbacks run, what they see, and who sees an
 * exception that they throw.
 *
 * <p>Classes, objects, exceptions and the initialisation of classes are its
 * own; only arrays, strings and boxed values are the JVM's.
 */
final class Interpreter {
  /** An object of a class of the program, or an exception of the platform. */
  static final class Obj {
    final String type;
    final Map<String, Object> fields = new HashMap<>();

    Obj(String type) { this.type = type; }
  }

  /** An exception of the program. */
  @SuppressWarnings("serial")
  static final class Thrown extends Exception {
    final Obj object;

    Thrown(Obj object) {
      super(null, null, false, false);
      this.object = object;
    }

    Thrown(String type) { this(new Obj(type)); }
  }

  /** A class of the program. */
  static final class Cls {
    final ClassNode node;
    final Map<String, Object> statics = new HashMap<>();
    private final Map<MethodNode, CodeFacts> facts = new HashMap<>();
    final Map<Integer, Obj> probeFields = new HashMap<>();
    Initialisation state = Initialisation.NONE;

    /** The names of all its methods, as Probekit puts them. */
    final String methodNames;

    Cls(ClassNode node) {
      this.node = node;
      methodNames = node.methods.stream().map(m -> m.name + m.desc)
                        .collect(Collectors.joining("+"));
    }

    CodeFacts facts(MethodNode method) {
      return facts.computeIfAbsent(method,
                                   m -> new CodeFacts(m, node.version));
    }

    boolean isInterface() {
      return (node.access & Opcodes.ACC_INTERFACE) != 0;
    }

    MethodNode find(String name, String desc) {
      for (MethodNode m : node.methods)
        if (m.name.equals(name) && m.desc.equals(desc))
          return m;
      return null;
    }
  }

  /** How much of the program has run. */
  static final class Coverage {
    long methods, methodsRun, instructions, instructionsRun, handlers,
        handlersRun;

    @Override
    public String toString() {
      return methodsRun + " of " + methods + " methods ran, " +
          100 * instructionsRun / Math.max(1, instructions) +
          " % of the instructions, " +
          100 * handlersRun / Math.max(1, handlers) + " % of the handlers";
    }
  }

  /** Adds what has run to the sums. */
  void count(Coverage sums) {
    for (Cls c : classes.values()) {
      for (MethodNode m : c.node.methods) {
        if (m.instructions.size() == 0)
          continue;
        CodeFacts f = c.facts(m);
        sums.methods++;
        sums.methodsRun += f.ran[0] ? 1 : 0;
        sums.instructions += f.ran.length;
        for (int i = 0; i < f.ran.length; i++) {
          sums.instructionsRun += f.ran[i] ? 1 : 0;
          sums.handlers += f.handler[i] != null ? 1 : 0;
          sums.handlersRun += f.handler[i] != null && f.ran[i] ? 1 : 0;
        }
      }
    }
  }

  enum Initialisation { NONE, RUNNING, DONE, FAILED }

  final Map<String, Cls> classes = new HashMap<>();
  final ProbeSet probes;
  /** The initialiser of a class has failed. */
  boolean lost;
  final Recorder recorder;

  /** Methods that were left as they were: class, a dot, name, descriptor. */
  private final Set<String> left;

  Interpreter(Iterable<byte[]> files, ProbeSet probes, Recorder recorder,
              Set<String> left) {
    this.probes = probes;
    this.left = left;
    this.recorder = recorder;
    for (byte[] file : files) {
      ClassNode node = read(file);
      classes.put(node.name, new Cls(node));
    }
  }

  /** ASM refuses versions that it does not know. */
  static ClassNode read(byte[] file) {
    byte[] known = file.clone();
    known[7] = (byte)Math.min(file[7], Opcodes.V17);
    ClassNode node = new ClassNode();
    new ClassReader(known).accept(node, 0);
    return node;
  }

  // -- Classes --------------------------------------------------------------

  boolean isSubclass(String type, String of) {
    if (type.equals(of) || of.equals("java/lang/Object"))
      return true;
    Cls c = classes.get(type);
    if (c != null) {
      for (String i : c.node.interfaces)
        if (isSubclass(i, of))
          return true;
      return c.node.superName != null && isSubclass(c.node.superName, of);
    }
    if (classes.containsKey(of))
      return false;
    try {
      return Class.forName(of.replace('/', '.'))
          .isAssignableFrom(Class.forName(type.replace('/', '.')));
    } catch (ClassNotFoundException e) {
      return false; // Probe classes may name what is nowhere.
    }
  }

  /** The class of the program that has the static field, or null. */
  Cls fieldOwner(String owner, String name) {
    for (Cls c = classes.get(owner); c != null;
         c = classes.get(c.node.superName))
      for (FieldNode f : c.node.fields)
        if (f.name.equals(name))
          return c;
    throw new IllegalStateException("no field " + owner + "." + name);
  }

  /** Method resolution and selection, from a class upwards. */
  Cls lookup(String owner, String name, String desc) {
    for (Cls c = classes.get(owner); c != null;
         c = classes.get(c.node.superName)) {
      MethodNode m = c.find(name, desc);
      if (m != null && (m.access & Opcodes.ACC_ABSTRACT) == 0)
        return c;
    }
    for (Cls c = classes.get(owner); c != null;
         c = classes.get(c.node.superName))
      for (String i : c.node.interfaces) {
        Cls found = lookup(i, name, desc);
        if (found != null)
          return found;
      }
    return null;
  }

  /** Initialises a class on its first active use. */
  void initialise(String type) throws Thrown {
    Cls c = classes.get(type);
    if (c == null || c.state == Initialisation.RUNNING ||
        c.state == Initialisation.DONE)
      return;
    if (c.state == Initialisation.FAILED)
      throw new Thrown("java/lang/NoClassDefFoundError");
    c.state = Initialisation.RUNNING;
    try {
      initialise(c.node.superName);
      MethodNode clinit = c.find("<clinit>", "()V");
      if (clinit != null)
        probes.activate(this, c, clinit, new Object[0]).run();
      else
        probes.initialise(this, c);
      c.state = Initialisation.DONE;
    } catch (Thrown t) {
      boolean own = c.state == Initialisation.RUNNING;
      c.state = Initialisation.FAILED;
      lost = true;
      if (own && !isSubclass(t.object.type, "java/lang/Error"))
        throw new Thrown("java/lang/ExceptionInInitializerError");
      throw t;
    }
  }

  // -- Probes ---------------------------------------------------------------

  /** No code can be put into the method. */
  boolean isLeft(Cls c, MethodNode m) {
    return left.contains(c.node.name + "." + m.name + m.desc);
  }

  // -- Calls ----------------------------------------------------------------

  /**
   * Calls what an instruction names, with the receiver first among the
   * arguments.
   */
  Object call(MethodInsnNode i, Object[] args) throws Thrown {
    boolean isStatic = i.getOpcode() == Opcodes.INVOKESTATIC;
    if (!isStatic && args[0] == null)
      throw new Thrown("java/lang/NullPointerException");
    if (!classes.containsKey(i.owner))
      return Platform.call(this, i, args);
    String from = i.owner;
    if (i.getOpcode() == Opcodes.INVOKEVIRTUAL ||
        i.getOpcode() == Opcodes.INVOKEINTERFACE) {
      MethodNode named = classes.get(from).find(i.name, i.desc);
      if (named == null || (named.access & Opcodes.ACC_PRIVATE) == 0)
        from = ((Obj)args[0]).type;
    }
    Cls c = lookup(from, i.name, i.desc);
    if (c == null)
      throw new IllegalStateException("no method " + from + "." + i.name +
                                      i.desc);
    MethodNode m = c.find(i.name, i.desc);
    if (isStatic)
      initialise(c.node.name);
    return probes.activate(this, c, m, args).run();
  }

  /** What a value of a type is as an object. */
  static Object box(Type type, Object value) {
    return switch (type.getSort()) {
      case Type.BOOLEAN -> (Integer)value != 0;
      case Type.BYTE -> (byte)(int)(Integer)value;
      case Type.SHORT -> (short)(int)(Integer)value;
      case Type.CHAR -> (char)(int)(Integer)value;
      case Type.VOID -> null;
      default -> value;
    };
  }

  /** What a method gives back: as narrow as its type. */
  static Object narrow(Type type, Object value) {
    return switch (type.getSort()) {
      case Type.BOOLEAN -> (Integer)value & 1;
      case Type.BYTE -> (int)(byte)(int)(Integer)value;
      case Type.SHORT -> (int)(short)(int)(Integer)value;
      case Type.CHAR -> (int)(char)(int)(Integer)value;
      default -> value;
    };
  }

  /** The class of an object, in the form of class files. */
  static String typeOf(Object o) {
    return o instanceof Obj obj ? obj.type
                                : o.getClass().getName().replace('.', '/');
  }

  /** What an argument is when it is taken from a fragment's array. */
  Object unbox(Type type, Object value) throws Thrown {
    String wanted = switch (type.getSort()) {
      case Type.BOOLEAN -> "java/lang/Boolean";
      case Type.BYTE -> "java/lang/Byte";
      case Type.SHORT -> "java/lang/Short";
      case Type.CHAR -> "java/lang/Character";
      case Type.INT -> "java/lang/Integer";
      case Type.LONG -> "java/lang/Long";
      case Type.FLOAT -> "java/lang/Float";
      case Type.DOUBLE -> "java/lang/Double";
      default -> type.getInternalName();
    };
    if (value != null && !isSubclass(typeOf(value), wanted))
      throw new Thrown("java/lang/ClassCastException");
    if (type.getSort() > Type.DOUBLE)
      return value;
    if (value == null)
      throw new Thrown("java/lang/NullPointerException");
    return switch (type.getSort()) {
      case Type.BOOLEAN -> (Boolean)value ? 1 : 0;
      case Type.BYTE -> (int)(byte)(Byte)value;
      case Type.SHORT -> (int)(short)(Short)value;
      case Type.CHAR -> (int)(char)(Character)value;
      default -> value;
    };
  }

  /** The boxed arguments of a call; the first skip values are no arguments. */
  static Object[] boxed(String desc, Object[] values, int skip) {
    Type[] types = Type.getArgumentTypes(desc);
    Object[] boxed = new Object[types.length];
    for (int i = 0; i < types.length; i++)
      boxed[i] = box(types[i], values[i + skip]);
    return boxed;
  }
}
