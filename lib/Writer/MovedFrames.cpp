//===- MovedFrames.cpp - Frames of sparse bodies --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In a sparse body nothing that original frames declare has changed: they are
/// copied, for other offsets. What passes add to them are handlers behind all
/// original code.
///
//===----------------------------------------------------------------------===//

#include "Frames.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;

/// Copies \p Count verification types from the beginning of \p From, which
/// loses them (JVM specification, 4.7.4).
void FrameWriter::moveTypes(Bytes &From, unsigned Count) {
  constexpr uint8_t Object = 7, Uninitialized = 8;
  for (; Count; --Count) {
    const uint8_t Tag = From[0];
    Out.u1(Tag);
    if (Tag == Object) {
      Out.bytes(From.slice(1, 2));
    } else if (Tag == Uninitialized) {
      const uint32_t At = Code->originalOffset(readU2(From.data() + 1));
      if (At == ~0u)
        Problem = "a frame declares an uninitialised object whose `new` is "
                  "not in original code";
      Out.u2(uint16_t(At));
    }
    From = From.drop_front(Tag >= Object ? 3 : 1);
  }
}

/// Writes \p F, \p Delta behind the one before.
void FrameWriter::move(const OriginalFrame &F, unsigned Delta) {
  const bool Same = F.Tag < 64 || F.Tag == 251;
  const bool SameWithItem = (F.Tag >= 64 && F.Tag < 128) || F.Tag == 247;
  if (Delta < 64 && (Same || SameWithItem)) {
    Out.u1(uint8_t(Delta + (Same ? 0 : 64)));
  } else {
    Out.u1(Same ? 251 : SameWithItem ? 247 : F.Tag);
    Out.u2(uint16_t(Delta));
  }
  if (!F.HasUninit)
    return Out.bytes(F.Rest);
  Bytes Rest = F.Rest;
  if (F.Tag < 255)
    return moveTypes(Rest, SameWithItem ? 1 : F.Tag - 251u);
  for (int List = 0; List < 2; ++List) {
    const unsigned Count = readU2(Rest.data());
    Out.u2(uint16_t(Count));
    Rest = Rest.drop_front(2);
    moveTypes(Rest, Count);
  }
}

/// Makes Previous what the last original frame declares, as far as a handler
/// could declare the same: at most one slot.
void FrameWriter::enterBehindOriginal() {
  const CodeIndex &Index = *F->Index;
  Previous.clear();
  if (Index.NumLastLocals > 1) {
    // More than any handler has.
    Previous.assign(Index.NumLastLocals, Type::Top);
  } else if (Index.NumLastLocals == 1) {
    const Bytes First = Index.FirstLocal;
    Type Ty = Type::Top;
    if (First.empty())
      Ty = F->initialLocals().empty() ? Type(Type::Top) : F->initialLocals()[0];
    else if (First[0] == 6)
      Ty = Type::UninitThis;
    else if (First[0] == 7)
      Ty = F->classFile().classType(readU2(First.data() + 1));
    Previous.push_back(Ty);
  }
}

llvm::Error FrameWriter::runSparse(Body &Of, const Schedule &S,
                                   const CodeEmitter &E) {
  F = &Of;
  Code = &E;
  NumFrames = 0;
  Problem = nullptr;
  Out.clear();
  Out.u2(0);
  if (!F->MethodWideSlots.empty() || !E.BehindFarBranches.empty())
    return makeError("its frames are not known");
  int64_t LastOffset = -1;
  for (const OriginalFrame &Frame : F->Index->Frames) {
    const uint32_t At = E.targetOffset(Frame.BCI);
    if (At == ~0u || int64_t(At) <= LastOffset)
      return makeError("a frame is not in original code");
    move(Frame, unsigned(At - LastOffset - 1));
    LastOffset = At;
    ++NumFrames;
  }
  enterBehindOriginal();
  bool Behind = false;
  for (const ScheduledBlock &B : S.Blocks) {
    if (B.B->bci() >= 0) {
      if (Behind)
        return makeError("a frame is in front of original code");
      continue;
    }
    if (!B.B->hasFrame())
      continue;
    Behind = true;
    if (B.B->locals().size() > 1 || B.B->parameters().empty())
      return makeError("a frame declares more than a handler does");
    toFrameTypes(B.B->locals(), Current);
    const bool Same = Current == Previous;
    write(unsigned(B.Offset - LastOffset - 1), *B.B, Same);
    if (!Same)
      Previous.swap(Current);
    LastOffset = B.Offset;
    ++NumFrames;
  }
  if (NumFrames > 65535)
    Problem = "more than 65,535 frames";
  Out.patchU2(0, uint16_t(NumFrames));
  if (Problem)
    return makeError(Problem);
  return llvm::Error::success();
}
