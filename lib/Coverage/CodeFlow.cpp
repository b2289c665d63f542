//===- CodeFlow.cpp - Instructions, and the places between them -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeFlow.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/CodeFacts.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallSet.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

Error CodeFlow::decode(Bytes Code) {
  IndexAt.assign(Code.size() + 1, None);
  Insts.reserve(Code.size() / 2 + 1); // as long as most are
  DecodedInst I;
  uint32_t At = 0;
  for (; At < Code.size() && decodeInst(Code, At, I); At = I.end()) {
    if (I.Op == op::RET || I.info().Canonical == op::JSR)
      return makeError("there are subroutines (jsr at " + Twine(At) + ")");
    IndexAt[At] = uint32_t(Insts.size());
    Insts.push_back(I);
  }
  if (At != Code.size())
    return makeError("no instruction can be decoded at " + Twine(At));
  IndexAt[At] = uint32_t(Insts.size());
  Places.resize(Insts.size() + 1);
  return Error::success();
}

Error CodeFlow::checkTargets() const {
  for (const DecodedInst &I : Insts) {
    if (!I.info().Branches)
      continue;
    auto IsWrong = [&](int32_t To) {
      const uint32_t N = indexAt(uint32_t(To));
      return N == None || N == Insts.size();
    };
    bool Wrong = IsWrong(I.Value);
    for (uint32_t C = 0; C < I.NumCases; ++C)
      Wrong |= IsWrong(I.caseTarget(C));
    if (Wrong)
      return makeError("the jump at " + Twine(I.BCI) +
                       " leads to no instruction");
  }
  return Error::success();
}

Error CodeFlow::addHandlers(const CodeView &Code) {
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

void CodeFlow::addLines(const ClassFile &F, const CodeView &Code) {
  for (const LineEntry &L : lineEntries(F, Code)) {
    addLabel(L.Start);
    // Zero is no line, unless it comes behind another one.
    if (uint32_t I = indexAt(L.Start);
        I != None && (L.Line || Places[I].Line >= 0))
      Places[I].Line = L.Line;
  }
}

/// Where variables begin and end there are labels too: they part dead code from
/// what stands before it.
void CodeFlow::addTables(const ClassFile &F, const CodeView &Code) {
  for (const Attribute &A : Code.Attributes) {
    const StringRef Name = F.Pool.utf8(A.NameIndex);
    if (Name == "StackMapTable")
      addFrames(A.Data);
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
    const uint8_t Kind = C.u1();
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
  auto Once = [&](size_t To) {
    if (Seen.insert(To).second)
      Use(To);
  };
  Once(target(I));
  for (uint32_t C = 0; C < Insts[I].NumCases; ++C)
    Once(caseTarget(I, C));
}

bool CodeFlow::isOfThis(size_t I) const {
  if (Insts[I].Op != op::GETFIELD && Insts[I].Op != op::PUTFIELD)
    return false;
  // What is on the stack above the object.
  size_t Above = Insts[I].Op == op::PUTFIELD;
  while (I && Places[I].onlyFallsIn()) {
    const OpcodeInfo &Info = Insts[--I].info();
    if (Info.Canonical == op::DUP && Above <= 1) {
      Above = 0; // either copy may be the object
      continue;
    }
    if (!Above)
      return Info.Canonical == op::ALOAD && Insts[I].Index == 0;
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

std::vector<bool> CodeFlow::throwing(const ClassFile &F,
                                     const Method &M) const {
  bool KeepsThis = !M.is(ACC_STATIC);
  for (const DecodedInst &D : Insts)
    KeepsThis &= D.info().Canonical != op::ASTORE || D.Index != 0;
  std::vector<bool> Throws(size());
  for (size_t I = 0; I < size(); ++I)
    if (Insts[I].info().MayThrow)
      Throws[I] = mayThrow(F, Insts[I], KeepsThis && isOfThis(I));
  return Throws;
}

void CodeFlow::mark() {
  // Labels are what a later jump refers to, too.
  for (size_t I = 0; I < Insts.size(); ++I)
    if (isSwitch(I))
      forEachTarget(I, [&](size_t To) { Places[To].IsLabel = true; });
    else if (Insts[I].info().Branches)
      Places[target(I)].IsLabel = true;
  for (const Handler &H : llvm::reverse(Handlers)) {
    addTarget(H.Start);
    addTarget(H.Target);
  }
  bool Falls = false;
  Place *Line = nullptr;
  for (size_t I = 0; I <= Insts.size(); ++I) {
    Place &P = Places[I];
    if (P.IsLabel && I == 0)
      addTarget(I);
    if (P.IsLabel && Falls) {
      P.IsSuccessor = true;
      P.IsMulti |= P.IsTarget;
    }
    if (I == Insts.size())
      break;
    if (P.Line >= 0)
      Line = &P;
    const OpcodeInfo &Info = Insts[I].info();
    Falls = !Info.EndsBlock;
    if (isSwitch(I))
      forEachTarget(I, [&](size_t To) { addTarget(To); });
    else if (Info.Branches)
      addTarget(target(I));
    else if (Info.Cat == op::CatInvoke && Line)
      Line->HasCalls = true;
  }
}

Expected<CodeFlow> CodeFlow::create(const ClassFile &F, const CodeView &Code) {
  CodeFlow Flow;
  if (Error E = Flow.decode(Code.Code))
    return E;
  if (Error E = Flow.checkTargets())
    return E;
  if (Error E = Flow.addHandlers(Code))
    return E;
  Flow.addLines(F, Code);
  Flow.addTables(F, Code);
  Flow.mark();
  return Flow;
}
