//===- utils/model/Operations.java - plain instructions in the model ------===//
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
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The operand stack of an activation, and all instructions but calls and
 * returns. A long or double is one value here.
 */
final class Operations implements Opcodes {
  /** What a jsr leaves on the stack. */
  record ReturnAddress(int to) {}

  private final Interpreter model;
  private final CodeFacts facts;
  private final Object[] locals;
  private final List<Object> stack = new ArrayList<>();

  Operations(Interpreter model, CodeFacts facts, Object[] locals) {
    this.model = model;
    this.facts = facts;
    this.locals = locals;
  }

  void push(Object o) { stack.add(o); }

  Object pop() { return stack.remove(stack.size() - 1); }

  Object peek() { return stack.get(stack.size() - 1); }

  void clear() { stack.clear(); }

  /** The last values, in the order in which they were pushed; they stay. */
  Object[] top(int count) {
    return stack.subList(stack.size() - count, stack.size()).toArray();
  }

  Object local(int slot) { return locals[slot]; }

  /** Pops the last values, in the order in which they were pushed. */
  Object[] popAll(int count) {
    List<Object> top = stack.subList(stack.size() - count, stack.size());
    Object[] values = top.toArray();
    top.clear();
    return values;
  }

  private int popInt() { return (Integer)pop(); }

  private long popLong() { return (Long)pop(); }

  private float popFloat() { return (Float)pop(); }

  private double popDouble() { return (Double)pop(); }

  private boolean wide(int depth) {
    Object o = stack.get(stack.size() - depth);
    return o instanceof Long || o instanceof Double;
  }

  static Interpreter.Thrown error(String name) {
    return new Interpreter.Thrown("java/lang/" + name);
  }

  /** Copies the top count values below those that lie under them. */
  private void duplicate(int count, int below) {
    int at = stack.size() - count;
    List<Object> top = new ArrayList<>(stack.subList(at, stack.size()));
    stack.addAll(at - below, top);
  }

  static Object zero(String desc) {
    return switch (desc.charAt(0)) {
      case 'J' -> 0L;
      case 'F' -> 0f;
      case 'D' -> 0d;
      case 'L', '[' -> null;
      default -> 0;
    };
  }

  /** Performs an instruction and gives the number of the next one. */
  int step(AbstractInsnNode i, int pc) throws Interpreter.Thrown {
    int op = i.getOpcode();
    if (op == JSR)
      push(new ReturnAddress(pc + 1));
    if (i instanceof JumpInsnNode jump)
      return jumps(op) ? facts.place(jump.label) : pc + 1;
    if (i instanceof TableSwitchInsnNode s) {
      int key = popInt();
      return facts.place(key >= s.min && key <= s.max
                             ? s.labels.get(key - s.min)
                             : s.dflt);
    }
    if (i instanceof LookupSwitchInsnNode s) {
      int at = s.keys.indexOf(popInt());
      return facts.place(at >= 0 ? s.labels.get(at) : s.dflt);
    }
    if (i instanceof VarInsnNode v) {
      if (op == RET)
        return ((ReturnAddress)locals[v.var]).to();
      if (op >= ISTORE)
        locals[v.var] = pop();
      else
        push(locals[v.var]);
    } else if (i instanceof IincInsnNode inc) {
      locals[inc.var] = (Integer)locals[inc.var] + inc.incr;
    } else if (i instanceof LdcInsnNode ldc) {
      push(ldc.cst instanceof Type t
               ? new CallbackActivation.ClassRef(t.getInternalName())
               : ldc.cst);
    } else if (i instanceof IntInsnNode n) {
      if (op != NEWARRAY)
        push(n.operand);
      else
        push(ArrayValues.make("[" + ArrayValues.primitive(n.operand), popInt()));
    } else if (i instanceof MultiANewArrayInsnNode m) {
      int[] sizes = new int[m.dims];
      for (int k = m.dims - 1; k >= 0; k--)
        sizes[k] = popInt();
      push(ArrayValues.make(m.desc, sizes));
    } else if (i instanceof FieldInsnNode f) {
      field(f);
    } else if (i instanceof TypeInsnNode t) {
      type(t);
    } else if (i instanceof InvokeDynamicInsnNode) {
      try {
        push(Rt.maybe(popInt()));
      } catch (UnsupportedOperationException e) {
        throw error("UnsupportedOperationException");
      }
    } else if (op == ATHROW) {
      Object o = pop();
      if (o == null)
        throw error("NullPointerException");
      throw new Interpreter.Thrown((Interpreter.Obj)o);
    } else if (op == MONITORENTER || op == MONITOREXIT) {
      if (pop() == null)
        throw error("NullPointerException");
    } else {
      plain(op);
    }
    return pc + 1;
  }

  private boolean jumps(int op) {
    switch (op) {
    case GOTO, JSR:
      return true;
    case IFNULL:
      return pop() == null;
    case IFNONNULL:
      return pop() != null;
    case IF_ACMPEQ:
      return pop() == pop();
    case IF_ACMPNE:
      return pop() != pop();
    default:
      break;
    }
    int b = op >= IF_ICMPEQ ? popInt() : 0;
    int a = popInt();
    return switch (op) {
      case IFEQ, IF_ICMPEQ -> a == b;
      case IFNE, IF_ICMPNE -> a != b;
      case IFLT, IF_ICMPLT -> a < b;
      case IFGE, IF_ICMPGE -> a >= b;
      case IFGT, IF_ICMPGT -> a > b;
      case IFLE, IF_ICMPLE -> a <= b;
      default -> throw new IllegalStateException("jump " + op);
    };
  }

  private void field(FieldInsnNode f) throws Interpreter.Thrown {
    switch (f.getOpcode()) {
    case GETSTATIC, PUTSTATIC -> {
      Interpreter.Cls c = model.fieldOwner(f.owner, f.name);
      model.initialise(c.node.name);
      if (f.getOpcode() == GETSTATIC)
        push(c.statics.getOrDefault(f.name, zero(f.desc)));
      else
        c.statics.put(f.name, pop());
    }
    default -> {
      Object value = f.getOpcode() == PUTFIELD ? pop() : null;
      Interpreter.Obj o = (Interpreter.Obj)pop();
      if (o == null)
        throw error("NullPointerException");
      if (f.getOpcode() == PUTFIELD)
        o.fields.put(f.name, value);
      else
        push(o.fields.getOrDefault(f.name, zero(f.desc)));
    }
    }
  }

  private void type(TypeInsnNode t) throws Interpreter.Thrown {
    switch (t.getOpcode()) {
    case NEW -> {
      model.initialise(t.desc);
      push(new Interpreter.Obj(t.desc));
    }
    case ANEWARRAY ->
      push(ArrayValues.make("[" + Type.getObjectType(t.desc).getDescriptor(),
                       popInt()));
    case CHECKCAST -> {
      Object o = peek();
      if (o != null && !model.isSubclass(Interpreter.typeOf(o), t.desc))
        throw error("ClassCastException");
    }
    case INSTANCEOF -> {
      Object o = pop();
      boolean is = o != null &&
                   model.isSubclass(Interpreter.typeOf(o), t.desc);
      push(is ? 1 : 0);
    }
    default -> throw new IllegalStateException("type " + t.getOpcode());
    }
  }

  private void plain(int op) throws Interpreter.Thrown {
    if (op >= ICONST_M1 && op <= ICONST_5) {
      push(op - ICONST_0);
      return;
    }
    if (op >= IALOAD && op <= SALOAD) {
      int at = popInt();
      push(ArrayValues.get(pop(), at));
      return;
    }
    if (op >= IASTORE && op <= SASTORE) {
      Object value = pop();
      int at = popInt();
      ArrayValues.set(pop(), at, value);
      return;
    }
    if (op >= IADD && op <= LXOR) {
      arithmetic(op);
      return;
    }
    if (op >= I2L && op <= I2S) {
      convert(op);
      return;
    }
    switch (op) {
    case NOP -> {}
    case ACONST_NULL -> push(null);
    case LCONST_0, LCONST_1 -> push((long)(op - LCONST_0));
    case FCONST_0, FCONST_1, FCONST_2 -> push((float)(op - FCONST_0));
    case DCONST_0, DCONST_1 -> push((double)(op - DCONST_0));
    case POP -> pop();
    case POP2 -> {
      if (!wide(1))
        pop();
      pop();
    }
    case DUP -> push(peek());
    case DUP_X1 -> duplicate(1, 1);
    case DUP_X2 -> duplicate(1, wide(2) ? 1 : 2);
    case DUP2 -> duplicate(wide(1) ? 1 : 2, 0);
    case DUP2_X1 -> duplicate(wide(1) ? 1 : 2, 1);
    case SWAP -> {
      Object a = pop();
      Object b = pop();
      push(a);
      push(b);
    }
    case LCMP -> {
      long b = popLong();
      push(Long.compare(popLong(), b));
    }
    case FCMPL, FCMPG -> {
      float b = popFloat();
      float a = popFloat();
      push(a > b ? 1 : a == b ? 0 : a < b || op == FCMPL ? -1 : 1);
    }
    case DCMPL, DCMPG -> {
      double b = popDouble();
      double a = popDouble();
      push(a > b ? 1 : a == b ? 0 : a < b || op == DCMPL ? -1 : 1);
    }
    case ARRAYLENGTH -> push(ArrayValues.length(pop()));
    default -> throw new IllegalStateException("opcode " + op);
    }
  }

  private void arithmetic(int op) throws Interpreter.Thrown {
    switch (op) {
    case INEG -> push(-popInt());
    case LNEG -> push(-popLong());
    case FNEG -> push(-popFloat());
    case DNEG -> push(-popDouble());
    case ISHL, ISHR, IUSHR -> {
      int by = popInt();
      int a = popInt();
      push(op == ISHL ? a << by : op == ISHR ? a >> by : a >>> by);
    }
    case LSHL, LSHR, LUSHR -> {
      int by = popInt();
      long a = popLong();
      push(op == LSHL ? a << by : op == LSHR ? a >> by : a >>> by);
    }
    case IADD, ISUB, IMUL, IDIV, IREM, IAND, IOR, IXOR -> {
      int b = popInt();
      int a = popInt();
      if (b == 0 && (op == IDIV || op == IREM))
        throw error("ArithmeticException");
      push(switch (op) {
        case IADD -> a + b;
        case ISUB -> a - b;
        case IMUL -> a * b;
        case IDIV -> a / b;
        case IREM -> a % b;
        case IAND -> a & b;
        case IOR -> a | b;
        default -> a ^ b;
      });
    }
    case LADD, LSUB, LMUL, LDIV, LREM, LAND, LOR, LXOR -> {
      long b = popLong();
      long a = popLong();
      if (b == 0 && (op == LDIV || op == LREM))
        throw error("ArithmeticException");
      push(switch (op) {
        case LADD -> a + b;
        case LSUB -> a - b;
        case LMUL -> a * b;
        case LDIV -> a / b;
        case LREM -> a % b;
        case LAND -> a & b;
        case LOR -> a | b;
        default -> a ^ b;
      });
    }
    case FADD, FSUB, FMUL -> {
      float b = popFloat();
      float a = popFloat();
      push(op == FADD ? a + b : op == FSUB ? a - b : a * b);
    }
    case DADD, DSUB, DMUL -> {
      double b = popDouble();
      double a = popDouble();
      push(op == DADD ? a + b : op == DSUB ? a - b : a * b);
    }
    default -> throw new IllegalStateException("opcode " + op);
    }
  }

  private void convert(int op) {
    switch (op) {
    case I2L -> push((long)popInt());
    case I2F -> push((float)popInt());
    case I2D -> push((double)popInt());
    case L2I -> push((int)popLong());
    case L2D -> push((double)popLong());
    case F2D -> push((double)popFloat());
    case D2I -> push((int)popDouble());
    case F2I -> push((int)popFloat());
    case I2B -> push((int)(byte)popInt());
    case I2C -> push((int)(char)popInt());
    case I2S -> push((int)(short)popInt());
    default -> throw new IllegalStateException("opcode " + op);
    }
  }
}
