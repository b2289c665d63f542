//===- utils/model/CallbackActivation.java - an activation with callbacks -===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * An activation with probe classes around it, one in the other. Those that need
 * `this` of a constructor are around what comes behind super() only, and so
 * within all others.
 */
final class CallbackActivation extends Activation {
  /** A class, as callbacks are given it. */
  record ClassRef(String name) {}

  /** What goes on within a probe. */
  private interface Rest {
    Object run() throws Interpreter.Thrown;
  }

  private final List<ProbeClass> around = new ArrayList<>();
  private final List<ProbeClass> behindSuper = new ArrayList<>();
  /** Came out of super() where no handler may be; callbacks do not see it. */
  private Interpreter.Thrown unseen;

  CallbackActivation(Interpreter model, List<ProbeClass> probes,
                     Interpreter.Cls owner, MethodNode method,
                     Object[] params) {
    super(model, owner, method, params);
    for (ProbeClass p : probes)
      (isConstructor && p.waitsForThis() ? behindSuper : around).add(p);
  }

  @Override
  Object run() throws Interpreter.Thrown {
    return within(around, 0, this::steps);
  }

  @Override
  Object constructed() throws Interpreter.Thrown {
    return within(behindSuper, 0, this::steps);
  }

  @Override
  Object call(MethodInsnNode call, Object[] values, boolean construction)
      throws Interpreter.Thrown {
    try {
      return super.call(call, values, construction);
    } catch (Interpreter.Thrown t) {
      if (construction && facts.framed)
        unseen = t;
      throw t;
    }
  }

  /** Runs what is within the probes from the given one on. */
  private Object within(List<ProbeClass> probes, int from, Rest rest)
      throws Interpreter.Thrown {
    if (from == probes.size())
      return rest.run();
    ProbeClass p = probes.get(from);
    Object kept = call(p, "onEnter", null, null, null);
    Object value;
    try {
      value = within(probes, from + 1, rest);
    } catch (Interpreter.Thrown t) {
      ProbeClass.Callback ext = p.callback("onUncaughtExceptionExt");
      if (t == unseen || (ext != null && !constructed))
        throw t;
      if (ext != null)
        return result(ext, call(p, ext.name(), kept, null, t.object));
      call(p, "onUncaughtException", kept, null, t.object);
      call(p, "onExit", kept, null, t.object);
      throw t;
    }
    ProbeClass.Callback onReturn = p.callback("onReturn");
    Object given = call(p, "onReturn", kept, value, null);
    if (onReturn != null && onReturn.returns())
      value = result(onReturn, given);
    call(p, "onExit", kept, value, null);
    return value;
  }

  private Object result(ProbeClass.Callback callback, Object given)
      throws Interpreter.Thrown {
    return callback.returns() ? model.unbox(callback.result(), given) : null;
  }

  /** Calls a callback, if the probe has it. */
  private Object call(ProbeClass probe, String kind, Object kept,
                      Object returned, Interpreter.Obj thrown)
      throws Interpreter.Thrown {
    ProbeClass.Callback callback = probe.callback(kind);
    if (callback == null)
      return null;
    List<Object> event = new ArrayList<>();
    event.add(kind);
    event.add(probe.name);
    for (ProbeClass.Parameter p : callback.parameters())
      event.add(switch (p.mark()) {
        case "This" -> self;
        case "ClassRef" -> new ClassRef(owner.node.name);
        case "Param" -> param(p);
        case "Params" ->
          Interpreter.boxed(method.desc, params, isStatic ? 0 : 1);
        case "MethodName" -> method.name;
        case "MethodSignature" -> method.desc;
        case "MethodParameterTypes" -> parameterTypes();
        case "OnEnterResult" -> kept;
        case "ReturnValue" ->
          thrown != null
              ? zero(p.type())
              : exactly(p.type(), Type.getReturnType(method.desc), returned);
        case "ThrownException" -> thrown;
        case "MethodTimeMs", "MethodTimeNs" -> 0L;
        default -> throw new IllegalStateException(p.mark());
      });
    return model.recorder.run(event.toArray());
  }

  private Object param(ProbeClass.Parameter p) {
    Type[] types = Type.getArgumentTypes(method.desc);
    int at = p.number() - 1;
    return at < types.length
        ? exactly(p.type(), types[at], params[at + (isStatic ? 0 : 1)])
        : zero(p.type());
  }

  /** Object takes everything; any other type only values of that type. */
  private static Object exactly(Type wanted, Type type, Object value) {
    return wanted.getDescriptor().equals("Ljava/lang/Object;") ||
            wanted.equals(type)
        ? Interpreter.box(type, value)
        : zero(wanted);
  }

  private static Object zero(Type type) {
    return switch (type.getSort()) {
      case Type.LONG -> 0L;
      case Type.FLOAT -> 0f;
      case Type.DOUBLE -> 0.0;
      case Type.OBJECT, Type.ARRAY -> null;
      default -> Interpreter.box(type, 0);
    };
  }

  private String parameterTypes() {
    StringJoiner all = new StringJoiner(", ");
    for (Type t : Type.getArgumentTypes(method.desc))
      all.add(t.getClassName());
    return all.toString();
  }
}
