//===- StackMap.cpp - Frames of the StackMapTable -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StackMap.h"
#include "BlockLifter.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

namespace {

/// Slots of successive frames. An append extends the array in place where its
/// end is free or holds the same types already, so that frames that differ by
/// chop and append share storage.
class SlotArrays {
public:
  SlotArrays(Body &F, ArrayRef<Type> Initial) : F(F) { set(Initial); }

  ArrayRef<Type> current() const { return {Data, Size}; }
  void set(ArrayRef<Type> Slots) {
    Capacity = Slots.size() + 16;
    Data = F.allocator().Allocate<Type>(Capacity);
    std::copy(Slots.begin(), Slots.end(), Data);
    Size = Used = Slots.size();
  }
  void push(Type T) {
    if (Size < Used && Data[Size] == T) {
      ++Size;
      return;
    }
    if (Size < Used || Size == Capacity)
      grow();
    Data[Size++] = T;
    Used = Size;
  }
  void pop() { --Size; }
  size_t size() const { return Size; }

private:
  void grow() {
    Type *Old = Data;
    Capacity = Size * 2 + 16;
    Data = F.allocator().Allocate<Type>(Capacity);
    std::copy(Old, Old + Size, Data);
    Used = Size;
    Copied += Size;
  }

public:
  size_t Copied = 0;

private:
  Body &F;
  Type *Data = nullptr;
  size_t Size = 0, Used = 0, Capacity = 0;
};

class FrameDecoder {
public:
  FrameDecoder(Body &F, Bytes Payload, std::vector<uint32_t> &SiteAt)
      : F(F), C(Payload), SiteAt(SiteAt), Slots(F, F.initialLocals()) {}

  Error run(std::vector<StackMapFrame> &Frames);

private:
  bool readType(Type &T);
  bool pushLocal();
  bool popLocal();

  Body &F;
  ByteCursor C;
  std::vector<uint32_t> &SiteAt;
  SlotArrays Slots;
};

} // namespace

/// A frame that says which strict fields are unset, and then what another
/// frame says (JEP 539).
static constexpr unsigned EarlyLarvalFrame = 246;

/// Frames of one method may hold this many slots together before it counts as
/// an attack on memory; the largest method of the JDK needs a thousandth.
static constexpr size_t MaxCopiedSlots = size_t(1) << 26;

bool FrameDecoder::readType(Type &T) {
  switch (C.u1()) {
  case 0:
    T = Type::Top;
    return true;
  case 1:
    T = Type::Int;
    return true;
  case 2:
    T = Type::Float;
    return true;
  case 3:
    T = Type::Double;
    return true;
  case 4:
    T = Type::Long;
    return true;
  case 5:
    T = Type::Null;
    return true;
  case 6:
    T = Type::UninitThis;
    return true;
  case 7:
    T = F.classFile().classType(C.u2());
    return !T.is(Type::Top);
  case 8: {
    unsigned At = C.u2();
    if (At >= SiteAt.size())
      return false;
    if (SiteAt[At] == BlockLifter::NoSite)
      SiteAt[At] = F.addNewSite(nullptr).payload();
    T = Type(Type::Uninit, SiteAt[At]);
    return true;
  }
  default:
    return false;
  }
}

bool FrameDecoder::pushLocal() {
  Type T;
  if (!readType(T))
    return false;
  Slots.push(T);
  if (T.isCategory2())
    Slots.push(Type::High);
  return true;
}

bool FrameDecoder::popLocal() {
  if (!Slots.size())
    return false;
  bool Wide = Slots.current().back().is(Type::High);
  Slots.pop();
  if (Wide)
    Slots.pop();
  return true;
}

Error FrameDecoder::run(std::vector<StackMapFrame> &Frames) {
  auto Bad = [&](const llvm::Twine &What) {
    return makeError("StackMapTable: " + What);
  };
  unsigned Count = C.u2();
  int64_t BCI = -1;
  llvm::SmallVector<Type, 16> Stack;
  for (unsigned I = 0; I < Count; ++I) {
    unsigned Tag = C.u1(), Delta;
    // Which fields are unset follows from the code (lib/Writer/UnsetFields.h).
    if (Tag == EarlyLarvalFrame && F.classFile().hasValueClasses()) {
      C.skip(2 * C.u2());
      Tag = C.u1();
    }
    Stack.clear();
    bool Ok = true;
    auto PushStack = [&] {
      Type T;
      Ok = Ok && readType(T);
      if (Ok)
        Stack.push_back(T);
    };
    if (Tag < 64) { // same
      Delta = Tag;
    } else if (Tag < 128) { // same_locals_1_stack_item
      Delta = Tag - 64;
      PushStack();
    } else if (Tag < 247) {
      return Bad("reserved frame tag " + llvm::Twine(Tag));
    } else {
      Delta = C.u2();
      if (Tag == 247) { // same_locals_1_stack_item_extended
        PushStack();
      } else if (Tag < 251) { // chop
        for (unsigned K = 251 - Tag; K && Ok; --K)
          Ok = popLocal();
      } else if (Tag < 255) { // same_extended, append
        for (unsigned K = Tag - 251; K && Ok; --K)
          Ok = pushLocal();
      } else { // full
        unsigned NumLocals = C.u2();
        Slots.set({});
        Slots.Copied += NumLocals;
        while (NumLocals-- && Ok && !C.failed())
          Ok = pushLocal();
        unsigned NumStack = C.u2();
        while (NumStack-- && Ok && !C.failed())
          PushStack();
      }
    }
    if (C.failed())
      return Bad("truncated");
    if (!Ok)
      return Bad("malformed frame " + llvm::Twine(I));
    if (Slots.size() > F.numSlots())
      return Bad("frame " + llvm::Twine(I) +
                 " has more locals than max_locals");
    if (Slots.Copied > MaxCopiedSlots)
      return Bad("too many locals in all frames together");
    BCI += Delta + 1;
    ArrayRef<Type> Locals = Slots.current();
    while (!Locals.empty() && Locals.back().is(Type::Top))
      Locals = Locals.drop_back();
    Frames.push_back({uint32_t(BCI), Locals, F.copy(ArrayRef<Type>(Stack))});
  }
  if (!C.atEnd())
    return Bad("bytes left over");
  return Error::success();
}

Error jopt::decodeStackMap(Body &F, Bytes Payload,
                           std::vector<uint32_t> &SiteAt,
                           std::vector<StackMapFrame> &Frames) {
  return FrameDecoder(F, Payload, SiteAt).run(Frames);
}
