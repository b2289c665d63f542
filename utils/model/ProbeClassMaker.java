//===- utils/model/ProbeClassMaker.java - random probe classes ------------===//
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
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Probe classes for a group, made at random by the rules. The first has all
 * methods of the program and is given everything; the others have some. What
 * they are given goes to Rt.callback, and what that says is what they return.
 */
final class ProbeClassMaker implements Opcodes {
  private static final Type OBJECT = Type.getObjectType("java/lang/Object");
  private static final Type STRING = Type.getObjectType("java/lang/String");
  private static final String[] PACKAGES = {"jopt/probes/",
                                            "com/yourkit/probes/"};

  /** A parameter of a callback: annotation, number or 0, type. */
  private record Parameter(String mark, int number, Type type) {}

  private final Random random;
  private final Group group;
  /** With dots. */
  private final String program;
  private final String folder;
  private final List<Group.Mth> methods = new ArrayList<>();
  private final Map<String, byte[]> files = new LinkedHashMap<>();

  // Of the class that is being made.
  private String current;
  private ClassWriter writer;
  private String api;
  private Type thisType;
  private Type kept;
  private boolean all;

  ProbeClassMaker(long seed, int number, Group group) {
    random = new Random(seed * 777767L + number);
    this.group = group;
    program = group.prefix.replace("/", "");
    folder = group.prefix.replace("g", "q");
    List<Group.Cls> owners = new ArrayList<>(group.classes);
    owners.addAll(group.exceptions);
    owners.add(group.itf);
    for (Group.Cls c : owners)
      methods.addAll(c.methods);
  }

  /** The class files by name. */
  Map<String, byte[]> files() {
    int count = 2 + random.nextInt(5);
    // Some are nested in one that is a probe itself.
    String holder = folder + "P" + letter();
    List<String> names = new ArrayList<>();
    names.add(holder);
    while (names.size() < count) {
      String name =
          (chance(30) ? holder + "$" : folder) + "P" + letter() + letter();
      if (!names.contains(name))
        names.add(name);
    }
    for (String name : names)
      make(name, holder, name.equals(holder), names);
    return files;
  }

  private boolean chance(int percent) { return random.nextInt(100) < percent; }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private char letter() { return (char)('a' + random.nextInt(26)); }

  // -- Classes --------------------------------------------------------------

  private void make(String name, String holder, boolean first,
                    List<String> names) {
    all = first;
    current = name;
    writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(V1_5 + random.nextInt(V17 - V1_5 + 1), ACC_PUBLIC | ACC_SUPER,
                 name, null, "java/lang/Object", null);
    for (String n : names)
      if (n.startsWith(holder + "$") && (n.equals(name) || first))
        writer.visitInnerClass(n, holder, n.substring(holder.length() + 1),
                               ACC_PUBLIC | ACC_STATIC);
    api = PACKAGES[random.nextInt(2)];
    AnnotationVisitor mark = mark("MethodPattern");
    List<String> patterns = patterns();
    if (patterns.size() == 1 && chance(50)) {
      mark.visit("value", patterns.get(0));
    } else {
      AnnotationVisitor list = mark.visitArray("value");
      patterns.forEach(p -> list.visit(null, p));
      list.visitEnd();
    }
    mark.visitEnd();
    if (!all && chance(12)) {
      AnnotationVisitor of = mark("InstanceOf");
      of.visit("value", chance(15) ? "no.such.Type"
                                   : anyClass().getClassName());
      of.visitEnd();
    }
    thisType = all && chance(50) ? null
        : chance(50)             ? OBJECT
        : all || chance(50)      ? null
                                 : anyClass();
    callbacks();
    writer.visitEnd();
    files.put(name, writer.toByteArray());
  }

  private AnnotationVisitor mark(String name) {
    return writer.visitAnnotation("L" + api + name + ";", chance(50));
  }

  private Type anyClass() {
    List<String> names = new ArrayList<>(List.of(
        group.itf.name(), "java/lang/Throwable", "java/lang/RuntimeException"));
    group.classes.forEach(c -> names.add(c.name()));
    group.exceptions.forEach(c -> names.add(c.name()));
    return Type.getObjectType(any(names));
  }

  // -- Patterns -------------------------------------------------------------

  private List<String> patterns() {
    List<String> list = new ArrayList<>();
    if (all) {
      list.add(program + ".*:*(*)");
      if (chance(50))
        list.add(program + ".*:<clinit>()");
      return list;
    }
    for (int i = random.nextInt(3); i >= 0; i--)
      list.add(random.nextInt(list.size() + 1), pattern());
    for (int i = random.nextInt(3); i > 0; i--)
      list.add(random.nextInt(list.size() + 1), "-" + pattern());
    return list;
  }

  private String pattern() {
    Group.Mth m = any(methods);
    String owner = m.owner.name().replace('/', '.');
    // One that begins with a star must not be for another program.
    String type = switch (random.nextInt(6)) {
      case 0 -> owner;
      case 1 -> program + ".C*";
      case 2 -> "*" + owner;
      case 3 -> owner.substring(0, owner.length() - 1) + "*";
      default -> program + ".*";
    };
    if (chance(10))
      type = "@model.Mark " + type;
    String name = m.node.name;
    String method = switch (random.nextInt(7)) {
      case 0 -> name;
      case 1 -> name.startsWith("<") ? name : name.substring(0, 1) + "*";
      case 2 -> "<init>";
      case 3 -> chance(50) ? "<clinit>" : "*";
      case 4 -> "*" + (char)('0' + random.nextInt(10));
      default -> "*";
    };
    if (chance(10))
      method = "@model.M* " + method;
    return type + blank() + ":" + blank() + method + blank() + "(" +
        parameters(m) + ")" + result(m);
  }

  private String blank() { return chance(10) ? " " : ""; }

  private String typeName(Type t) {
    String name = t.getClassName();
    if (chance(50))
      name = name.replaceFirst("^java\\.lang\\.(Object|String)$", "$1");
    if (t.getSort() == Type.OBJECT && chance(5))
      name = name.substring(0, 1) + "*";
    return name;
  }

  private String parameters(Group.Mth m) {
    Type[] types = Type.getArgumentTypes(m.node.desc);
    int how = random.nextInt(10);
    if (how < 6)
      return "*";
    int count = how < 8 ? types.length
                        : random.nextInt(Math.min(types.length, 4) + 1);
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < count; i++)
      parts.add(blank() + typeName(types[i]));
    if (how >= 8)
      parts.add(blank() + "*");
    return String.join(",", parts);
  }

  private String result(Group.Mth m) {
    if (chance(70))
      return "";
    return " " +
        (chance(20) ? "*" : typeName(Type.getReturnType(m.node.desc)));
  }

  // -- Callbacks ------------------------------------------------------------

  /** A type of what some method is given or gives. */
  private Type anyType(boolean result) {
    Type[] types = Type.getArgumentTypes(any(methods).node.desc);
    if (!result && types.length > 0)
      return any(List.of(types));
    Type t = Type.getReturnType(any(methods).node.desc);
    return t.getSort() == Type.VOID ? OBJECT : t;
  }

  private void callbacks() {
    int how = all ? 1 + random.nextInt(2) : random.nextInt(7);
    kept = all || chance(75) ? chance(30) ? Type.VOID_TYPE : anyType(true)
                             : null;
    Type replaced = !all && chance(60) ? anyType(true) : Type.VOID_TYPE;
    // One is there in any case, and has what the class is chosen by.
    if (how == 0 && kept == null)
      kept = Type.VOID_TYPE;
    boolean marked = false;
    if (kept != null)
      marked = callback("onEnter", kept, marked);
    switch (how) {
    case 1 -> callback("onExit", Type.VOID_TYPE, marked);
    case 2 -> {
      marked = callback("onReturn", replaced, marked);
      callback("onUncaughtException", Type.VOID_TYPE, marked);
    }
    case 3 -> callback("onReturn", replaced, marked);
    case 4 -> callback("onUncaughtException", Type.VOID_TYPE, marked);
    case 5 -> callback("onUncaughtExceptionExt", replaced, marked);
    case 6 -> {
      marked = callback("onReturn", chance(50) ? replaced : Type.VOID_TYPE,
                        marked);
      callback("onUncaughtExceptionExt", replaced, marked);
    }
    default -> {}
    }
  }

  private List<Parameter> choose(String name, boolean marked) {
    boolean enter = name.equals("onEnter");
    boolean returns = name.equals("onReturn") || name.equals("onExit");
    boolean throwing = !enter && !name.equals("onReturn");
    List<Parameter> some = new ArrayList<>();
    some.add(new Parameter("ClassRef", 0, Type.getType(Class.class)));
    some.add(new Parameter("Params", 0, Type.getType(Object[].class)));
    some.add(new Parameter("MethodName", 0, STRING));
    some.add(new Parameter("MethodSignature", 0, STRING));
    some.add(new Parameter("MethodParameterTypes", 0, STRING));
    for (int i = all ? 6 : 4; i > 0; i--)
      some.add(new Parameter("Param", 1 + random.nextInt(chance(5) ? 60 : 4),
                             chance(30) ? OBJECT : anyType(false)));
    if (!enter && kept != null && kept.getSort() != Type.VOID)
      some.add(new Parameter("OnEnterResult", 0, kept));
    if (returns)
      for (int i = 0; i < 3; i++)
        some.add(new Parameter("ReturnValue", 0,
                               chance(40) ? OBJECT : anyType(true)));
    if (throwing)
      some.add(new Parameter("ThrownException", 0,
                             Type.getType(Throwable.class)));
    if (!enter)
      some.add(new Parameter(chance(50) ? "MethodTimeMs" : "MethodTimeNs", 0,
                             Type.LONG_TYPE));
    int percent = all ? 90 : 10 + random.nextInt(60);
    List<Parameter> chosen = new ArrayList<>();
    for (Parameter p : some)
      if (chance(percent))
        chosen.add(random.nextInt(chosen.size() + 1), p);
    if (thisType != null && (!marked || chance(50)))
      chosen.add(random.nextInt(chosen.size() + 1),
                 new Parameter("This", 0, thisType));
    return chosen;
  }

  /**
   * @param marked a callback has @This, where there is to be one
   * @return whether one has now
   */
  private boolean callback(String name, Type result, boolean marked) {
    List<Parameter> parameters = choose(name, marked);
    MethodVisitor m = writer.visitMethod(
        ACC_PUBLIC | ACC_STATIC, name,
        Type.getMethodDescriptor(
            result, parameters.stream().map(Parameter::type).toArray(Type[]::new)),
        null, null);
    for (int i = 0; i < parameters.size(); i++) {
      Parameter p = parameters.get(i);
      AnnotationVisitor a = m.visitParameterAnnotation(
          i, "L" + api + p.mark + ";", chance(50));
      if (p.number > 0)
        a.visit("value", p.number);
      a.visitEnd();
    }
    m.visitCode();
    body(m, name, result, parameters);
    m.visitMaxs(0, 0);
    m.visitEnd();
    return true;
  }

  private void body(MethodVisitor m, String name, Type result,
                    List<Parameter> parameters) {
    push(m, parameters.size() + 2);
    m.visitTypeInsn(ANEWARRAY, OBJECT.getInternalName());
    element(m, 0, () -> m.visitLdcInsn(name));
    element(m, 1, () -> m.visitLdcInsn(current));
    int slot = 0;
    for (int i = 0; i < parameters.size(); i++) {
      Type t = parameters.get(i).type;
      int from = slot;
      element(m, i + 2, () -> {
        m.visitVarInsn(t.getOpcode(ILOAD), from);
        Type box = box(t);
        if (box != null)
          m.visitMethodInsn(INVOKESTATIC, box.getInternalName(), "valueOf",
                            Type.getMethodDescriptor(box, t), false);
      });
      slot += t.getSize();
    }
    m.visitMethodInsn(INVOKESTATIC, "model/Rt", "callback",
                      "([Ljava/lang/Object;)Ljava/lang/Object;", false);
    Type box = box(result);
    if (result.getSort() == Type.VOID) {
      m.visitInsn(POP);
    } else if (box == null) {
      m.visitTypeInsn(CHECKCAST, result.getInternalName());
    } else {
      m.visitTypeInsn(CHECKCAST, box.getInternalName());
      m.visitMethodInsn(INVOKEVIRTUAL, box.getInternalName(),
                        result.getClassName() + "Value",
                        Type.getMethodDescriptor(result), false);
    }
    m.visitInsn(result.getOpcode(IRETURN));
  }

  private static void push(MethodVisitor m, int number) {
    m.visitIntInsn(BIPUSH, number);
  }

  private static void element(MethodVisitor m, int at, Runnable value) {
    m.visitInsn(DUP);
    push(m, at);
    value.run();
    m.visitInsn(AASTORE);
  }

  private static Type box(Type t) {
    String name = switch (t.getSort()) {
      case Type.BOOLEAN -> "Boolean";
      case Type.BYTE -> "Byte";
      case Type.SHORT -> "Short";
      case Type.CHAR -> "Character";
      case Type.INT -> "Integer";
      case Type.LONG -> "Long";
      case Type.FLOAT -> "Float";
      case Type.DOUBLE -> "Double";
      default -> null;
    };
    return name == null ? null : Type.getObjectType("java/lang/" + name);
  }
}
