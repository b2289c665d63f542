//===- utils/model/Group.java - a group of generated classes ------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A program of a few classes in a package of its own, made from a seed: three
 * exceptions, an interface, four classes with constructors and methods of all
 * kinds, and Main, whose methods d0, d1, ... call each of the others once.
 *
 * <p>A method calls only methods of a lower level, so that nothing recurs,
 * or, in programs for probe classes, such of its own that spend fuel; its first
 * parameter, where it has loops, is its fuel.
 */
final class Group implements Opcodes {
  /** A class that is being made. */
  static final class Cls {
    final ClassNode node = new ClassNode();
    final Cls parent;
    final List<Mth> methods = new ArrayList<>();

    Cls(String name, Cls parent, String superName, int version, int access) {
      this.parent = parent;
      node.visit(version, access, name, null, superName, null);
    }

    String name() { return node.name; }

    boolean extendsFrom(String type) {
      for (Cls c = this; c != null; c = c.parent)
        if (c.name().equals(type) || c.node.superName.equals(type) ||
            c.node.interfaces.contains(type))
          return true;
      return false;
    }
  }

  /** A method; its body comes when all are known. */
  static final class Mth {
    final Cls owner;
    final MethodNode node;
    final int level;
    /** The first parameter is fuel. */
    final boolean fuel;

    Mth(Cls owner, int access, String name, String desc, int level,
        boolean fuel) {
      this.owner = owner;
      this.level = level;
      this.fuel = fuel;
      node = new MethodNode(access, name, desc, null, null);
      owner.methods.add(this);
      owner.node.methods.add(node);
    }

    boolean isStatic() { return (node.access & ACC_STATIC) != 0; }

    boolean isPrivate() { return (node.access & ACC_PRIVATE) != 0; }

    boolean isConstructor() { return node.name.equals("<init>"); }
  }

  /** The level of Main's methods. */
  static final int DRIVER = 9;

  final Random random;
  final String prefix;
  /** For probe classes: methods recur, and some carry annotations. */
  final boolean recurs;
  private final int newest;
  final List<Cls> exceptions = new ArrayList<>();
  final List<Cls> classes = new ArrayList<>();
  final List<Storage.Field> fields = new ArrayList<>();
  Cls itf;
  Cls main;
  private final Map<String, Cls> all = new LinkedHashMap<>();
  private int names;

  /** @param newest the highest version of its class files */
  Group(long seed, int number, boolean recurs, int newest) {
    random = new Random(seed * 1000003L + number * 7919L);
    this.recurs = recurs;
    this.newest = newest;
    prefix = "g" + number + "/";
    declare();
    for (Cls c : new ArrayList<>(all.values()))
      for (Mth m : new ArrayList<>(c.methods))
        if (c != main)
          define(m);
    drivers();
    if (recurs)
      mark();
  }

  /** Whether an object of the class {@code type} is one of {@code of}, too. */
  boolean isA(String type, String of) {
    if (type.equals(of) || of.equals("java/lang/Object"))
      return true;
    for (Cls c : classes)
      if (c.name().equals(type))
        return c.extendsFrom(of);
    return false;
  }

  boolean chance(int percent) { return random.nextInt(100) < percent; }

  private int version() {
    return chance(10)  ? V1_5
        : chance(10) ? V1_2 + random.nextInt(V1_5 - V1_2)
        : chance(10) ? V1_6
                     : V1_6 + random.nextInt(V17 - V1_6 + 1);
  }

  private Cls add(Cls c) {
    all.put(c.name(), c);
    if (chance(80))
      c.node.visitSource(c.name().substring(prefix.length()) + ".java", null);
    return c;
  }

  // -- Declarations ---------------------------------------------------------

  private static final String[] TYPES = {
      "I", "I", "I", "J", "D", "F", "Z", "B", "S", "C", "Ljava/lang/Object;",
      "Ljava/lang/String;", "[I"};

  private String anyType() {
    if (!classes.isEmpty() && chance(15))
      return "L" + classes.get(random.nextInt(classes.size())).name() + ";";
    return TYPES[random.nextInt(TYPES.length)];
  }

  /** A descriptor; slots is how many the parameters may take. */
  private String descriptor(boolean fuel, int slots, boolean returns) {
    StringBuilder d = new StringBuilder("(");
    int used = 0;
    if (fuel) {
      d.append('I');
      used = 1;
    }
    int count = chance(3) ? 255 : random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String t = count < 10 || i % 7 != 0 ? anyType() : "J";
      int size = t.equals("J") || t.equals("D") ? 2 : 1;
      if (used + size > slots)
        break;
      d.append(t);
      used += size;
    }
    return d.append(')').append(returns ? anyReturn() : "V").toString();
  }

  private String anyReturn() { return chance(25) ? "V" : anyType(); }

  /** Names start with a to d, for the targets of probes. */
  private String name(String kind) {
    return (char)('a' + random.nextInt(4)) + kind + names++;
  }

  private void declare() {
    String[] supers = {"java/lang/RuntimeException", null,
                       "java/lang/Exception"};
    for (int i = 0; i < 3; i++) {
      Cls parent = supers[i] == null ? exceptions.get(0) : null;
      Cls c = add(new Cls(prefix + "X" + i, parent,
                          parent == null ? supers[i] : parent.name(), version(),
                          ACC_PUBLIC | ACC_SUPER));
      exceptions.add(c);
      new Mth(c, ACC_PUBLIC, "<init>", "(I)V", 0, false);
    }
    int itfVersion = version();
    itf = add(new Cls(prefix + "Itf", null, "java/lang/Object", itfVersion,
                      ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT));
    List<String[]> abstracts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String[] m = {name("itf"), descriptor(true, 20, true)};
      abstracts.add(m);
      new Mth(itf, ACC_PUBLIC | ACC_ABSTRACT, m[0], m[1], 2, true);
    }
    if (itfVersion >= V1_8) {
      new Mth(itf, ACC_PUBLIC, name("def"), "(I)I", 0, false);
      new Mth(itf, ACC_PUBLIC | ACC_STATIC, name("ist"), "(I)I", 0, false);
    }
    List<String[]> virtuals = new ArrayList<>();
    for (int i = 0; i < 2; i++)
      virtuals.add(new String[] {name("vrt"), descriptor(true, 20, true)});
    for (int i = 0; i < 4; i++) {
      Cls parent = i > 0 && chance(60) ? classes.get(random.nextInt(i)) : null;
      Cls c = add(new Cls(prefix + "C" + i, parent,
                          parent == null ? "java/lang/Object" : parent.name(),
                          version(), ACC_PUBLIC | ACC_SUPER));
      classes.add(c);
      c.node.fields.add(
          new FieldNode(ACC_PUBLIC | ACC_STATIC, "s" + i, "I", null, null));
      c.node.fields.add(new FieldNode(ACC_PUBLIC, "f" + i, "I", null, null));
      for (int k = 2 + random.nextInt(4); k > 0; k--)
        addField(c);
      if (parent == null && (i == 0 || chance(50))) {
        c.node.interfaces.add(itf.name());
        for (String[] m : abstracts)
          new Mth(c, ACC_PUBLIC, m[0], m[1], 2, true);
      }
      for (String[] m : virtuals)
        if (parent == null || chance(50))
          new Mth(c, ACC_PUBLIC | sync(), m[0], m[1], 2, true);
      for (int k = 1 + random.nextInt(3); k > 0; k--) {
        String desc = descriptor(true, 254, false);
        if (c.methods.stream().noneMatch(
                m -> m.isConstructor() && m.node.desc.equals(desc)))
          new Mth(c, ACC_PUBLIC, "<init>", desc, 1, true);
      }
      if (chance(60))
        new Mth(c, ACC_STATIC, "<clinit>", "()V", 2, false);
      for (int k = 5 + random.nextInt(4); k > 0; k--) {
        int access = chance(50) ? ACC_STATIC : 0;
        access |= chance(15) ? ACC_PRIVATE : ACC_PUBLIC;
        String kind = chance(25) ? "lock" : chance(50) ? "rnd" : "mth";
        boolean fuel = !kind.equals("mth") || chance(80);
        new Mth(c, access | sync(), name(kind), descriptor(fuel, 254, true),
                level(), fuel);
      }
    }
    main = add(new Cls(prefix + "Main", null, "java/lang/Object", version(),
                       ACC_PUBLIC | ACC_SUPER));
  }

  private void addField(Cls c) {
    Type type = Type.getType(
        Storage.FIELD_TYPES[random.nextInt(Storage.FIELD_TYPES.length)]);
    boolean isStatic = chance(40);
    String name = "h" + fields.size();
    c.node.fields.add(new FieldNode(ACC_PUBLIC | (isStatic ? ACC_STATIC : 0),
                                    name, type.getDescriptor(), null, null));
    fields.add(new Storage.Field(c, name, type, isStatic));
  }

  /** Constructors have level 1: most methods can make objects. */
  private int level() { return chance(25) ? 0 : 2 + random.nextInt(3); }

  private int sync() { return chance(15) ? ACC_SYNCHRONIZED : 0; }

  // -- Bodies ---------------------------------------------------------------

  private void define(Mth m) {
    if ((m.node.access & ACC_ABSTRACT) != 0)
      return;
    Body body = new Body(this, m);
    if (m.isConstructor())
      body.constructor();
    else if (m.node.name.startsWith("rnd", 1))
      new Flow(this, m, body).emit();
    else
      body.method();
    if (chance(70))
      body.variables.tell();
    Lines.add(m.node, random);
  }

  private void drivers() {
    int number = 0;
    for (Cls c : all.values()) {
      for (Mth callee : c.methods) {
        if (c == main || callee.isPrivate() || c == itf ||
            callee.node.name.equals("<clinit>"))
          continue;
        Mth m = new Mth(main, ACC_PUBLIC | ACC_STATIC, "d" + number++, "()V",
                        DRIVER, false);
        new Body(this, m).driver(callee);
        Lines.add(m.node, random);
      }
    }
  }

  /** The names of the drivers in Main, in order. */
  List<String> driverNames() {
    return main.methods.stream().map(m -> m.node.name).toList();
  }

  int methodCount() {
    return all.values()
        .stream()
        .mapToInt(c -> (int)c.methods.stream()
                           .filter(m -> (m.node.access & ACC_ABSTRACT) == 0)
                           .count())
        .sum();
  }

  private void mark() {
    for (Cls c : all.values()) {
      if (chance(20))
        c.node.visitAnnotation("Lmodel/Mark;", chance(50));
      for (Mth m : c.methods)
        if (chance(20))
          m.node.visitAnnotation("Lmodel/Mark;", chance(50));
    }
  }

  // -- Class files ----------------------------------------------------------

  /** The class files by name. */
  Map<String, byte[]> files() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (Cls c : all.values()) {
      // Version 50 may do without frames.
      boolean frames = c.node.version > V1_6 ||
                       (c.node.version == V1_6 && random.nextInt(3) > 0);
      int flags =
          frames ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS;
      ClassWriter writer = new ClassWriter(flags) {
        @Override
        protected String getCommonSuperClass(String a, String b) {
          return common(a, b);
        }
      };
      c.node.accept(writer);
      byte[] file = writer.toByteArray();
      // Of later versions ASM knows nothing; what is used here is in none.
      if (newest > V17 && c.node.version > V11)
        file[7] = (byte)(V11 + random.nextInt(newest - V11 + 1));
      files.put(c.name(), file);
    }
    return files;
  }

  private List<String> supers(String type) {
    List<String> chain = new ArrayList<>();
    String at = type;
    for (Cls c; (c = all.get(at)) != null; at = c.node.superName)
      chain.add(at);
    try {
      for (Class<?> c = Class.forName(at.replace('/', '.')); c != null;
           c = c.getSuperclass())
        chain.add(Type.getInternalName(c));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    return chain;
  }

  private String common(String a, String b) {
    if (a.equals(itf.name()) || b.equals(itf.name()))
      return "java/lang/Object";
    List<String> other = supers(b);
    for (String s : supers(a))
      if (other.contains(s))
        return s;
    return "java/lang/Object";
  }
}
