//===- utils/model/Storage.java - fields and arrays of generated methods --===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Reads and writes of fields and of elements of arrays, and what makes arrays. */
final class Storage implements Opcodes {
  /** A field of a class of the program. */
  record Field(Group.Cls owner, String name, Type type, boolean isStatic) {}

  /** A local that always holds an array of the type. */
  private record Array(int slot, Type type) {}

  static final String[] FIELD_TYPES = {
      "I", "J", "D", "F", "Z", "B", "S", "C", "Ljava/lang/Object;",
      "Ljava/lang/String;", "[I"};
  private static final String[] ARRAY_TYPES = {
      "[I", "[J", "[D", "[F", "[Z", "[B", "[S", "[C", "[Ljava/lang/Object;",
      "[Ljava/lang/String;", "[[I"};
  private static final Type STRINGS = Type.getType("[Ljava/lang/String;");

  private final Expressions e;
  private final List<Array> arrays = new ArrayList<>();

  Storage(Expressions e) { this.e = e; }

  private int any(int n) { return e.random.nextInt(n); }

  // -- Arrays ---------------------------------------------------------------

  /** Makes an array of a type at random in a new local. */
  void declareArray() {
    Type type = Type.getType(ARRAY_TYPES[any(ARRAY_TYPES.length)]);
    // Such an array is one of objects, but cannot have any.
    boolean strings = type.getDescriptor().endsWith("Object;") && e.chance(20);
    e.n.visitInsn(ICONST_1 + any(4));
    make(strings ? STRINGS : type);
    int slot = e.newLocal(type);
    e.n.visitVarInsn(ASTORE, slot);
    e.variables.declare(type, slot);
    arrays.add(new Array(slot, type));
  }

  void remember(int slot, Type type) { arrays.add(new Array(slot, type)); }

  /** The array whose length is on the stack. */
  private void make(Type type) {
    Type of = elements(type);
    int primitive = "ZCFDBSIJ".indexOf(of.getDescriptor());
    if (primitive >= 0)
      e.n.visitIntInsn(NEWARRAY, T_BOOLEAN + primitive);
    else
      e.n.visitTypeInsn(ANEWARRAY, of.getInternalName());
  }

  private static Type elements(Type array) {
    return Type.getType(array.getDescriptor().substring(1));
  }

  private void elementOf(Array a, int depth) {
    e.n.visitVarInsn(ALOAD, a.slot);
    e.pushInt(depth);
    e.n.visitInsn(e.chance(80) ? ICONST_0 : ICONST_3);
    e.n.visitInsn(IAND);
  }

  /** An array that may be impossible, as an object on the stack. */
  void newArray(int depth) {
    e.pushInt(depth);
    e.n.visitInsn(ICONST_3);
    e.n.visitInsn(IAND);
    if (e.chance(20)) {
      e.n.visitInsn(ICONST_1);
      e.n.visitInsn(ISUB);
    }
    if (e.chance(30)) {
      boolean both = e.chance(50);
      if (both)
        e.n.visitInsn(ICONST_0 + any(3));
      e.n.visitMultiANewArrayInsn(e.chance(50) ? "[[J" : "[[Ljava/lang/Object;",
                                  both ? 2 : 1);
    } else {
      make(Type.getType(ARRAY_TYPES[any(ARRAY_TYPES.length)]));
    }
  }

  // -- Fields ---------------------------------------------------------------

  /** Whether there is an object at hand that has the field. */
  private boolean reachable(Field f) {
    return f.isStatic || e.m.level > 1 || e.chance(5) ||
        (e.thisReady && e.m.owner.extendsFrom(f.owner.name()));
  }

  /** The class that names the field, which may inherit it. */
  private Group.Cls named(Field f) {
    List<Group.Cls> by = new ArrayList<>();
    for (Group.Cls c : e.group.classes)
      if (c.extendsFrom(f.owner.name()))
        by.add(c);
    return by.get(any(by.size()));
  }

  private void access(Field f, Group.Cls by, int op) {
    e.n.visitFieldInsn(op, by.name(), f.name, f.type.getDescriptor());
  }

  // -- Both -----------------------------------------------------------------

  /** Pushes a value of the type that is stored somewhere, if there is one. */
  boolean read(Type type, int depth) {
    List<Array> have = arrays.stream()
        .filter(a -> elements(a.type).equals(type)).toList();
    if (!have.isEmpty() && e.chance(50)) {
      elementOf(have.get(any(have.size())), depth);
      e.n.visitInsn(type.getOpcode(IALOAD));
      return true;
    }
    List<Field> fit = e.group.fields.stream()
        .filter(f -> f.type.equals(type) && reachable(f)).toList();
    if (fit.isEmpty())
      return false;
    Field f = fit.get(any(fit.size()));
    Group.Cls by = named(f);
    if (f.isStatic) {
      access(f, by, GETSTATIC);
    } else {
      e.pushRef(by.name(), depth);
      access(f, by, GETFIELD);
    }
    return true;
  }

  /** A statement that writes something. */
  void write() {
    if (!arrays.isEmpty() && e.chance(50)) {
      Array a = arrays.get(any(arrays.size()));
      elementOf(a, 1);
      e.push(elements(a.type), 1);
      e.n.visitInsn(elements(a.type).getOpcode(IASTORE));
      return;
    }
    List<Field> fit = e.group.fields.stream().filter(this::reachable).toList();
    if (fit.isEmpty()) {
      e.out(Type.INT_TYPE, () -> e.pushInt(1));
      return;
    }
    Field f = fit.get(any(fit.size()));
    Group.Cls by = named(f);
    if (!f.isStatic)
      e.pushRef(by.name(), 1);
    e.push(f.type, 1);
    access(f, by, f.isStatic ? PUTSTATIC : PUTFIELD);
  }

  /** In front of super(), where the object has none of its constructor's. */
  void writeEarly() {
    for (Field f : e.group.fields) {
      if (f.owner != e.m.owner || f.isStatic || !e.chance(40))
        continue;
      e.n.visitVarInsn(ALOAD, 0);
      e.push(f.type, 1);
      access(f, f.owner, PUTFIELD);
    }
  }
}
