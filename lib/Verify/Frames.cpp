//===- Frames.cpp - StackMapTable (4.7.4) ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frames.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::Twine;

namespace {

class FrameReader {
public:
  FrameReader(Machine &M, bool &Fatal)
      : M(M), Fatal(Fatal), In(*M.code().StackMap), Locals(M.LocalPool),
        Stack(M.StackPool) {}

  bool read(std::vector<DeclaredFrame> &Out);

private:
  bool bad(const Twine &Message) {
    return M.failFormat("StackMapTable: " + Message, "4.7.4");
  }
  bool fatal(const Twine &Message) {
    Fatal = true;
    return bad(Message);
  }
  bool truncated() { return fatal("ends too early"); }
  bool type(VType &T);
  bool unsetFields();
  bool local();
  bool appendLocals(unsigned N);
  bool readStack(unsigned N);
  void clearLocals(unsigned Down);

  Machine &M;
  bool &Fatal;
  ByteCursor In;
  Slots Locals, Stack;
  unsigned NumLocals = 0, Depth = 0;
  uint32_t Unset = StrictFields::None; ///< strict fields that are not set
  /// How many locals are uninitializedThis.
  unsigned NumUninitThis = 0;
};

} // namespace

bool FrameReader::type(VType &T) {
  unsigned Tag = In.u1();
  if (In.failed())
    return truncated();
  switch (Tag) {
  case 0:
    T = VKind::Top;
    return true;
  case 1:
    T = VKind::Int;
    return true;
  case 2:
    T = VKind::Float;
    return true;
  case 3:
    T = VKind::Double;
    return true;
  case 4:
    T = VKind::Long;
    return true;
  case 5:
    T = VKind::Null;
    return true;
  case 6:
    T = VKind::UninitThis;
    return true;
  case 7: {
    unsigned Class = In.u2();
    if (In.failed())
      return truncated();
    if (M.V.tag(Class) != CPTag::Class)
      return fatal("a type is no class constant");
    T = M.classType(Class);
    return true;
  }
  case 8: {
    unsigned New = In.u2();
    if (In.failed())
      return truncated();
    if (!M.isStart(New) || M.code().Code[New] != op::NEW)
      return bad("an uninitialised type refers to no new");
    T = VType(VKind::Uninit, New);
    return true;
  }
  default:
    return fatal("unknown type tag " + Twine(Tag));
  }
}

/// A frame type of JEP 539 (strict fields): the strict fields that are not set
/// yet, then the frame.
static constexpr unsigned EarlyLarval = 246;

/// Reads the fields of an early larval frame.
bool FrameReader::unsetFields() {
  StrictFields::Set Fields;
  for (unsigned N = In.u2(); N && !In.failed(); --N) {
    const unsigned Index = In.u2();
    if (In.failed())
      break;
    if (M.V.tag(Index) != CPTag::NameAndType)
      return M.fail("an unset field is no name and type", "4.7.4");
    const PoolEntry &E = M.V.Pool[Index];
    const auto Field = M.Strict.find(M.V.utf8(E.A), M.V.utf8(E.B));
    if (!M.Strict.any() || !Field)
      return M.fail("an unset field is no strict field of the class", "4.7.4");
    Fields.push_back(*Field);
  }
  if (In.failed())
    return truncated();
  Unset = M.Strict.add(std::move(Fields));
  return true;
}

bool FrameReader::appendLocals(unsigned N) {
  for (unsigned I = 0; I < N; ++I) {
    VType T;
    if (!type(T))
      return false;
    if (NumLocals + 1 + T.isWide() > Locals.size()) {
      // The other types may be a worse mistake.
      for (++I; I < N; ++I)
        if (!type(T))
          return false;
      return bad("more locals than max_locals");
    }
    Locals.set(NumLocals++, T);
    if (T.isWide())
      Locals.set(NumLocals++, T.upper());
    NumUninitThis += T.is(VKind::UninitThis);
  }
  return true;
}

/// Drops the locals from slot \p Down on.
void FrameReader::clearLocals(unsigned Down) {
  while (NumLocals > Down) {
    NumUninitThis -= Locals.get(--NumLocals).is(VKind::UninitThis);
    Locals.set(NumLocals, VKind::Top);
  }
}

bool FrameReader::readStack(unsigned N) {
  for (unsigned I = 0; I < N; ++I) {
    VType T;
    if (!type(T))
      return false;
    if (Depth + 1 + T.isWide() > Stack.size()) {
      for (++I; I < N; ++I)
        if (!type(T))
          return false;
      return bad("a deeper stack than max_stack");
    }
    Stack.set(Depth++, T);
    if (T.isWide())
      Stack.set(Depth++, T.upper());
  }
  return true;
}

bool FrameReader::read(std::vector<DeclaredFrame> &Out) {
  Locals.reset(M.Locals.size());
  Stack.reset(M.Stack.size());
  Locals.load(M.Locals.root());
  NumLocals = M.numParameterSlots();
  NumUninitThis = M.ThisUninit;
  Unset = M.Strict.all();
  unsigned Count = In.u2();
  if (In.failed())
    return truncated();
  uint32_t BCI = 0;
  for (unsigned I = 0; I < Count; ++I) {
    unsigned Type = In.u1();
    const bool IsEarly = Type == EarlyLarval && M.V.hasValueClasses();
    if (IsEarly) {
      if (!unsetFields())
        return false;
      Type = In.u1();
      if (Type == EarlyLarval)
        return M.fail("an early larval frame in another", "4.7.4");
    }
    unsigned Delta = Type < 64 ? Type : Type < 128 ? Type - 64 : 0;
    if (!In.failed() && Type >= 128 && Type < 247)
      return fatal("reserved frame type " + Twine(Type));
    if (Type >= 247)
      Delta = In.u2();
    if (In.failed())
      return truncated();
    BCI = I == 0 ? Delta : BCI + Delta + 1;
    while (Depth)
      Stack.set(--Depth, VKind::Top);

    if (Type >= 64 && Type <= 247) {
      if (Type >= 128 && Type < 247)
        return false;
      if (!readStack(1))
        return false;
    } else if (Type >= 248 && Type <= 250) {
      for (unsigned Drop = 251 - Type; Drop; --Drop) {
        if (NumLocals == 0)
          return bad("drops more locals than there are");
        clearLocals(NumLocals - 1 - Locals.get(NumLocals - 1).isUpper());
      }
    } else if (Type >= 252 && Type <= 254) {
      if (!appendLocals(Type - 251))
        return false;
    } else if (Type == 255) {
      clearLocals(0);
      unsigned N = In.u2();
      if (!appendLocals(N))
        return false;
      N = In.u2();
      if (In.failed())
        return truncated();
      if (!readStack(N))
        return false;
    }
    if (!M.isStart(BCI))
      return M.fail("a frame at " + Twine(BCI) + ", which is no instruction",
                    "4.7.4");
    DeclaredFrame &D = Out.emplace_back();
    D.BCI = BCI;
    D.F.Locals = Locals.root();
    D.F.Stack = Stack.root();
    D.F.Depth = uint16_t(Depth);
    D.F.ThisUninit = NumUninitThis != 0;
    if (IsEarly && !D.F.ThisUninit)
      return M.fail("an early larval frame of an object that is initialised",
                    "4.7.4");
    // The frames behind this one have its set, too, unless they say another.
    if (!D.F.ThisUninit)
      Unset = StrictFields::None;
    D.F.Unset = Unset;
  }
  // HotSpot does not look behind a count of zero.
  return In.atEnd() || Count == 0 || fatal("bytes after the last frame");
}

bool verify::readFrames(Machine &M, std::vector<DeclaredFrame> &Out,
                        bool &Fatal) {
  Out.clear();
  if (!M.code().StackMap)
    return true;
  return FrameReader(M, Fatal).read(Out);
}
