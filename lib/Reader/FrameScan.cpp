//===- FrameScan.cpp - Frames as bytes ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameScan.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace jopt;

/// Tags of verification types (JVM specification, 4.7.4).
static constexpr uint8_t FullFrame = 255;

enum : uint8_t { TagTop = 0, TagUninitThis = 6, TagObject = 7, TagUninit = 8 };

size_t jopt::frameTypeLength(Bytes B) {
  if (B.empty() || B[0] > TagUninit)
    return 0;
  const size_t Length = B[0] >= TagObject ? 3 : 1;
  return Length <= B.size() ? Length : 0;
}

FrameStack::FrameStack(const OriginalFrame &F) {
  if ((F.Tag >= 64 && F.Tag < 128) || F.Tag == 247) {
    Count = 1;
    Types = F.Rest;
  } else if (F.Tag == 255) {
    size_t At = 2;
    for (unsigned N = readU2(F.Rest.data()); N; --N)
      At += frameTypeLength(F.Rest.drop_front(At));
    Count = readU2(F.Rest.data() + At);
    Types = F.Rest.drop_front(At + 2);
  }
}

bool FrameScan::enter() {
  Constructor = !Of->is(ACC_STATIC) && Class->name(*Of) == "<init>" &&
                Class->name() != "java/lang/Object";
  KeepsThis = !Of->is(ACC_STATIC);
  Locals.clear();
  NumEntrySlots = 0;
  if (!Of->is(ACC_STATIC)) {
    Locals.push_back(nullptr);
    ++NumEntrySlots;
  }
  MethodDescriptor D(Class->descriptor(*Of));
  for (llvm::StringRef P = D.nextParameter(); !P.empty();
       P = D.nextParameter()) {
    Locals.push_back(nullptr);
    NumEntrySlots += slotsOf(P);
  }
  return D.valid();
}

/// \p Index is the Class entry that the writer has for its name.
bool FrameScan::isFirst(uint16_t Index) const {
  return !Class->Pool.className(Index).empty() &&
         (Twins.empty() || !llvm::is_contained(Twins, Index));
}

/// Reads a type. A class must be the one that the writer would name.
bool FrameScan::type(ByteCursor &C, const uint8_t *&At, bool &HasUninit) {
  const Bytes Rest = C.rest();
  const size_t Length = frameTypeLength(Rest);
  if (!Length)
    return false;
  At = Rest.data();
  C.skip(Length);
  HasUninit |= *At == TagUninit;
  return *At != TagObject || isFirst(readU2(At + 1));
}

bool FrameScan::isThis(const uint8_t *Type) const {
  return Type && *Type == TagObject &&
         (readU2(Type + 1) == Class->ThisIndex ||
          Class->Pool.className(readU2(Type + 1)) == Class->name());
}

/// Both declare the same type for local \p Local.
bool FrameScan::isSame(size_t Local, const uint8_t *Old, const uint8_t *New) {
  if (Old)
    return *Old == *New &&
           (*Old < TagObject || readU2(Old + 1) == readU2(New + 1));
  if (!Of->is(ACC_STATIC)) {
    if (Local == 0)
      return Constructor ? *New == TagUninitThis : isThis(New);
    --Local;
  }
  MethodDescriptor D(Class->descriptor(*Of));
  llvm::StringRef P = D.nextParameter();
  while (Local--)
    P = D.nextParameter();
  if (P[0] == 'L' || P[0] == '[')
    return *New == TagObject &&
           Class->Types.fromDescriptor(P) == Class->classType(readU2(New + 1));
  const char Tags[] = {0, 'I', 'F', 'D', 'J'};
  return *New < std::size(Tags) && *New &&
         (Tags[*New] == P[0] ||
          (*New == 1 && !llvm::is_contained({'F', 'D', 'J'}, P[0])));
}

/// No shorter form than full_frame says that the locals are \p New now.
bool FrameScan::isShortest(llvm::ArrayRef<const uint8_t *> New,
                           unsigned NumStack) {
  const size_t Common = std::min(Locals.size(), New.size());
  const size_t More = std::max(Locals.size(), New.size()) - Common;
  if (NumStack > 1 || More > (NumStack ? 0 : 3))
    return true;
  for (size_t I = 0; I < Common; ++I)
    if (!isSame(I, Locals[I], New[I]))
      return true;
  return false;
}

/// Reads one frame from behind its offset_delta.
bool FrameScan::frame(ByteCursor &C, OriginalFrame &F) {
  const uint8_t *At;
  if (F.Tag < 64 || F.Tag == 251)
    return true;
  if (F.Tag < 128 || F.Tag == 247)
    return type(C, At, F.HasUninit);
  if (F.Tag < 251) {
    const size_t Chopped = 251u - F.Tag;
    if (Locals.size() < Chopped)
      return false;
    Locals.truncate(Locals.size() - Chopped);
  } else if (F.Tag < 255) {
    for (unsigned N = F.Tag - 251u; N; --N) {
      if (!type(C, At, F.HasUninit))
        return false;
      Locals.push_back(At);
    }
  } else {
    Full.clear();
    for (unsigned N = C.u2(); N; --N) {
      if (!type(C, At, F.HasUninit))
        return false;
      Full.push_back(At);
    }
    const unsigned NumStack = C.u2();
    for (unsigned N = NumStack; N; --N)
      if (!type(C, At, F.HasUninit))
        return false;
    if (!isShortest(Full, NumStack))
      return false;
    Locals.swap(Full);
  }
  // Tops at the end are not written.
  return Locals.empty() || !Locals.back() || *Locals.back() != TagTop;
}

bool FrameScan::run(ClassFile &InClass, const Method &M, Bytes Payload) {
  Class = &InClass;
  Of = &M;
  Frames.clear();
  if (!enter())
    return false;
  if (Payload.empty())
    return true;
  Twins = InClass.twinClasses();
  ByteCursor C(Payload);
  int64_t BCI = -1;
  for (unsigned N = C.u2(); N; --N) {
    OriginalFrame F;
    F.Tag = C.u1();
    F.HasUninit = F.FallsIn = false;
    const bool Short = F.Tag < 128;
    if (!Short && F.Tag < 247)
      return false;
    BCI += 1 + int64_t(Short ? F.Tag & 63 : C.u2());
    F.BCI = uint32_t(BCI);
    const size_t Rest = C.offset();
    if (!frame(C, F) || C.failed())
      return false;
    F.Rest = C.since(Rest);
    Frames.push_back(F);
    // Others keep the first local, or take it away.
    if (KeepsThis && (F.Tag == FullFrame || Locals.empty() || Constructor))
      KeepsThis =
          !Locals.empty() && (Locals[0] ? isThis(Locals[0]) : !Constructor);
  }
  return !C.failed() && C.atEnd();
}

Bytes FrameScan::firstLocal() const {
  if (Locals.empty() || !Locals[0])
    return {};
  return Bytes(Locals[0], *Locals[0] >= TagObject ? 3 : 1);
}

const OriginalFrame *FrameScan::at(uint32_t BCI) const {
  auto It = llvm::partition_point(
      Frames, [&](const OriginalFrame &F) { return F.BCI < BCI; });
  return It != Frames.end() && It->BCI == BCI ? &*It : nullptr;
}
