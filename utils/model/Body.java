//===- utils/model/Body.java - structured bodies of generated methods ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes the code of one method in the manner of a compiler: nested statements,
 * finally blocks copied to every exit with gaps in the ranges, synchronized
 * blocks whose handlers cover themselves.
 */
final class Body extends Expressions implements Opcodes {
  /** A range that is open around the code being written. */
  private final class Region {
    final List<Label[]> ranges = new ArrayList<>();
    final Runnable cleanup;
    private Label start;

    Region(Runnable cleanup) {
      this.cleanup = cleanup;
      open();
    }

    void open() {
      start = new Label();
      n.visitLabel(start);
    }

    void close() {
      Label end = new Label();
      n.visitLabel(end);
      if (hasCode(start))
        ranges.add(new Label[] {start, end});
    }
  }

  /** A loop that break and continue may name. */
  private record Loop(Label next, Label end, int regions) {}

  private List<Region> regions = new ArrayList<>();
  private List<Loop> loops = new ArrayList<>();
  /** No return, no monitor: in front of super(). */
  private boolean early;

  Body(Group group, Group.Mth m) { super(group, m); }

  private boolean hasCode(Label start) {
    var node = n.instructions.getLast();
    for (; node != null; node = node.getPrevious()) {
      if (node.getOpcode() >= 0)
        return true;
      if (node == start.info)
        return false;
    }
    return false;
  }

  // -- Whole methods --------------------------------------------------------

  void method() {
    if (m.level == 0 && !m.fuel) {
      leaf();
      return;
    }
    Label head = null;
    if (m.fuel && !m.node.name.equals("<clinit>") && chance(25)) {
      head = new Label();
      n.visitLabel(head);
    } else {
      declareLocals();
    }
    if (m.node.name.equals("<clinit>") && chance(95)) {
      // A class whose initialiser fails is lost, and all that needs it.
      Label start = new Label();
      Label end = new Label();
      Label handler = new Label();
      n.visitLabel(start);
      block(2, 1 + random.nextInt(2));
      n.visitLabel(end);
      n.visitInsn(RETURN);
      n.visitLabel(handler);
      out(OBJECT);
      n.visitInsn(RETURN);
      n.visitTryCatchBlock(start, end, handler,
                           chance(50) ? null : "java/lang/Throwable");
      return;
    }
    if (thisReady && head == null && chance(5)) {
      // No compiler does this: slot 0 is put to another use.
      push(OBJECT, 1);
      n.visitVarInsn(ASTORE, 0);
      thisReady = false;
    }
    block(3, 2 + random.nextInt(4));
    if (head != null) {
      n.visitIincInsn(fuel, -1);
      n.visitVarInsn(ILOAD, fuel);
      n.visitJumpInsn(IFGT, head);
    }
    push(result, 1);
    n.visitInsn(result.getOpcode(IRETURN));
  }

  /** A method without calls that may throw. */
  private void leaf() {
    if (chance(50)) {
      Label on = new Label();
      rarely();
      n.visitJumpInsn(IFNE, on);
      throwNew();
      n.visitLabel(on);
    }
    push(result, 2);
    n.visitInsn(result.getOpcode(IRETURN));
  }

  void constructor() {
    Group.Cls c = m.owner;
    early = true;
    thisReady = false;
    boolean isException = group.exceptions.contains(c);
    if (isException) {
      n.visitVarInsn(ALOAD, 0);
      if (c.parent != null)
        n.visitVarInsn(ILOAD, 1);
      n.visitMethodInsn(INVOKESPECIAL, c.node.superName, "<init>",
                        c.parent != null ? "(I)V" : "()V", false);
      if (chance(30)) {
        n.visitVarInsn(ILOAD, 1);
        out(Type.INT_TYPE);
      }
      n.visitInsn(RETURN);
      return;
    }
    if (chance(70)) {
      declareLocals();
      if (chance(60))
        block(2, 1 + random.nextInt(2));
    }
    if (chance(30))
      writeEarly();
    Label other = null;
    Label joined = new Label();
    if (chance(15)) {
      // Two calls; each execution makes one of them.
      other = new Label();
      n.visitVarInsn(ILOAD, fuel);
      n.visitJumpInsn(IFLE, other);
    }
    construct(c);
    if (other != null) {
      n.visitJumpInsn(GOTO, joined);
      n.visitLabel(other);
      construct(c);
      n.visitLabel(joined);
    }
    early = false;
    thisReady = true;
    if (chance(80))
      block(2, 1 + random.nextInt(3));
    n.visitInsn(RETURN);
  }

  private void construct(Group.Cls c) {
    n.visitVarInsn(ALOAD, 0);
    List<Group.Mth> own = new ArrayList<>();
    // this(...) only of constructors in front of this one, or it might recur.
    for (Group.Mth k : c.methods) {
      if (k == m)
        break;
      if (k.isConstructor())
        own.add(k);
    }
    Group.Mth target = null;
    if (!own.isEmpty() && chance(40)) {
      target = own.get(random.nextInt(own.size()));
    } else if (c.parent != null) {
      List<Group.Mth> above =
          c.parent.methods.stream().filter(k -> k.isConstructor()).toList();
      target = above.get(random.nextInt(above.size()));
    }
    if (target != null)
      arguments(target.node.desc, target.fuel, 1);
    n.visitMethodInsn(
        INVOKESPECIAL, target == null ? c.node.superName : target.owner.name(),
        "<init>", target == null ? "()V" : target.node.desc, false);
  }

  /** A method of Main, which calls the method a few times. */
  void driver(Group.Mth callee) {
    int times = 2 + random.nextInt(3);
    for (int i = 0; i < times; i++) {
      Label start = new Label();
      Label end = new Label();
      Label handler = new Label();
      Label on = new Label();
      boolean last = i == times - 1;
      n.visitLabel(start);
      callOf(callee, 1);
      out(callee.isConstructor() ? OBJECT
                                 : Type.getReturnType(callee.node.desc));
      n.visitLabel(end);
      if (last && chance(50)) {
        n.visitInsn(RETURN);
        return;
      }
      n.visitJumpInsn(GOTO, on);
      n.visitLabel(handler);
      out(OBJECT);
      n.visitLabel(on);
      n.visitTryCatchBlock(start, end, handler,
                           last ? catchType() : "java/lang/Throwable");
    }
    n.visitInsn(RETURN);
  }

  // -- Statements -----------------------------------------------------------

  private void block(int depth, int count) {
    for (int i = 0; i < count; i++)
      statement(depth);
  }

  private void statement(int depth) {
    if (depth == 0) {
      simple();
      return;
    }
    switch (random.nextInt(13)) {
    case 0, 1 -> tryStatement(depth);
    case 2 -> ifStatement(depth);
    case 3 -> loop(depth);
    case 4 -> switchStatement(depth);
    case 5 -> {
      if (m.node.name.startsWith("lock", 1) && !early)
        monitor(depth);
      else
        tryStatement(depth);
    }
    case 6 -> {
      Label on = new Label();
      rarely();
      n.visitJumpInsn(IFNE, on);
      throwNew();
      n.visitLabel(on);
    }
    case 7 -> {
      Label on = new Label();
      rarely();
      n.visitJumpInsn(IFNE, on);
      leave();
      n.visitLabel(on);
    }
    default -> simple();
    }
  }

  /** A return, break or continue, through the cleanups of open regions. */
  private void leave() {
    if (!loops.isEmpty() && (early || chance(50))) {
      Loop loop = loops.get(random.nextInt(loops.size()));
      Label to = chance(50) ? loop.end : loop.next;
      unwind(loop.regions, () -> n.visitJumpInsn(GOTO, to));
    } else if (!early) {
      int slot = -1;
      if (result.getSort() != Type.VOID) {
        push(result, 2);
        slot = newLocal(result);
        n.visitVarInsn(result.getOpcode(ISTORE), slot);
      }
      int from = slot;
      unwind(0, () -> {
        if (from >= 0)
          n.visitVarInsn(result.getOpcode(ILOAD), from);
        n.visitInsn(result.getOpcode(IRETURN));
      });
    }
  }

  private void unwind(int downTo, Runnable jump) {
    List<Region> all = regions;
    for (int i = all.size() - 1; i >= downTo; i--) {
      all.get(i).close();
      cleanUp(all, i);
    }
    regions = new ArrayList<>(all.subList(0, downTo));
    jump.run();
    regions = all;
    for (int i = downTo; i < all.size(); i++)
      all.get(i).open();
    // Code in front of the first instruction of a range is outside of it.
    n.visitInsn(NOP);
  }

  /** Writes the cleanup of a region, in the scope that lies around it. */
  private void cleanUp(List<Region> all, int index) {
    List<Region> savedRegions = regions;
    List<Loop> savedLoops = loops;
    regions = new ArrayList<>(all.subList(0, index));
    loops = new ArrayList<>(loops);
    loops.removeIf(l -> l.regions > index);
    all.get(index).cleanup.run();
    regions = savedRegions;
    loops = savedLoops;
  }

  private void ifStatement(int depth) {
    Label no = new Label();
    Label end = new Label();
    condition(2);
    n.visitJumpInsn(chance(50) ? IFEQ : IFNE, no);
    block(depth - 1, 1 + random.nextInt(2));
    if (chance(50)) {
      n.visitJumpInsn(GOTO, end);
      n.visitLabel(no);
      block(depth - 1, 1);
    } else {
      n.visitLabel(no);
    }
    n.visitLabel(end);
  }

  private void loop(int depth) {
    int counter = newLocal(Type.INT_TYPE);
    n.visitInsn(ICONST_1 + random.nextInt(3));
    n.visitVarInsn(ISTORE, counter);
    Label head = new Label();
    Label next = new Label();
    Label end = new Label();
    if (chance(25)) {
      // Fallen into from a branch.
      condition(1);
      n.visitJumpInsn(IFEQ, end);
    }
    n.visitLabel(head);
    boolean first = chance(50);
    if (first) {
      n.visitIincInsn(counter, -1);
      n.visitVarInsn(ILOAD, counter);
      n.visitJumpInsn(IFLT, end);
    }
    loops.add(new Loop(next, end, regions.size()));
    block(depth - 1, 1 + random.nextInt(2));
    loops.remove(loops.size() - 1);
    n.visitLabel(next);
    if (first) {
      n.visitJumpInsn(GOTO, head);
    } else {
      n.visitIincInsn(counter, -1);
      n.visitVarInsn(ILOAD, counter);
      n.visitJumpInsn(IFGT, head);
    }
    n.visitLabel(end);
  }

  private void switchStatement(int depth) {
    pushInt(2);
    int count = 1 + random.nextInt(4);
    Label[] labels = new Label[count];
    for (int i = 0; i < count; i++)
      labels[i] = new Label();
    Label other = chance(30) ? labels[0] : new Label();
    Label end = new Label();
    if (chance(50)) {
      n.visitInsn(ICONST_3);
      n.visitInsn(IAND);
      n.visitTableSwitchInsn(0, count - 1, other, labels);
    } else {
      int[] keys = new int[count];
      for (int i = 0; i < count; i++)
        keys[i] = i * 3 - 2;
      n.visitLookupSwitchInsn(other, keys, labels);
    }
    for (Label label : labels) {
      n.visitLabel(label);
      block(depth - 1, 1);
      if (chance(70))
        n.visitJumpInsn(GOTO, end);
    }
    if (other != labels[0]) {
      n.visitLabel(other);
      block(depth - 1, 1);
    }
    n.visitLabel(end);
  }

  private void tryStatement(int depth) {
    boolean hasFinally = chance(50);
    int catches = hasFinally ? random.nextInt(3) : 1 + random.nextInt(2);
    Label after = new Label();
    int inner = depth - 1;
    // A subroutine, as compilers before Java 6 made of a finally block.
    Label sub = hasFinally && m.owner.node.version <= V1_5 && chance(40)
        ? new Label()
        : null;
    Runnable text = () -> block(Math.min(inner, 1), 1);
    Runnable last = sub == null ? text : () -> n.visitJumpInsn(JSR, sub);
    Runnable nothing = () -> {};
    Region whole = hasFinally ? new Region(last) : null;
    if (hasFinally)
      regions.add(whole);
    Region body = new Region(nothing);
    regions.add(body);
    block(inner, 1 + random.nextInt(2));
    body.close();
    regions.remove(regions.size() - 1);
    end(whole, after);
    List<Label[]> ranges = body.ranges;
    for (int i = 0; i < catches; i++) {
      if (whole != null)
        whole.open();
      Label handler = new Label();
      n.visitLabel(handler);
      for (Label[] r : ranges)
        n.visitTryCatchBlock(r[0], r[1], handler, catchType());
      if (ranges.isEmpty())
        n.visitInsn(ACONST_NULL);
      int slot = newLocal(THROWABLE);
      n.visitVarInsn(ASTORE, slot);
      if (chance(30))
        out(Type.INT_TYPE, () -> pushInt(1));
      else
        block(inner, 1);
      if (chance(20)) {
        n.visitVarInsn(ALOAD, slot);
        n.visitInsn(ATHROW);
      }
      end(whole, after);
    }
    if (hasFinally) {
      regions.remove(regions.size() - 1);
      Label handler = new Label();
      Label stored = new Label();
      n.visitLabel(handler);
      for (Label[] r : whole.ranges)
        n.visitTryCatchBlock(r[0], r[1], handler, null);
      int slot = newLocal(THROWABLE);
      n.visitVarInsn(ASTORE, slot);
      n.visitLabel(stored);
      // As javac before 8 did: the handler is in its own range.
      if (chance(40))
        n.visitTryCatchBlock(handler, stored, handler, null);
      last.run();
      n.visitVarInsn(ALOAD, slot);
      n.visitInsn(ATHROW);
      if (sub != null) {
        int back = newLocal(OBJECT);
        n.visitLabel(sub);
        n.visitVarInsn(ASTORE, back);
        text.run();
        n.visitVarInsn(RET, back);
      }
    }
    n.visitLabel(after);
  }

  /** Ends a part of a try statement: its finally block, and on. */
  private void end(Region whole, Label after) {
    if (whole != null) {
      whole.close();
      cleanUp(regions, regions.size() - 1);
    }
    n.visitJumpInsn(GOTO, after);
  }

  private void monitor(int depth) {
    int lock = newLocal(OBJECT);
    if (thisReady && chance(50))
      n.visitVarInsn(ALOAD, 0);
    else if (m.owner.node.version < V1_5)
      n.visitLdcInsn("lock");
    else
      n.visitLdcInsn(Type.getObjectType(m.owner.name()));
    n.visitInsn(DUP);
    n.visitVarInsn(ASTORE, lock);
    n.visitInsn(MONITORENTER);
    Runnable unlock = () -> {
      n.visitVarInsn(ALOAD, lock);
      n.visitInsn(MONITOREXIT);
    };
    Region region = new Region(unlock);
    // A fragment in front of the first instruction would not be covered.
    n.visitInsn(NOP);
    regions.add(region);
    block(depth - 1, 1 + random.nextInt(2));
    regions.remove(regions.size() - 1);
    unlock.run();
    region.close();
    Label after = new Label();
    n.visitJumpInsn(GOTO, after);
    Label handler = new Label();
    Label done = new Label();
    n.visitLabel(handler);
    for (Label[] r : region.ranges)
      n.visitTryCatchBlock(r[0], r[1], handler, null);
    int slot = newLocal(THROWABLE);
    n.visitVarInsn(ASTORE, slot);
    unlock.run();
    n.visitLabel(done);
    n.visitTryCatchBlock(handler, done, handler, null);
    n.visitVarInsn(ALOAD, slot);
    n.visitInsn(ATHROW);
    n.visitLabel(after);
  }
}
