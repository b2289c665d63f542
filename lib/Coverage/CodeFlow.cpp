//===- CodeFlow.cpp - Instructions, and the places between them -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeFlow.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/CodeFacts.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallSet.h"
#include <array>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

const CodeFlow::OpFacts *CodeFlow::opFacts() {
  static const auto Table = [] {
    std::array<OpFacts, NumEncodings> T;
    for (const OpcodeInfo &Info : getOpcodeTable()) {
      OpFacts &O = T[Info.Encoding];
      const bool IsSwitch =
          Info.Fmt == op::FmtTableSwitch || Info.Fmt == op::FmtLookupSwitch;
      O.Length = Info.Length;
      O.Flags =
          uint8_t((Info.Branches && !IsSwitch ? Jumps : 0) |
                  (IsSwitch ? Switches : 0) | (Info.EndsBlock ? Ends : 0) |
                  (Info.Cat == op::CatInvoke ? Calls : 0) |
                  (Info.MayThrow ? MayThrow : 0));
      if (Info.Canonical == op::ASTORE && (Info.IndexBytes || Info.Slot == 0))
        O.Flags |= StoresThis;
      if (!Info.Length || Info.Encoding == op::RET || Info.Canonical == op::JSR)
        O.Flags |= LookCloser;
    }
    return T;
  }();
  return Table.data();
}

Error CodeFlow::decode() {
  const OpFacts *const Facts = opFacts();
  const auto Size = uint32_t(Code.size());
  IndexAt.assign(Size + 1, None);
  Insts.resize_for_overwrite(Size);
  Branches.clear();
  Leading.clear();
  KeepsThis = true;
  const uint8_t *const P = Code.data();
  Inst *const Found = Insts.data();
  uint32_t *const Index = IndexAt.data();
  uint32_t At = 0, N = 0;
  while (At < Size) {
    Opcode Op = P[At];
    uint8_t Flags = Facts[Op].Flags;
    uint32_t Length = Facts[Op].Length;
    if ((Flags & (LookCloser | Jumps | Switches | StoresThis)) == Jumps &&
        Length == 3 && Length <= Size - At) {
      Branches.push_back(N);
    } else if (Flags & (LookCloser | Jumps | Switches | StoresThis)) {
      DecodedInst D;
      if (!decodeInst(Code, At, D))
        break;
      Op = D.Op;
      Length = D.Length;
      Flags = Facts[Op].Flags;
      if (Op == op::RET || D.info().Canonical == op::JSR)
        return makeError("there are subroutines (jsr at " + Twine(At) + ")");
      if (Flags & (Jumps | Switches))
        Branches.push_back(N);
      KeepsThis &= !(Flags & StoresThis) || D.Index != 0;
    } else if (Length > Size - At) {
      break;
    }
    if (Flags & (Jumps | Switches | Ends))
      Leading.push_back(N);
    Index[At] = N;
    Found[N++] = {At, None, Op, Flags};
    At += Length;
  }
  if (At != Size)
    return makeError("no instruction can be decoded at " + Twine(At));
  Insts.truncate(N);
  IndexAt[At] = N;
  Places.assign(N + 1, Place());
  return Error::success();
}

static Error wrongJump(uint32_t BCI) {
  return makeError("the jump at " + Twine(BCI) + " leads to no instruction");
}

Error CodeFlow::findTargets() {
  for (const uint32_t N : Branches) {
    Inst &Of = Insts[N];
    if (Of.Flags & Jumps && opFacts()[Of.Op].Length == 3) {
      const int32_t To =
          int32_t(Of.BCI) + int16_t(readU2(Code.data() + Of.BCI + 1));
      Of.Target = indexAt(uint32_t(To));
      if (Of.Target == None || Of.Target == Insts.size())
        return wrongJump(Of.BCI);
      continue;
    }
    const DecodedInst I = inst(N);
    auto IsWrong = [&](int32_t To) {
      const uint32_t N = indexAt(uint32_t(To));
      return N == None || N == Insts.size();
    };
    bool Wrong = false;
    I.forEachTarget([&](int32_t To) { Wrong |= IsWrong(To); });
    if (Wrong)
      return wrongJump(I.BCI);
    Of.Target = IndexAt[uint32_t(I.Value)];
  }
  return Error::success();
}

Error CodeFlow::addHandlers(const CodeView &Code) {
  Handlers.clear();
  for (const CodeView::Handler &H : Code.Handlers) {
    const Handler Own = {indexAt(H.Start), indexAt(H.End), indexAt(H.Target),
                         H.CatchType};
    if (Own.Start >= Insts.size() || Own.End == None ||
        Own.Target >= Insts.size())
      return makeError("an exception handler starts, ends or continues at no "
                       "instruction");
    Handlers.push_back(Own);
    Places[Own.Start].IsLabel = Places[Own.End].IsLabel =
        Places[Own.Target].IsLabel = true;
  }
  return Error::success();
}

void CodeFlow::addLines(Bytes Table) {
  ByteCursor C(Table);
  for (unsigned N = C.u2(); N && C.remaining() >= 4; --N) {
    const uint32_t I = indexAt(C.u2());
    const uint16_t Line = C.u2();
    if (I == None)
      continue;
    Place &P = Places[I];
    P.IsLabel = true;
    // Zero is no line, unless it comes behind another one.
    P.HasLineZero = !Line && P.Line < 0;
    if (!P.HasLineZero)
      P.Line = Line;
  }
}

/// Where variables begin and end there are labels too: they part dead code from
/// what stands before it.
void CodeFlow::addTables(const ClassFile &F, const CodeView &Code) {
  for (const Attribute &A : Code.Attributes) {
    const StringRef Name = F.Pool.utf8(A.NameIndex);
    if (Name == "StackMapTable")
      addFrames(A.Data);
    if (Name == "LineNumberTable")
      addLines(A.Data);
    if (Name != "LocalVariableTable" && Name != "LocalVariableTypeTable")
      continue;
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N && C.remaining() >= 10; --N) {
      const uint32_t Start = C.u2();
      addLabel(Start);
      addLabel(Start + C.u2());
      C.skip(6);
    }
  }
}

/// So there are where frames stand, and at what they have not initialised (JVMS
/// 4.7.4).
void CodeFlow::addFrames(Bytes Table) {
  ByteCursor C(Table);
  auto SkipTypes = [&](unsigned N) {
    constexpr uint8_t Object = 7, Uninitialized = 8;
    for (; N && !C.failed(); --N)
      if (const uint8_t Tag = C.u1(); Tag == Object)
        C.skip(2);
      else if (Tag == Uninitialized)
        addLabel(C.u2());
  };
  uint32_t BCI = 0;
  for (unsigned N = C.u2(), First = 1; N && !C.failed(); --N, First = 0) {
    constexpr uint8_t EarlyLarval = 246; // of strict fields (JEP 539)
    uint8_t Kind = C.u1();
    if (Kind == EarlyLarval) {
      C.skip(2 * C.u2());
      Kind = C.u1();
    }
    const bool IsShort = Kind < 128;
    BCI += (IsShort ? Kind & 63 : C.u2()) + !First;
    addLabel(BCI);
    if ((Kind >= 64 && IsShort) || Kind == 247)
      SkipTypes(1);
    else if (Kind >= 252 && Kind < 255)
      SkipTypes(Kind - 251u);
    else if (Kind == 255)
      for (int Part = 0; Part < 2; ++Part) // locals, stack
        SkipTypes(C.u2());
  }
}

void CodeFlow::addTarget(size_t I) {
  Place &P = Places[I];
  P.IsLabel = true;
  if (P.IsTarget || P.IsSuccessor)
    P.IsMulti = true;
  else
    P.IsTarget = true;
}

void CodeFlow::forEachTarget(size_t I,
                             llvm::function_ref<void(size_t)> Use) const {
  llvm::SmallSet<size_t, 16> Seen;
  inst(I).forEachTarget([&](int32_t BCI) {
    if (const size_t To = IndexAt[uint32_t(BCI)]; Seen.insert(To).second)
      Use(To);
  });
}

bool CodeFlow::isOfThis(size_t I) const {
  // The number of values on the stack above the object.
  size_t Above = op(I) == op::PUTFIELD;
  while (I && Places[I].onlyFallsIn()) {
    const OpcodeInfo &Info = info(--I);
    if (Info.Canonical == op::DUP && Above <= 1) {
      Above = 0; // either copy may be the object
      continue;
    }
    if (!Above)
      return Info.Canonical == op::ALOAD && inst(I).Index == 0;
    switch (Info.Cat) {
    case op::CatArithmetic:
    case op::CatArray:
    case op::CatConstant:
    case op::CatConversion:
    case op::CatField:
    case op::CatLocal:
      break;
    default:
      return false;
    }
    if (Info.results().size() > Above)
      return false;
    Above += Info.operands().size() - Info.results().size();
  }
  return false;
}

/// Keeps the answers, since code of a class uses the same fields many times.
bool CodeFlow::isOwnField(const ClassFile &F, const DecodedInst &I) {
  if (I.Index >= OwnFields.size())
    OwnFields.resize(I.Index + 1);
  enum { Known = 1, Own = 2, Both = 3 };
  const unsigned Shift = 2 * (I.Op - op::GETSTATIC);
  uint8_t &Of = OwnFields[I.Index];
  if (!(Of >> Shift & Known))
    Of |= uint8_t((jopt::isOwnField(F, I) ? Both : Known) << Shift);
  return Of >> Shift & Own;
}

bool CodeFlow::finallyThrows(size_t I, const ClassFile &F, const Method &M) {
  if (info(I).Cat == op::CatInvoke)
    return true;
  const DecodedInst D = inst(I);
  switch (D.Op) {
  case op::GETSTATIC:
  case op::PUTSTATIC:
    return !isOwnField(F, D);
  case op::GETFIELD:
  case op::PUTFIELD:
    return !(KeepsThis && !isStatic(F, M) && isOwnField(F, D) && isOfThis(I));
  default:
    return mayThrow(F, D, /*OfThis=*/false);
  }
}

std::vector<bool> CodeFlow::throwing(const ClassFile &F, const Method &M) {
  std::vector<bool> Throws(size());
  for (size_t I = 0; I < size(); ++I)
    Throws[I] = throws(I, F, M);
  return Throws;
}

void CodeFlow::mark() {
  // Labels are what a later jump refers to, too.
  for (const uint32_t I : Branches)
    if (isSwitch(I))
      forEachTarget(I, [&](size_t To) { Places[To].IsLabel = true; });
    else
      Places[target(I)].IsLabel = true;
  for (const Handler &H : llvm::reverse(Handlers)) {
    addTarget(H.Start);
    addTarget(H.Target);
  }
  bool Falls = false;
  Place *Line = nullptr;
  const size_t Size = size();
  const Inst *const Code = Insts.data();
  Place *const All = Places.data();
  for (size_t I = 0; I <= Size; ++I) {
    Place &P = All[I];
    if (P.IsLabel && I == 0)
      addTarget(I);
    if (P.IsLabel && Falls) {
      P.IsSuccessor = true;
      P.IsMulti |= P.IsTarget;
    }
    if (I == Size)
      break;
    if (P.Line >= 0)
      Line = &P;
    const uint8_t Flags = Code[I].Flags;
    Falls = !(Flags & Ends);
    if (!(Flags & (Switches | Jumps | Calls)))
      continue;
    if (Flags & Switches)
      forEachTarget(I, [&](size_t To) { addTarget(To); });
    else if (Flags & Jumps)
      addTarget(target(I));
    else if (Flags & Calls && Line)
      Line->HasCalls = true;
  }
}

Error CodeFlow::read(const ClassFile &F, const CodeView &Of) {
  Code = Of.Code;
  if (Error E = decode())
    return E;
  if (Error E = findTargets())
    return E;
  if (Error E = addHandlers(Of))
    return E;
  addTables(F, Of);
  mark();
  return Error::success();
}

std::optional<MethodPoints> CodeFlow::straightPoints(const ClassFile &F,
                                                     const CodeView &Of) {
  if (!Of.Handlers.empty())
    return std::nullopt;
  Bytes Lines;
  for (const Attribute &A : Of.Attributes) {
    if (F.Pool.utf8(A.NameIndex) != "LineNumberTable")
      continue;
    if (!Lines.empty())
      return std::nullopt;
    Lines = A.Data;
  }
  constexpr size_t Row = 4;
  if (!Lines.empty() && Lines.size() % Row != 2)
    return std::nullopt;
  Lines = Lines.drop_front(std::min<size_t>(Lines.size(), 2));
  const OpFacts *const Facts = opFacts();
  const Bytes Code = Of.Code;
  MethodPoints All;
  ProbePoint Line = {ProbePoint::Fall, /*IsLine=*/true, 0, 0};
  bool Waits = false; // for something that Line calls
  for (uint32_t At = 0, Before = 0; At < Code.size();) {
    for (; !Lines.empty() && readU2(Lines.data()) <= At;
         Lines = Lines.drop_front(Row)) {
      if (Lines.size() > Row && readU2(&Lines[Row]) <= readU2(&Lines[0]))
        return std::nullopt;
      if (readU2(&Lines[0]) < At || !readU2(&Lines[2]))
        continue; // at no instruction, or no line
      Waits = At != 0;
      Line.From = uint16_t(Before);
      Line.To = uint16_t(At);
    }
    const OpFacts Op = Facts[Code[At]];
    if (Op.Flags & (LookCloser | Jumps | Switches))
      return std::nullopt;
    if (Op.Flags & Ends) {
      if (At + Op.Length != Code.size())
        return std::nullopt;
      All.Points.push_back(
          {ProbePoint::Leave, false, uint16_t(At), uint16_t(At)});
      All.NumProbes = uint32_t(All.Points.size());
      return All;
    }
    if (Op.Flags & Calls && std::exchange(Waits, false))
      All.Points.push_back(Line);
    Before = At;
    At += Op.Length;
  }
  return std::nullopt;
}

Expected<CodeFlow> CodeFlow::create(const ClassFile &F, const CodeView &Code) {
  CodeFlow Flow;
  if (Error E = Flow.read(F, Code))
    return E;
  return Flow;
}
