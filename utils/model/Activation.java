//===- utils/model/Activation.java - an activation in the model -----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * One activation of a method: its instructions one by one. What probes do
 * around them is that of subclasses; this one is a program without probes.
 */
class Activation {
  final Interpreter model;
  final Interpreter.Cls owner;
  final MethodNode method;
  final Object[] params;
  final CodeFacts facts;
  final Operations operations;
  final boolean isStatic;
  final boolean isConstructor;
  /** super() or this() has returned, or there is none to wait for. */
  boolean constructed;
  final Object self;
  int pc;

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
    Object[] locals = new Object[method.maxLocals];
    int slot = 0;
    for (Object param : params) {
      locals[slot] = param;
      slot += param instanceof Long || param instanceof Double ? 2 : 1;
    }
    operations = new Operations(model, facts, locals);
  }

  // -- What probes do -------------------------------------------------------

  /** In front of the instruction. */
  void before() throws Interpreter.Thrown {}

  /** The instruction has completed; pc is still its number. */
  void behind() throws Interpreter.Thrown {}

  /** Behind the instruction that returns the value; nothing covers it. */
  Object leave(Object value) throws Interpreter.Thrown { return value; }

  /** No handler of the method covers what is thrown. */
  void leave(Interpreter.Thrown thrown) throws Interpreter.Thrown {}

  /** An exception comes to a handler. */
  void caught() {}

  /** The entry of the exception table covers what is thrown here. */
  boolean covers(CodeFacts.Entry entry) { return entry.covers(pc); }

  /** Makes the call, whose receiver comes first; gives its result. */
  Object call(MethodInsnNode call, Object[] values, boolean construction)
      throws Interpreter.Thrown {
    return model.call(call, values);
  }

  /** The result of the call is on the stack. */
  void called(MethodInsnNode call, Object result) throws Interpreter.Thrown {}

  /** The steps after super() or this() has returned. */
  Object constructed() throws Interpreter.Thrown { return steps(); }

  // -- Running --------------------------------------------------------------

  /** The call of super(...) or this(...) that constructs this object. */
  private boolean isConstruction(MethodInsnNode call, Object[] values) {
    return isConstructor && !constructed && call.name.equals("<init>") &&
        values[0] == self;
  }

  /** Whether this object is constructed now, and was not. */
  private boolean call(MethodInsnNode call) throws Interpreter.Thrown {
    boolean toStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
    int count = Type.getArgumentTypes(call.desc).length + (toStatic ? 0 : 1);
    Object[] values = operations.popAll(count);
    boolean construction = isConstruction(call, values);
    Object result = call(call, values, construction);
    constructed |= construction;
    // The value is on the stack while what follows runs; if that throws it is
    // lost with the rest.
    if (Type.getReturnType(call.desc).getSort() != Type.VOID)
      operations.push(result);
    called(call, result);
    return construction;
  }

  /** Runs to the end and gives the value that is returned. */
  Object run() throws Interpreter.Thrown { return steps(); }

  /** Goes on to the end. */
  final Object steps() throws Interpreter.Thrown {
    while (true) {
      try {
        before();
        facts.ran[pc] = true;
        AbstractInsnNode i = facts.code[pc];
        int op = i.getOpcode();
        if (op >= Opcodes.IRETURN && op <= Opcodes.RETURN) {
          Type type = Type.getReturnType(method.desc);
          return leave(op == Opcodes.RETURN
                           ? null
                           : Interpreter.narrow(type, operations.pop()));
        }
        if (i instanceof MethodInsnNode call) {
          boolean construction = call(call);
          behind();
          pc++;
          if (construction)
            break;
        } else {
          int next = operations.step(i, pc);
          behind();
          pc = next;
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
        if (handler < 0) {
          leave(t);
          throw t;
        }
        operations.clear();
        operations.push(t.object);
        caught();
        pc = handler;
      }
    }
    return constructed();
  }
}
