//===- Frames.cpp - The StackMapTable attribute ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frames.h"
#include "jopt/IR/Model/SlotState.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace jopt;

void FrameWriter::writeType(Type T) {
  switch (T.kind()) {
  case Type::Top:
    return Out.u1(0);
  case Type::Int:
    return Out.u1(1);
  case Type::Float:
    return Out.u1(2);
  case Type::Double:
    return Out.u1(3);
  case Type::Long:
    return Out.u1(4);
  case Type::Null:
    return Out.u1(5);
  case Type::UninitThis:
    return Out.u1(6);
  case Type::Ref: {
    uint16_t Index = F->classFile().classIndex(T);
    if (!Index)
      Problem = "the constant pool is full";
    Out.u1(7);
    return Out.u2(Index);
  }
  case Type::Uninit: {
    uint32_t At = T.payload() < Code->SiteOffsets.size()
                      ? Code->SiteOffsets[T.payload()]
                      : ~0u;
    if (At == ~0u)
      Problem = "a frame declares an uninitialised object whose `new` is gone";
    Out.u1(8);
    return Out.u2(uint16_t(At));
  }
  case Type::Join:
  case Type::RetAddr:
  case Type::Void:
  case Type::High:
    Problem = "a frame declares a type that class files cannot express";
  }
}

/// One type per value instead of one per slot, the method-wide slots added.
void FrameWriter::toFrameTypes(llvm::ArrayRef<Type> Slots, TypeList &Result,
                               bool MethodWide) const {
  TypeList Extended;
  if (MethodWide && !F->PinnedLocals.empty()) {
    Extended.assign(Slots.begin(), Slots.end());
    for (const Body::PinnedLocal &W : F->PinnedLocals) {
      if (Extended.size() < W.Slot + W.Ty.slots())
        Extended.resize(W.Slot + W.Ty.slots(), Type::Top);
      Extended[W.Slot] = W.Ty;
      if (W.Ty.isCategory2())
        Extended[W.Slot + 1] = Type::High;
    }
    Slots = Extended;
  }
  Result.clear();
  for (size_t I = 0; I < Slots.size(); ++I) {
    Result.push_back(Slots[I]);
    if (Slots[I].isCategory2() && I + 1 < Slots.size())
      ++I;
  }
  while (!Result.empty() && Result.back().is(Type::Top))
    Result.pop_back();
}

/// The slots on entry to a block that declares none: followed forward from the
/// nearest block before it that does.
void FrameWriter::slotsInside(uint32_t Ordinal, const Schedule &S,
                              TypeList &Slots) const {
  uint32_t From = Ordinal;
  while (From > 0 && !S.Blocks[From].B->hasFrame())
    --From;
  SlotState State(*F);
  for (; From < Ordinal; ++From) {
    State.enter(*S.Blocks[From].B);
    for (const Instruction &I : *S.Blocks[From].B)
      State.step(I);
  }
  Slots.assign(State.slots().begin(), State.slots().end());
}

/// Writes the beginning of an early larval frame (JEP 539) where \p B has other
/// unset fields than the frame before says. A frame without it has those of
/// the frame before.
void FrameWriter::writeUnset(const Block &B, const TypeList &Locals) {
  constexpr uint8_t EarlyLarval = 246;
  if (!llvm::is_contained(Locals, Type(Type::UninitThis))) {
    LastUnset.reset();
    return;
  }
  const llvm::BitVector &Now = Unset.at(B);
  if (LastUnset == Now)
    return;
  LastUnset = Now;
  ClassFile &Class = F->classFile();
  Out.u1(EarlyLarval);
  Out.u2(uint16_t(Now.count()));
  for (unsigned N : Now.set_bits()) {
    const Field &Of = *Unset.fields()[N];
    const uint16_t Index =
        Class.Pool.addNameAndType(Class.name(Of), Class.descriptor(Of));
    if (!Index)
      Problem = "the constant pool is full";
    Out.u2(Index);
  }
}

/// Writes the shortest form for Current after Previous, or for Previous again.
void FrameWriter::write(unsigned Delta, const Block &B, bool SameLocals) {
  auto Stack = B.parameters();
  const TypeList &Now = SameLocals ? Previous : Current;
  if (Unset.any())
    writeUnset(B, Now);
  size_t Old = Previous.size(), New = Now.size();
  size_t Common = std::min(Old, New);
  if (SameLocals && Stack.empty()) {
    if (Delta < 64)
      return Out.u1(uint8_t(Delta));
    Out.u1(251);
    return Out.u2(uint16_t(Delta));
  }
  if (SameLocals && Stack.size() == 1) {
    if (Delta < 64) {
      Out.u1(uint8_t(64 + Delta));
    } else {
      Out.u1(247);
      Out.u2(uint16_t(Delta));
    }
    return writeType(Stack[0]->type());
  }
  if (Stack.empty() && Old <= New + 3 && New <= Old + 3 &&
      std::equal(Previous.begin(), Previous.begin() + Common, Now.begin())) {
    Out.u1(uint8_t(251 + int(New) - int(Old)));
    Out.u2(uint16_t(Delta));
    for (size_t I = Old; I < New; ++I)
      writeType(Now[I]);
    return;
  }
  Out.u1(255);
  Out.u2(uint16_t(Delta));
  Out.u2(uint16_t(New));
  for (Type T : Now)
    writeType(T);
  Out.u2(uint16_t(Stack.size()));
  for (const Parameter *P : Stack)
    writeType(P->type());
}

llvm::Error FrameWriter::run(Body &Of, const Schedule &S,
                             const CodeEmitter &E) {
  F = &Of;
  Code = &E;
  NumFrames = 0;
  Problem = nullptr;
  Out.clear();
  Out.u2(0);
  // The implicit frame at the entry: no method-wide slot is written yet.
  toFrameTypes(F->initialLocals(), Previous, /*MethodWide=*/false);
  if (llvm::Error Err = Unset.run(Of))
    return Err;
  if (Unset.any())
    LastUnset.emplace(unsigned(Unset.fields().size()), true);
  llvm::ArrayRef<Type> LastSlots;
  bool LastKnown = false;
  int64_t LastOffset = -1;
  size_t NextFar = 0;
  TypeList Slots;
  // Two frames cannot stand at one offset. If a block has no code, it runs
  // into the next one, whose frame its own must fit, so that one counts.
  const ScheduledBlock *Pending = nullptr;
  auto Flush = [&] {
    if (!Pending)
      return;
    const Block &B = *Pending->B;
    bool Same;
    if (B.hasFrame() && LastKnown && B.locals().data() == LastSlots.data() &&
        B.locals().size() == LastSlots.size()) {
      Same = true;
    } else {
      if (B.hasFrame()) {
        toFrameTypes(B.locals(), Current);
      } else {
        slotsInside(S.OrdinalOf[B.id()], S, Slots);
        toFrameTypes(Slots, Current);
      }
      Same = Current == Previous;
    }
    write(uint32_t(Pending->Offset - LastOffset - 1), B, Same);
    if (!Same)
      Previous.swap(Current);
    LastOffset = Pending->Offset;
    LastKnown = B.hasFrame();
    LastSlots = B.locals();
    ++NumFrames;
    Pending = nullptr;
    if (Out.size() > MaxBytes)
      Problem = TooLarge;
  };
  for (uint32_t N = 0; N < S.Blocks.size() && !Problem; ++N) {
    const ScheduledBlock &B = S.Blocks[N];
    bool BehindFar = NextFar < E.BehindFarBranches.size() &&
                     E.BehindFarBranches[NextFar] == N;
    NextFar += BehindFar;
    if (!B.B->hasFrame() && !BehindFar)
      continue;
    if (Pending && Pending->Offset != B.Offset)
      Flush();
    Pending = &B;
  }
  Flush();
  if (NumFrames > 65535)
    Problem = "more than 65,535 frames";
  Out.patchU2(0, uint16_t(NumFrames));
  if (Problem)
    return makeError(Problem);
  return llvm::Error::success();
}
