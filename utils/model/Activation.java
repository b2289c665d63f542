//===- utils/model/Activation.java - an activation in the model -----------===//
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
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * One activation of a method: its instructions one by one, and around them the
 * fragments.
 *
 * <p>Where an exception comes from decides who sees it. Fragments that run
 * before an instruction are inside of those ranges that cover the instruction
 * and the one before it; so what stands at the first instruction of a range is
 * outside. Fragments after a call are inside of the ranges of the call.
 * Fragments at entry and at a return are in no range.
 */
final class Activation {
  /** Where in the code the activation is, as exceptions see it. */
  private enum Place {
    /** Fragments of the method before the instruction. */
    BEFORE,
    /** Call-site fragments before the instruction. */
    BEFORE_CALL,
    /** The instruction, and the fragments after a call. */
    AT,
    /** Where nothing is covered. */
    NOWHERE
  }

  private final Interpreter model;
  private final Interpreter.Cls owner;
  private final MethodNode method;
  private final Object[] params;
  private final CodeFacts facts;
  private final Operations operations;
  private final List<Probes.Probe> methodProbes = new ArrayList<>();
  private final List<Probes.Probe> callProbes = new ArrayList<>();
  private final Object[] locals;
  /** The array that all fragments of this activation share. */
  private final Object[] args;
  private final boolean isStatic;
  private final boolean isConstructor;
  /** super() or this() has returned, or there is none to wait for. */
  private boolean constructed = true;
  private final Object self;
  private int pc;
  private Place place = Place.NOWHERE;

  Activation(Interpreter model, Interpreter.Cls owner, MethodNode method,
             Object[] params) {
    this.model = model;
    this.owner = owner;
    this.method = method;
    this.params = params;
    facts = owner.facts(method);
    isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    isConstructor = method.name.equals("<init>");
    constructed = !isConstructor;
    self = isStatic ? null : params[0];
    if (!model.isLeft(owner, method)) {
      for (Probes.Probe p : model.probes.probes) {
        if (model.selects(p, owner, method))
          methodProbes.add(p);
        if (p.callSite())
          callProbes.add(p);
      }
    }
    args = Interpreter.boxed(method.desc, params, isStatic ? 0 : 1);
    locals = new Object[method.maxLocals];
    int slot = 0;
    for (int i = 0; i < params.length; i++) {
      locals[slot] = params[i];
      slot += params[i] instanceof Long || params[i] instanceof Double ? 2 : 1;
    }
    operations = new Operations(model, facts, locals);
  }

  // -- Fragments ------------------------------------------------------------

  /** The data items that are the same at every place of a method. */
  private static Map<String, Object> common(Interpreter.Cls owner,
                                            MethodNode method) {
    Map<String, Object> data = new HashMap<>();
    data.put("className", owner.node.name);
    data.put("classSourceFile", owner.node.sourceFile);
    data.put("methodName", method == null ? "<clinit>" : method.name);
    data.put("methodSig", method == null ? "()V" : method.desc);
    int number = owner.node.methods.indexOf(method);
    data.put("methodNames", owner.methodNames);
    data.put("methodNumber", number < 0 ? owner.node.methods.size() : number);
    return data;
  }

  /**
   * What runs at the head of the static initialiser, which may be one that the
   * original class does not have (a null method).
   */
  static void staticInitializers(Interpreter model, Interpreter.Cls owner,
                                 MethodNode method)
      throws Interpreter.Thrown {
    for (Probes.Probe p : model.probes.probes)
      if (p.staticField() && model.selects(p, owner))
        owner.probeFields.put(p.index(),
                              new Interpreter.Obj("java/util/ArrayList"));
    for (Probes.Probe p : model.probes.probes) {
      if (p.callSite() || !model.selects(p, owner))
        continue;
      Map<String, Object> data = common(owner, method);
      data.put("staticField", owner.probeFields.get(p.index()));
      model.fire(p, "staticInitializer", data);
    }
  }

  private void fireAll(String kind, Map<String, Object> data)
      throws Interpreter.Thrown {
    Map<String, Object> all = common(owner, method);
    all.put("args", args);
    all.put("thisObject", constructed ? self : null);
    all.put("executableUnitNumber", unit());
    all.putAll(data);
    for (Probes.Probe p : methodProbes) {
      all.put("staticField", owner.probeFields.get(p.index()));
      model.fire(p, kind, all);
    }
  }

  private int unit() { return facts.lines ? facts.unit[pc] : 0; }

  private void exit(Object value, Interpreter.Obj exception)
      throws Interpreter.Thrown {
    Map<String, Object> data = new HashMap<>();
    data.put("returnedObject",
             exception != null
                 ? null
                 : Interpreter.box(Type.getReturnType(method.desc), value));
    data.put("exceptionObject", exception);
    if (isConstructor && exception != null)
      data.put("thisObject", null);
    fireAll("exit", data);
  }

  private void fragmentsBefore() throws Interpreter.Thrown {
    CodeFacts.Entry entry = facts.handler[pc];
    if (entry != null) {
      Map<String, Object> data = new HashMap<>();
      data.put("exceptionObject", operations.peek());
      data.put("isFinally", entry.type() == null);
      fireAll("catch", data);
    }
    if (facts.begins[pc])
      fireAll("executableUnit", Map.of());
  }

  // -- Calls ----------------------------------------------------------------

  /** The call of super(...) or this(...) that constructs this object. */
  private boolean isConstruction(MethodInsnNode call, Object[] values) {
    return isConstructor && !constructed && call.name.equals("<init>") &&
        values[0] == self;
  }

  private void call(MethodInsnNode call) throws Interpreter.Thrown {
    boolean toStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
    int count = Type.getArgumentTypes(call.desc).length + (toStatic ? 0 : 1);
    Object[] values = operations.popAll(count);
    boolean construction = isConstruction(call, values);
    List<Probes.Probe> probes = new ArrayList<>();
    for (Probes.Probe p : callProbes)
      if (p.selects(call.name))
        probes.add(p);
    Map<String, Object> data = new HashMap<>();
    data.put("className", call.owner);
    data.put("methodName", call.name);
    data.put("methodSig", call.desc);
    data.put("thisObject",
             toStatic || call.name.equals("<init>") ? null : values[0]);
    Object[] boxed = Interpreter.boxed(call.desc, values, toStatic ? 0 : 1);
    data.put("args", boxed);
    place = Place.BEFORE_CALL;
    boolean written = false;
    for (Probes.Probe p : probes) {
      model.fire(p, "beforeCall", data);
      Probes.Fragment f = p.fragment("beforeCall");
      written |= f != null && f.data().contains("args");
    }
    // What the fragments left in the array is what the call gets.
    if (written) {
      Type[] types = Type.getArgumentTypes(call.desc);
      for (int i = 0; i < types.length; i++)
        values[i + (toStatic ? 0 : 1)] = model.unbox(types[i], boxed[i]);
    }
    place = Place.AT;
    Object result;
    try {
      result = model.call(call, values);
    } catch (Interpreter.Thrown t) {
      // No handler may cover this call where the method is verified by frames.
      if (construction && facts.framed) {
        place = Place.NOWHERE;
        throw t;
      }
      data.put("exceptionObject", t.object);
      for (Probes.Probe p : probes)
        model.fire(p, "afterCall", data);
      throw t;
    }
    if (construction)
      constructed = true;
    Type type = Type.getReturnType(call.desc);
    data.put("returnedObject", Interpreter.box(type, result));
    // The value is on the stack while the fragments run; if they throw it is
    // lost with the rest.
    if (type.getSort() != Type.VOID)
      operations.push(result);
    for (Probes.Probe p : probes)
      model.fire(p, "afterCall", data);
  }

  // -- Running --------------------------------------------------------------

  private boolean covers(CodeFacts.Entry entry) {
    return switch (place) {
      case NOWHERE -> false;
      case AT -> entry.covers(pc);
      case BEFORE, BEFORE_CALL ->
        entry.covers(pc) && entry.covers(facts.previous[pc]);
    };
  }

  /** The exit fragments see what leaves from here. */
  private boolean exitCovers() {
    return switch (place) {
      case NOWHERE -> false;
      case AT, BEFORE_CALL -> true;
      case BEFORE -> pc > 0;
    };
  }

  /** Runs to the end and gives the value that is returned. */
  Object run() throws Interpreter.Thrown {
    if (method.name.equals("<clinit>"))
      staticInitializers(model, owner, method);
    Map<String, Object> entry = new HashMap<>();
    if (isConstructor)
      entry.put("thisObject", null);
    fireAll("entry", entry);
    if (!facts.lines)
      fireAll("executableUnit", Map.of("executableUnitNumber", 0));
    while (true) {
      try {
        place = Place.BEFORE;
        fragmentsBefore();
        place = Place.AT;
        facts.ran[pc] = true;
        AbstractInsnNode i = facts.code[pc];
        int op = i.getOpcode();
        if (op >= Opcodes.IRETURN && op <= Opcodes.RETURN) {
          Type type = Type.getReturnType(method.desc);
          Object value = op == Opcodes.RETURN
                             ? null
                             : Interpreter.narrow(type, operations.pop());
          place = Place.NOWHERE;
          exit(value, null);
          return value;
        }
        if (i instanceof MethodInsnNode call) {
          call(call);
          pc++;
        } else {
          pc = operations.step(i, pc);
        }
      } catch (Interpreter.Thrown t) {
        int handler = -1;
        for (CodeFacts.Entry e : facts.table) {
          if (covers(e) && (e.type() == null ||
                            model.isSubclass(t.object.type, e.type()))) {
            handler = e.handler();
            break;
          }
        }
        if (handler >= 0) {
          operations.clear();
          operations.push(t.object);
          pc = handler;
          continue;
        }
        if (exitCovers())
          exit(null, t.object);
        throw t;
      }
    }
  }
}
