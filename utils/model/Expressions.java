//===- utils/model/Expressions.java - expressions of generated methods --===//
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
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * Writes expressions and simple statements at random: values of any type with
 * calls, choices and new objects inside of them. What it writes can be verified
 * at every place of the method, as locals keep their types.
 */
class Expressions implements Opcodes {
  /** A local that holds an object. */
  private record Ref(int slot, String type) {}

  static final Type OBJECT = Type.getObjectType("java/lang/Object");
  static final Type THROWABLE = Type.getObjectType("java/lang/Throwable");

  final Group group;
  final Random random;
  final Group.Mth m;
  final MethodNode n;
  final Type result;
  final int fuel;
  /** Local 0 is this, and constructed. */
  boolean thisReady;
  final Variables variables;
  private final Storage storage;
  private final List<Integer> bools = new ArrayList<>();
  private final List<Integer> ints = new ArrayList<>();
  private final List<Integer> longs = new ArrayList<>();
  private final List<Integer> doubles = new ArrayList<>();
  private final List<Integer> floats = new ArrayList<>();
  private final List<Ref> refs = new ArrayList<>();
  private int next;

  Expressions(Group group, Group.Mth m) {
    this.group = group;
    this.random = group.random;
    this.m = m;
    n = m.node;
    result = Type.getReturnType(n.desc);
    variables = new Variables(n);
    storage = new Storage(this);
    thisReady = !m.isStatic() && !m.isConstructor();
    next = m.isStatic() ? 0 : 1;
    fuel = m.fuel ? next : -1;
    for (Type t : Type.getArgumentTypes(n.desc)) {
      // Only what is in front of it may change fuel.
      if (next != fuel)
        remember(t, next);
      variables.parameter(t, next);
      next += t.getSize();
    }
  }

  boolean chance(int percent) { return random.nextInt(100) < percent; }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private void remember(Type t, int slot) {
    switch (t.getSort()) {
    case Type.INT -> ints.add(slot);
    case Type.LONG -> longs.add(slot);
    case Type.DOUBLE -> doubles.add(slot);
    case Type.FLOAT -> floats.add(slot);
    case Type.OBJECT -> refs.add(new Ref(slot, t.getInternalName()));
    case Type.BOOLEAN -> bools.add(slot);
    case Type.ARRAY -> storage.remember(slot, t);
    default -> {}
    }
  }

  int newLocal(Type t) {
    int slot = next;
    next += t.getSize();
    return slot;
  }

  /** Gives the method locals that have a value from its first line on. */
  void declareLocals() {
    declare(Type.INT_TYPE);
    declare(Type.INT_TYPE);
    if (chance(50))
      declare(Type.LONG_TYPE);
    if (chance(50))
      declare(Type.DOUBLE_TYPE);
    if (chance(50))
      declare(THROWABLE);
    if (chance(50))
      declare(OBJECT);
    if (chance(30))
      declare(Type.BOOLEAN_TYPE);
    while (chance(40))
      storage.declareArray();
  }

  private void declare(Type t) {
    push(t, t == THROWABLE ? 1 : 0);
    int slot = newLocal(t);
    n.visitVarInsn(t.getOpcode(ISTORE), slot);
    variables.declare(t, slot);
    remember(t, slot);
  }

  // -- Values ---------------------------------------------------------------

  void push(Type t, int depth) {
    if (t.getSort() != Type.VOID && depth > 0 && chance(12)) {
      Label no = new Label();
      Label end = new Label();
      condition(depth - 1);
      n.visitJumpInsn(IFEQ, no);
      push(t, depth - 1);
      n.visitJumpInsn(GOTO, end);
      n.visitLabel(no);
      push(t, depth - 1);
      n.visitLabel(end);
      return;
    }
    if (t.getSort() != Type.VOID && depth > 0 && chance(35) &&
        callGiving(t, depth - 1))
      return;
    if (t.getSort() != Type.VOID && depth > 0 && chance(12) &&
        storage.read(t, depth - 1))
      return;
    switch (t.getSort()) {
    case Type.VOID -> {}
    case Type.BOOLEAN -> {
      if (!bools.isEmpty() && chance(30)) {
        n.visitVarInsn(ILOAD, any(bools));
        return;
      }
      pushInt(depth);
      n.visitInsn(ICONST_1);
      n.visitInsn(IAND);
    }
    case Type.BYTE -> {
      pushInt(depth);
      n.visitInsn(I2B);
    }
    case Type.SHORT -> {
      pushInt(depth);
      n.visitInsn(I2S);
    }
    case Type.CHAR -> {
      pushInt(depth);
      n.visitInsn(I2C);
    }
    case Type.INT -> pushInt(depth);
    case Type.LONG -> pushLong(depth);
    case Type.FLOAT -> pushFloat(depth);
    case Type.DOUBLE -> pushDouble(depth);
    case Type.ARRAY -> {
      n.visitInsn(ICONST_0 + random.nextInt(4));
      n.visitIntInsn(NEWARRAY, T_INT);
    }
    default -> pushRef(t.getInternalName(), depth);
    }
  }

  private void constant() {
    switch (random.nextInt(4)) {
    case 0 -> n.visitInsn(ICONST_M1 + random.nextInt(7));
    case 1 -> n.visitIntInsn(BIPUSH, random.nextInt(256) - 128);
    case 2 -> n.visitIntInsn(SIPUSH, random.nextInt(65536) - 32768);
    default -> n.visitLdcInsn(random.nextInt());
    }
  }

  void pushInt(int depth) {
    if (depth <= 0) {
      switch (random.nextInt(4)) {
      case 0 -> constant();
      case 1 -> {
        int at = random.nextInt(group.classes.size());
        n.visitFieldInsn(GETSTATIC, group.classes.get(at).name(), "s" + at,
                         "I");
      }
      default -> {
        if (!ints.isEmpty())
          n.visitVarInsn(ILOAD, any(ints));
        else if (fuel >= 0)
          n.visitVarInsn(ILOAD, fuel);
        else
          constant();
      }
      }
      return;
    }
    switch (random.nextInt(13)) {
    case 0, 1, 2 -> {
      int[] ops = {IADD, ISUB, IMUL, IXOR, IAND, IOR, ISHL, IUSHR};
      pushInt(depth - 1);
      pushInt(depth - 1);
      n.visitInsn(ops[random.nextInt(ops.length)]);
    }
    case 3 -> {
      pushInt(depth - 1);
      divisor(depth - 1);
      n.visitInsn(chance(50) ? IDIV : IREM);
    }
    case 4 -> {
      pushLong(depth - 1);
      pushLong(depth - 1);
      n.visitInsn(LCMP);
    }
    case 5 -> {
      pushDouble(depth - 1);
      if (chance(50)) {
        n.visitInsn(D2I);
      } else {
        pushDouble(depth - 1);
        n.visitInsn(chance(50) ? DCMPL : DCMPG);
      }
    }
    case 6 -> {
      n.visitInsn(ICONST_1 + random.nextInt(4));
      n.visitIntInsn(NEWARRAY, T_INT);
      if (chance(40)) {
        n.visitInsn(ARRAYLENGTH);
      } else {
        pushInt(depth - 1);
        n.visitInsn(chance(90) ? ICONST_0 : ICONST_3);
        n.visitInsn(IAND);
        n.visitInsn(IALOAD);
      }
    }
    case 7 -> {
      pushInt(depth - 1);
      n.visitMethodInsn(INVOKESTATIC, "model/Rt", "maybe", "(I)I", false);
    }
    case 8 -> {
      if (m.owner.node.version < V1_7) {
        pushInt(depth - 1);
        return;
      }
      pushInt(depth - 1);
      n.visitInvokeDynamicInsn(
          "maybe", "(I)I",
          new Handle(H_INVOKESTATIC, "model/Rt", "link",
                     "(Ljava/lang/invoke/MethodHandles$Lookup;" +
                         "Ljava/lang/String;Ljava/lang/invoke/MethodType;)" +
                         "Ljava/lang/invoke/CallSite;",
                     false));
    }
    case 9 -> {
      pushInt(depth - 1);
      divisor(depth - 1);
      n.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "floorMod", "(II)I",
                        false);
    }
    case 10 -> {
      pushRef("java/lang/String", depth - 1);
      switch (random.nextInt(3)) {
      case 0 ->
        n.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I",
                          false);
      case 1 -> {
        n.visitInsn(ICONST_0 + (chance(95) ? 0 : 2));
        n.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "charAt", "(I)C",
                          false);
      }
      default -> {
        n.visitLdcInsn("b");
        n.visitMethodInsn(INVOKEINTERFACE, "java/lang/Comparable", "compareTo",
                          "(Ljava/lang/Object;)I", true);
      }
      }
    }
    case 11 -> {
      pushRef("java/lang/Object", depth - 1);
      n.visitTypeInsn(INSTANCEOF,
                      chance(50) ? any(group.classes).name()
                                 : any(group.exceptions).name());
    }
    default -> {
      // Shuffled on the stack.
      pushInt(depth - 1);
      pushInt(depth - 1);
      n.visitInsn(chance(50) ? DUP_X1 : SWAP);
      n.visitInsn(IADD);
      if (n.instructions.getLast().getPrevious().getOpcode() == DUP_X1)
        n.visitInsn(IXOR);
    }
    }
  }

  /** An int that is seldom 0. */
  private void divisor(int depth) {
    pushInt(depth);
    n.visitInsn(chance(70) ? ICONST_1 : ICONST_3);
    n.visitInsn(chance(90) ? IOR : IAND);
  }

  private void pushLong(int depth) {
    if (depth > 0 && chance(50)) {
      int[] ops = {LADD, LSUB, LMUL, LXOR, LDIV, LREM};
      pushLong(depth - 1);
      pushLong(depth - 1);
      if (chance(90)) {
        n.visitInsn(LCONST_1);
        n.visitInsn(LOR);
      }
      n.visitInsn(ops[random.nextInt(ops.length)]);
    } else if (!longs.isEmpty() && chance(50)) {
      n.visitVarInsn(LLOAD, any(longs));
    } else if (depth > 0 && chance(30)) {
      pushInt(depth - 1);
      n.visitInsn(I2L);
    } else {
      n.visitLdcInsn(random.nextLong());
    }
  }

  private void pushFloat(int depth) {
    if (!floats.isEmpty() && chance(60)) {
      n.visitVarInsn(FLOAD, any(floats));
    } else if (depth > 0) {
      pushInt(depth - 1);
      n.visitInsn(I2F);
    } else {
      n.visitInsn(FCONST_0 + random.nextInt(3));
    }
  }

  private void pushDouble(int depth) {
    if (depth > 0 && chance(40)) {
      int[] ops = {DADD, DSUB, DMUL};
      pushDouble(depth - 1);
      pushDouble(depth - 1);
      n.visitInsn(ops[random.nextInt(ops.length)]);
    } else if (!doubles.isEmpty() && chance(50)) {
      n.visitVarInsn(DLOAD, any(doubles));
    } else if (depth > 0 && chance(30)) {
      pushLong(depth - 1);
      n.visitInsn(L2D);
    } else {
      n.visitLdcInsn(random.nextInt(100) / 8.0);
    }
  }

  void pushRef(String type, int depth) {
    if (type.equals("java/lang/String")) {
      if (depth > 0 && chance(20)) {
        pushRef(type, depth - 1);
        n.visitLdcInsn("c");
        n.visitMethodInsn(INVOKEVIRTUAL, type, "concat",
                          "(Ljava/lang/String;)Ljava/lang/String;", false);
      } else {
        List<Ref> fit = refs.stream().filter(r -> r.type.equals(type)).toList();
        if (!fit.isEmpty() && chance(60))
          n.visitVarInsn(ALOAD, any(fit).slot);
        else if (chance(2))
          n.visitInsn(ACONST_NULL);
        else
          n.visitLdcInsn("a".repeat(chance(4) ? 0 : 1 + random.nextInt(4)));
      }
      return;
    }
    if (type.equals("java/lang/Throwable")) {
      List<Ref> fit = refs.stream().filter(r -> r.type.equals(type)).toList();
      if (depth <= 0 && fit.isEmpty())
        n.visitInsn(ACONST_NULL);
      else if (depth <= 0 || (!fit.isEmpty() && chance(50)))
        n.visitVarInsn(ALOAD, any(fit).slot);
      else
        newException(depth - 1);
      return;
    }
    List<Integer> slots = new ArrayList<>();
    if (thisReady && group.isA(m.owner.name(), type))
      slots.add(0);
    for (Ref r : refs)
      if (group.isA(r.type, type))
        slots.add(r.slot);
    if (!slots.isEmpty() && chance(60)) {
      n.visitVarInsn(ALOAD, any(slots));
      return;
    }
    if (type.equals("java/lang/Object") && chance(40)) {
      if (depth > 0 && chance(50)) {
        pushInt(depth - 1);
        n.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "valueOf",
                          "(I)Ljava/lang/Integer;", false);
      } else {
        pushRef("java/lang/String", depth - 1);
      }
      return;
    }
    List<Group.Mth> makers = new ArrayList<>();
    for (Group.Cls c : group.classes)
      if (c.extendsFrom(type) || type.equals("java/lang/Object"))
        for (Group.Mth k : c.methods)
          if (k.isConstructor() && k.level < m.level)
            makers.add(k);
    if (depth > 0 && !makers.isEmpty() && chance(95)) {
      callOf(any(makers), depth - 1);
    } else if (!slots.isEmpty()) {
      n.visitVarInsn(ALOAD, any(slots));
    } else if (depth > 0 && chance(10)) {
      pushRef("java/lang/Object", depth - 1);
      n.visitTypeInsn(CHECKCAST, type);
    } else {
      n.visitInsn(ACONST_NULL);
    }
  }

  /** A condition for IFEQ and IFNE. */
  void condition(int depth) {
    pushInt(depth);
    n.visitInsn(ICONST_1);
    n.visitInsn(IAND);
  }

  /** Pushes 0 in one of eight cases or so. */
  void rarely() {
    pushInt(1);
    n.visitIntInsn(BIPUSH, 7);
    n.visitInsn(IAND);
    n.visitInsn(ICONST_1 + random.nextInt(5));
    n.visitInsn(ISUB);
  }

  // -- Exceptions -----------------------------------------------------------

  private void newException(int depth) {
    if (m.level > 0 && chance(70)) {
      callOf(any(group.exceptions).methods.get(0), depth);
      return;
    }
    String[] types = {"RuntimeException", "IllegalArgumentException", "Error",
                      "IllegalStateException"};
    String type = "java/lang/" + types[random.nextInt(types.length)];
    n.visitTypeInsn(NEW, type);
    n.visitInsn(DUP);
    n.visitMethodInsn(INVOKESPECIAL, type, "<init>", "()V", false);
  }

  void throwNew() {
    pushRef("java/lang/Throwable", 1);
    n.visitInsn(ATHROW);
  }

  /** A type for a handler, or null for any. */
  String catchType() {
    return switch (random.nextInt(9)) {
      case 0 -> "java/lang/Throwable";
      case 1 -> "java/lang/ArithmeticException";
      case 2 -> "java/lang/RuntimeException";
      case 3 -> "java/lang/IllegalStateException";
      case 4, 5 -> any(group.exceptions).name();
      case 6 -> "java/lang/Error";
      case 7 -> "java/lang/UnsupportedOperationException";
      default -> null;
    };
  }

  // -- Calls ----------------------------------------------------------------

  /** The arguments of a call; the first is fuel where the callee takes some. */
  void arguments(String desc, boolean withFuel, int depth) {
    boolean first = withFuel;
    Type[] types = Type.getArgumentTypes(desc);
    for (Type t : types) {
      if (first) {
        // What recurs must spend some.
        n.visitIntInsn(BIPUSH,
                       random.nextInt(m.level == Group.DRIVER ? 12 : 5) +
                           (group.recurs ? 1 : 0));
        n.visitMethodInsn(INVOKESTATIC, "model/Rt", "fuel", "(I)I", false);
      } else {
        boolean shallow = types.length > 20 && !chance(8);
        push(t, shallow ? 0 : types.length > 20 ? Math.min(depth, 1) : depth);
      }
      first = false;
    }
  }

  /** Calls a method, or makes a new object; leaves what it gives. */
  void callOf(Group.Mth callee, int depth) {
    Group.Cls owner = callee.owner;
    boolean itf = (owner.node.access & ACC_INTERFACE) != 0;
    if (callee.isConstructor()) {
      n.visitTypeInsn(NEW, owner.name());
      n.visitInsn(DUP);
    } else if (!callee.isStatic()) {
      pushRef(owner.name(), Math.max(depth, 1));
    }
    arguments(callee.node.desc, callee.fuel, depth);
    int op = callee.isStatic() ? INVOKESTATIC
        : callee.isConstructor() ||
                (callee.isPrivate() &&
                 (m.owner.node.version < V11 || chance(50)))
        ? INVOKESPECIAL
        : itf ? INVOKEINTERFACE
              : INVOKEVIRTUAL;
    n.visitMethodInsn(op, owner.name(), callee.node.name, callee.node.desc,
                      itf);
  }

  private List<Group.Mth> callees(Type giving) {
    List<Group.Mth> fit = new ArrayList<>();
    List<Group.Cls> owners = new ArrayList<>(group.classes);
    owners.add(group.itf);
    for (Group.Cls c : owners)
      for (Group.Mth k : c.methods)
        if ((k.level < m.level ||
             (group.recurs && k.level == m.level && k.fuel)) &&
            !k.isConstructor() &&
            !k.node.name.equals("<clinit>") &&
            (!k.isPrivate() || c == m.owner) &&
            (k.isStatic() || m.level > 1 || chance(3) ||
             (thisReady && m.owner.extendsFrom(c.name()))) &&
            (c != group.itf || !k.isStatic() || m.owner.node.version >= V1_8) &&
            (giving == null ||
             Type.getReturnType(k.node.desc).equals(giving)))
          fit.add(k);
    return fit;
  }

  private boolean callGiving(Type t, int depth) {
    List<Group.Mth> fit = callees(t);
    if (fit.isEmpty())
      return false;
    callOf(any(fit), depth);
    return true;
  }

  // -- Statements -----------------------------------------------------------

  void out(Type t, Runnable value) {
    value.run();
    out(t);
  }

  /** Prints the value on the stack. */
  void out(Type t) {
    switch (t.getSort()) {
    case Type.VOID -> {
      return;
    }
    case Type.FLOAT -> {
      n.visitInsn(F2D);
      t = Type.DOUBLE_TYPE;
    }
    case Type.OBJECT, Type.ARRAY -> t = OBJECT;
    case Type.LONG, Type.DOUBLE -> {}
    default -> t = Type.INT_TYPE;
    }
    n.visitMethodInsn(INVOKESTATIC, "model/Rt", "out",
                      "(" + t.getDescriptor() + ")V", false);
  }

  private void discard(Type t) {
    if (t.getSort() != Type.VOID)
      n.visitInsn(t.getSize() == 2 ? POP2 : POP);
  }

  private Group.Mth overridden() {
    if (!thisReady || m.isConstructor())
      return null;
    for (Group.Cls c = m.owner.parent; c != null; c = c.parent)
      for (Group.Mth k : c.methods)
        if (k.node.name.equals(n.name) && k.node.desc.equals(n.desc))
          return k;
    return null;
  }

  /** A statement without control flow of its own. */
  void simple() {
    switch (random.nextInt(12)) {
    case 0, 1 -> out(Type.INT_TYPE, () -> pushInt(2));
    case 9, 10 -> storage.write();
    case 11 -> other();
    case 2 -> {
      if (ints.isEmpty()) {
        out(Type.LONG_TYPE, () -> push(Type.LONG_TYPE, 2));
      } else {
        pushInt(2);
        n.visitVarInsn(ISTORE, any(ints));
      }
    }
    case 3 -> {
      Group.Mth above = overridden();
      if (above != null) {
        n.visitVarInsn(ALOAD, 0);
        arguments(n.desc, above.fuel, 1);
        n.visitMethodInsn(INVOKESPECIAL, m.owner.parent.name(), n.name, n.desc,
                          false);
        discard(result);
      } else {
        out(OBJECT, () -> push(OBJECT, 2));
      }
    }
    case 4 -> {
      int at = random.nextInt(group.classes.size());
      pushInt(2);
      n.visitFieldInsn(PUTSTATIC, group.classes.get(at).name(), "s" + at, "I");
    }
    case 5 -> {
      if (refs.isEmpty()) {
        out(Type.DOUBLE_TYPE, () -> push(Type.DOUBLE_TYPE, 2));
        return;
      }
      Ref r = any(refs);
      push(Type.getObjectType(r.type), 2);
      n.visitVarInsn(ASTORE, r.slot);
    }
    case 6 -> {
      if (!thisReady || !group.classes.contains(m.owner)) {
        out(Type.INT_TYPE, () -> pushInt(1));
        return;
      }
      String field = "f" + group.classes.indexOf(m.owner);
      n.visitVarInsn(ALOAD, 0);
      n.visitInsn(DUP);
      n.visitFieldInsn(GETFIELD, m.owner.name(), field, "I");
      pushInt(1);
      n.visitInsn(IADD);
      n.visitInsn(DUP_X1);
      n.visitFieldInsn(PUTFIELD, m.owner.name(), field, "I");
      out(Type.INT_TYPE);
    }
    default -> {
      List<Group.Mth> fit = callees(null);
      if (fit.isEmpty()) {
        out(Type.INT_TYPE, () -> pushInt(2));
        return;
      }
      Group.Mth callee = any(fit);
      callOf(callee, 2);
      Type t = Type.getReturnType(callee.node.desc);
      if (chance(60))
        out(t);
      else
        discard(t);
    }
    }
  }

  /** Casts, new arrays, additions to a variable. */
  private void other() {
    switch (random.nextInt(4)) {
    case 0 -> {
      String[] types = {"java/lang/String", "[I", "[Ljava/lang/Object;",
                        "java/lang/Comparable", any(group.classes).name()};
      pushRef("java/lang/Object", 2);
      n.visitTypeInsn(chance(50) ? CHECKCAST : INSTANCEOF,
                      types[random.nextInt(types.length)]);
      out(n.instructions.getLast().getOpcode() == CHECKCAST ? OBJECT
                                                            : Type.INT_TYPE);
    }
    case 1 -> out(OBJECT, () -> storage.newArray(1));
    case 2 -> {
      push(Type.BOOLEAN_TYPE, 1);
      if (bools.isEmpty())
        out(Type.BOOLEAN_TYPE);
      else
        n.visitVarInsn(ISTORE, any(bools));
    }
    default -> {
      if (ints.isEmpty())
        storage.write();
      else
        n.visitIincInsn(any(ints), random.nextInt(200) - 100);
    }
    }
  }

  /** In front of super(). */
  void writeEarly() { storage.writeEarly(); }

  /** A local that holds a throwable, or -1. */
  int throwableLocal() {
    for (Ref r : refs)
      if (r.type.equals("java/lang/Throwable"))
        return r.slot;
    return -1;
  }
}
