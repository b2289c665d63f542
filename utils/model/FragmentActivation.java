//===- utils/model/FragmentActivation.java - an activation with fragments -===//
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
 * An activation with Probekit's fragments around its instructions.
 *
 * <p>Where an exception comes from decides who sees it. Fragments that run
 * before an instruction are inside of those ranges that cover the instruction
 * and the one before it; so what stands at the first instruction of a range is
 * outside. Fragments after a call are inside of the ranges of the call.
 * Fragments at entry and at a return are in no range.
 */
class FragmentActivation extends Activation {
  /** Where in the code the activation is, as exceptions see it. */
  private enum Place {
    /** Fragments of the method before the instruction. */
    BEFORE,
    /** Call-site fragments before the instruction. */
    BEFORE_CALL,
    /** The instruction, its sites, and the fragments after a call. */
    AT,
    /** Behind an instruction for a monitor: in the ranges of the next one. */
    BEHIND_MONITOR,
    /** Where nothing is covered. */
    NOWHERE
  }

  final List<Probes.Probe> methodProbes = new ArrayList<>();
  private final List<Probes.Probe> callProbes = new ArrayList<>();
  /** The array that all fragments of this activation share. */
  private final Object[] args;
  private final Probes probes;
  private Place place = Place.NOWHERE;
  /** Of the call that is being made. */
  private final List<Probes.Probe> atCall = new ArrayList<>();
  private final Map<String, Object> callData = new HashMap<>();

  FragmentActivation(Interpreter model, Probes probes, Interpreter.Cls owner,
                     MethodNode method, Object[] params) {
    super(model, owner, method, params);
    this.probes = probes;
    if (!model.isLeft(owner, method)) {
      for (Probes.Probe p : probes.probes) {
        if (p.selects(owner, method))
          methodProbes.add(p);
        if (p.callSite())
          callProbes.add(p);
      }
    }
    args = Interpreter.boxed(method.desc, params, isStatic ? 0 : 1);
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
  static void staticInitializers(Interpreter model, Probes probes,
                                 Interpreter.Cls owner, MethodNode method)
      throws Interpreter.Thrown {
    for (Probes.Probe p : probes.probes)
      if (p.staticField() && p.selects(owner))
        owner.probeFields.put(p.index(),
                              new Interpreter.Obj("java/util/ArrayList"));
    // One that would be too large has nothing but what makes the fields.
    if (method != null && model.isLeft(owner, method))
      return;
    for (Probes.Probe p : probes.probes) {
      if (p.callSite() || !p.selects(owner))
        continue;
      Map<String, Object> data = common(owner, method);
      data.put("staticField", owner.probeFields.get(p.index()));
      fire(model, p, "staticInitializer", data);
    }
  }

  /** A fragment runs; what it throws is thrown. */
  static void fire(Interpreter model, Probes.Probe probe, String name,
                   Map<String, Object> data) throws Interpreter.Thrown {
    Probes.Fragment fragment = probe.fragment(name);
    if (fragment == null)
      return;
    List<Object> event = new ArrayList<>();
    event.add(name);
    event.add(probe.index());
    for (Probes.Item item : fragment.data())
      event.add(item.of(data));
    model.recorder.run(event.toArray());
  }

  /**
   * The data items of a fragment of this method.
   *
   * @param given what the place has besides
   * @param line that of the place, or 0
   * @param next the original instruction that comes next, or -1: its variables
   *     are those that have names
   */
  final Map<String, Object> hostData(Map<String, Object> given, int line,
                                     int next) {
    Map<String, Object> all = common(owner, method);
    all.put("args", args);
    all.put("thisObject", constructed ? self : null);
    all.put("lineNumber", line);
    if (next >= 0)
      facts.sites.locals(next, operations, all);
    all.putAll(given);
    return all;
  }

  private void fireAll(String kind, Map<String, Object> data)
      throws Interpreter.Thrown {
    fireAll(kind, data, facts.line[pc], pc);
  }

  private void fireAll(String kind, Map<String, Object> data, int line,
                       int next) throws Interpreter.Thrown {
    Map<String, Object> all = hostData(data, line, next);
    all.putIfAbsent("executableUnitNumber", unit());
    for (Probes.Probe p : methodProbes) {
      all.put("staticField", owner.probeFields.get(p.index()));
      fire(model, p, kind, all);
    }
  }

  /** The result if it is exactly an int, for fragments that take it as one. */
  private static Object asInt(String desc, Map<String, Object> data) {
    return desc.endsWith(")I") ? data.get("returnedObject") : null;
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
    data.put("result", asInt(method.desc, data));
    if (isConstructor && exception != null)
      data.put("thisObject", null);
    // Where an exception leaves is no place of the code.
    fireAll("exit", data, exception != null ? 0 : facts.line[pc],
            exception != null ? -1 : pc);
  }

  @Override
  void before() throws Interpreter.Thrown {
    place = Place.BEFORE;
    CodeFacts.Entry entry = facts.handler[pc];
    if (entry != null) {
      Map<String, Object> data = new HashMap<>();
      data.put("exceptionObject", operations.peek());
      data.put("isFinally", entry.type() == null);
      data.put("caughtType", facts.caught(pc));
      placed(() -> fireAll("catch", data));
    }
    if (facts.begins[pc])
      placed(() -> fireAll("executableUnit", Map.of()));
    between();
    place = Place.AT;
    before(facts.code[pc]);
  }

  /** Fragments of a kind, in front of the instruction. */
  interface Fragments {
    void run() throws Interpreter.Thrown;
  }

  /**
   * Where a handler that covers itself begins, what they throw takes the place
   * of what it has caught, and what follows goes on with that.
   */
  final void placed(Fragments all) throws Interpreter.Thrown {
    try {
      all.run();
    } catch (Interpreter.Thrown t) {
      if (!facts.coversItself(pc))
        throw t;
      operations.clear();
      operations.push(t.object);
    }
  }

  // -- What sites have ------------------------------------------------------

  /** In front of an instruction, whatever it is. */
  void between() throws Interpreter.Thrown {}

  /** In front of the instruction. */
  void before(AbstractInsnNode insn) throws Interpreter.Thrown {}

  final void placeBehindMonitor() { place = Place.BEHIND_MONITOR; }

  // -- Calls ----------------------------------------------------------------

  @Override
  Object call(MethodInsnNode call, Object[] values, boolean construction)
      throws Interpreter.Thrown {
    boolean toStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
    atCall.clear();
    for (Probes.Probe p : callProbes)
      if (p.selects(call.name))
        atCall.add(p);
    callData.clear();
    callData.put("className", call.owner);
    callData.put("methodName", call.name);
    callData.put("methodSig", call.desc);
    callData.put("thisObject",
                 toStatic || call.name.equals("<init>") ? null : values[0]);
    callData.put("lineNumber", facts.line[pc]);
    facts.sites.locals(pc, operations, callData);
    Object[] boxed = Interpreter.boxed(call.desc, values, toStatic ? 0 : 1);
    callData.put("args", boxed);
    place = Place.BEFORE_CALL;
    boolean written = false;
    for (Probes.Probe p : atCall) {
      fire(model, p, "beforeCall", callData);
      Probes.Fragment f = p.fragment("beforeCall");
      written |= f != null && f.names("args");
    }
    // The call gets the values that the fragments left in the array.
    if (written) {
      Type[] types = Type.getArgumentTypes(call.desc);
      for (int i = 0; i < types.length; i++)
        values[i + (toStatic ? 0 : 1)] = model.unbox(types[i], boxed[i]);
    }
    place = Place.AT;
    callData.keySet().removeIf(k -> k.startsWith("local "));
    try {
      return super.call(call, values, construction);
    } catch (Interpreter.Thrown t) {
      // No handler may cover this call where the method is verified by frames.
      if (construction && facts.framed) {
        place = Place.NOWHERE;
        throw t;
      }
      callData.put("exceptionObject", t.object);
      for (Probes.Probe p : atCall)
        fire(model, p, "afterCall", callData);
      throw t;
    }
  }

  @Override
  void called(MethodInsnNode call, Object result) throws Interpreter.Thrown {
    callData.put("returnedObject",
                 Interpreter.box(Type.getReturnType(call.desc), result));
    callData.put("result", asInt(call.desc, callData));
    facts.sites.locals(pc + 1, operations, callData);
    for (Probes.Probe p : atCall)
      fire(model, p, "afterCall", callData);
  }

  // -- Running --------------------------------------------------------------

  @Override
  boolean covers(CodeFacts.Entry entry) {
    return switch (place) {
      case NOWHERE -> false;
      case AT -> entry.covers(pc);
      case BEHIND_MONITOR -> entry.covers(pc + 1);
      case BEFORE, BEFORE_CALL -> facts.coversFront(entry, pc);
    };
  }

  @Override
  Object leave(Object value) throws Interpreter.Thrown {
    place = Place.NOWHERE;
    exit(value, null);
    return value;
  }

  /** The exit fragments see what leaves from here. */
  @Override
  void leave(Interpreter.Thrown thrown) throws Interpreter.Thrown {
    boolean seen = switch (place) {
      case NOWHERE -> false;
      case AT, BEFORE_CALL, BEHIND_MONITOR -> true;
      case BEFORE -> pc > 0;
    };
    if (seen)
      exit(null, thrown.object);
  }

  @Override
  Object run() throws Interpreter.Thrown {
    if (method.name.equals("<clinit>"))
      staticInitializers(model, probes, owner, method);
    Map<String, Object> entry = new HashMap<>();
    if (isConstructor)
      entry.put("thisObject", null);
    fireAll("entry", entry, facts.line[0], 0);
    if (!facts.lines)
      fireAll("executableUnit", Map.of("executableUnitNumber", 0));
    return steps();
  }
}
