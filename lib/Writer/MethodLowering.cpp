//===- MethodLowering.cpp - Bodies into Code ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frames.h"
#include "PatchWriter.h"
#include "Relocation.h"
#include "Scheduler.h"
#include "SnippetBranches.h"
#include "jopt/IR/Model/FixupConstants.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Statistics.h"
#include "jopt/Writer/ClassWriter.h"

using namespace jopt;
using llvm::Error;

JOPT_STATISTIC(NumLowered, "writer", "methods", "methods lowered");
JOPT_STATISTIC(NumCodeBytes, "writer", "code-bytes", "bytes of code lowered");
JOPT_STATISTIC(NumCopies, "writer", "dups", "dup instructions emitted");
JOPT_STATISTIC(NumSpills, "writer", "spills", "stores to fresh locals");
JOPT_STATISTIC(NumSlots, "writer", "slots", "local slots added");
JOPT_STATISTIC(NumFrames, "writer", "frames", "stack map frames generated");

namespace {
/// Everything that lowering a method needs, kept for the next one.
class Lowering {
public:
  Error run(ClassFile &Class, Method &M);

private:
  Error encode(ClassFile &Class, Snippet &Code);
  Error encodeSites(Body &F);
  Error patch(ClassFile &Class, Method &M);
  Error finish(ClassFile &Class, Method &M, Bytes Payload);
  void writeAttributes(Body &F, bool WithFrames);
  void writeAttribute(Body &F, const Attribute &A);

  Scheduler S;
  CodeEmitter Emitter;
  FrameWriter Frames;
  ExceptionTable Table;
  OffsetMap Map;
  ByteWriter Out, Payload;
  PatchWriter Patcher;
};
} // namespace

/// Writes \p A, an attribute of Code, for the new code.
void Lowering::writeAttribute(Body &F, const Attribute &A) {
  Bytes Data = A.Data;
  if (!Map.identity()) {
    Payload.clear();
    const AttributeInfo *Info =
        findAttributeInfo(F.pool().utf8(A.NameIndex), InCode);
    if (Info && relocate(*Info, Data, Map, Table, Payload))
      Data = Payload.data();
  }
  Out.u2(A.NameIndex);
  Out.u4(uint32_t(Data.size()));
  Out.bytes(Data);
}

void Lowering::writeAttributes(Body &F, bool WithFrames) {
  size_t CountAt = Out.size();
  unsigned Count = 0;
  auto WriteFrames = [&](uint16_t NameIndex) {
    ++Count;
    Out.u2(NameIndex);
    Out.u4(uint32_t(Frames.payload().size()));
    Out.bytes(Frames.payload());
    WithFrames = false;
  };
  Out.u2(0);
  for (const Attribute &A : F.Attributes) {
    if (F.pool().utf8(A.NameIndex) == "StackMapTable") {
      if (WithFrames)
        WriteFrames(A.NameIndex);
      continue;
    }
    ++Count;
    writeAttribute(F, A);
  }
  if (WithFrames)
    WriteFrames(F.pool().addUtf8("StackMapTable"));
  Out.patchU2(CountAt, uint16_t(Count));
}

/// Makes bytes of what stands at a site. Its branches lead to places of it, so
/// the same bytes can stand anywhere.
Error Lowering::encode(ClassFile &Class, Snippet &Code) {
  Body &F = *Code.IR;
  const Block &B = F.entry();
  if (Error E = S.run(F))
    return E;
  Schedule &Order = S.result();
  if (Order.MaxLocals > F.numSlots())
    return makeError("what stands at a site needs more slots");
  if (Error E = Emitter.run(Order, F))
    return E;
  if (&F.blocks().back() != &B || !F.tries().empty())
    if (Error E = noteBranches(Code, Order, Emitter, Table))
      return E;
  for (const Parameter *P : B.parameters())
    Code.NumGiven += P->type().slots();
  Code.MaxStack = Emitter.MaxStack;
  // A return or athrow is one byte.
  Code.Code = Class.save(Emitter.code().drop_back(Code.Continues));
  Code.IR.reset();
  return Error::success();
}

/// Makes bytes of all that stands at sites of \p F and has none.
Error Lowering::encodeSites(Body &F) {
  ClassFile &Class = F.classFile();
  auto Encode = [&](const SnippetInstance &Code) -> Error {
    if (!Code || !Code->IR)
      return Error::success();
    if (Error E = encode(Class, *Code))
      return E;
    return Code->Fixups ? findFixups(*Code) : Error::success();
  };
  if (Error E = Encode(F.Patch->Entry))
    return E;
  for (const InsertionPoint &Of : F.Patch->Sites)
    if (Error E = Encode(Of.Code))
      return E;
  for (const SyntheticHandler &H : F.Patch->Handlers)
    if (Error E = Encode(H.Code))
      return E;
  return Error::success();
}

/// Lowers a patched body.
Error Lowering::patch(ClassFile &Class, Method &M) {
  Body &F = *M.IR;
  if (!F.Patch->AllWritten)
    if (Error E = encodeSites(F))
      return E;
  if (Error E = Patcher.run(F))
    return E;
  NumCodeBytes += Patcher.codeLength();
  NumFrames += Patcher.NumFrames;
  return finish(Class, M, Patcher.payload());
}

/// Gives \p M the Code attribute \p Payload instead of its body.
Error Lowering::finish(ClassFile &Class, Method &M, Bytes Payload) {
  int At = M.codeAttribute(Class.Pool);
  uint16_t Name = At < 0 ? Class.Pool.addUtf8("Code") : 0;
  if (Class.Pool.overflowed())
    return makeError("the constant pool is full");
  if (At < 0) {
    M.Attributes.insert(M.Attributes.begin(), {Name, {}});
    At = 0;
  }
  M.Attributes[At].Data = Class.save(Payload);
  M.Changed = true;
  ++NumLowered;
  M.IR.reset();
  return Error::success();
}

Error Lowering::run(ClassFile &Class, Method &M) {
  Body &F = *M.IR;
  if (F.Patch)
    return patch(Class, M);
  if (Error E = S.run(F))
    return E;
  Schedule &Order = S.result();
  if (Order.MaxLocals > 65535)
    return makeError("the method would need more than 65,535 local slots");
  if (Error E = Emitter.run(Order, F))
    return E;
  if (Error E = Table.run(F, Order, Emitter))
    return E;
  bool WithFrames = Class.hasFrames() && !F.Inferred;
  if (WithFrames) {
    if (Error E = Frames.run(F, Order, Emitter))
      return E;
    WithFrames = Frames.NumFrames != 0;
  }
  // Code that nobody looked into is as deep as the original says; so is what
  // may have been patched.
  const bool MayCopy = F.Raw != KeepRaw::No || !F.PinnedLocals.empty();
  const unsigned MaxStack =
      std::max(Emitter.MaxStack, MayCopy ? F.OriginalMaxStack : 0);
  if (MaxStack > 65535)
    return makeError("the operand stack is deeper than 65,535 slots");
  if (!F.Attributes.empty())
    Map.run(F, Order, Emitter, Table.sameRows(F));

  Out.clear();
  Out.u2(uint16_t(MaxStack));
  Out.u2(uint16_t(Order.MaxLocals));
  Out.u4(uint32_t(Emitter.code().size()));
  Out.bytes(Emitter.code());
  Out.u2(uint16_t(Table.Rows.size()));
  for (const ExceptionTable::Row &R : Table.Rows) {
    Out.u2(uint16_t(R.Start));
    Out.u2(uint16_t(R.End));
    Out.u2(uint16_t(R.Target));
    Out.u2(R.Entry->CatchType);
  }
  writeAttributes(F, WithFrames);

  const unsigned NumAddedSlots = Order.MaxLocals - F.numSlots();
  if (Error E = finish(Class, M, Out.data()))
    return E;
  NumCodeBytes += Emitter.code().size();
  NumCopies += Order.NumCopies;
  NumSpills += Order.NumSpills;
  NumSlots += NumAddedSlots;
  if (WithFrames)
    NumFrames += Frames.NumFrames;
  return Error::success();
}

Error jopt::lowerMethod(ClassFile &Class, Method &M) {
  if (!M.IR)
    return Error::success();
  auto Mark = Class.Pool.mark();
  Error E = PooledObject<Lowering>()->run(Class, M);
  if (E)
    Class.Pool.rollback(Mark);
  return E;
}
