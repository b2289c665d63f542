//===- ClassAdvices.cpp - Which advices select what in a class
//----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/ClassAdvices.h"
#include "jopt/Advice/Sensitive.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/Annotations.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/AdviceRun.h"
#include "jopt/Passes/PlaceNumbers.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;

ServiceKey ClassAdvices::Key;

ClassAdvices::ClassAdvices(PassContext &C, const ClassEditor &Editor,
                           const AdviceRunOptions &O)
    : C(C), Class(C.classFile()), Editor(Editor), O(O),
      Set(O.Advices ? *O.Advices : Empty) {
  C.add(*this);
}

ClassAdvices::~ClassAdvices() {
  if (Matched.NumAlike)
    Rules->countSame(counted(), Matched.NumAlike);
  for (const Callee &Of : Calls.Callees)
    for (size_t By = 0; By < Of.Selections.size(); ++By)
      if (const unsigned Times = Of.Selections[By].NumCounted)
        O.Match->countCall(Of.Match, Calls.Callers[By], Times);
}

/// The names of the annotations among \p Attributes, if a rule asks for any.
llvm::SmallVector<llvm::StringRef, 4>
ClassAdvices::annotations(llvm::ArrayRef<Attribute> Attributes) const {
  llvm::SmallVector<llvm::StringRef, 4> Names;
  if (O.Match->needsAnnotations())
    findAnnotations(Class.Pool, Attributes, Names);
  return Names;
}

/// Some probe may select something in a class of this kind.
bool ClassAdvices::looksInto() const {
  return O.Match && !Set.empty() &&
         (!Class.isInterface() || O.Match->needsInterfaces());
}

const ClassAdvices::Selection &ClassAdvices::find(const Method &M) {
  if (C.attempt().onlyRequired() || Editor.isAdded(M))
    return Matched.Nothing;
  Last = {&M, &match(M)};
  return *Last.Match;
}

/// \p A is for synchronized methods alone.
static bool takesLock(const Advice &A) {
  return llvm::is_contained(A.Data, DataItem::Lock);
}

const ClassAdvices::Selection &ClassAdvices::match(const Method &M) {
  if (!this->Rules && !looksInto())
    return Matched.Nothing;
  ClassMatcher &Rules = rules();
  if (!Rules.maySelect(Class.name(M)))
    return Matched.Nothing;
  if (M.Number >= Matched.Of.size())
    Matched.Of.resize(Class.Methods.size());
  const Selection *&Known = Matched.Of[M.Number];
  if (Known)
    return *Known;
  Known = &Matched.Nothing;
  if (!M.IR && M.codeAttribute(Class.Pool) < 0)
    return *Known;
  const bool IsLikeAll = Rules.isSameForAll() && !O.SkipSensitive;
  const Selection *&All = Matched.All[methodIs(Class, M, ACC_SYNCHRONIZED)];
  if (IsLikeAll && All) {
    ++Matched.NumAlike;
    return *(Known = All);
  }
  auto Annotations = annotations(M.Attributes);
  llvm::SmallVector<unsigned, 4> Selected = Rules.match(
      {Class.name(M), Class.descriptor(M), Annotations, isStatic(Class, M)},
      /*Only=*/nullptr, counted());
  llvm::erase_if(Selected, [&](unsigned P) {
    return refuses(P) ||
           (O.SkipSensitive && skips(M, /*Guarded=*/!Set.Probes[P].HasMode));
  });
  if (!Selected.empty())
    Known = &chosen(Selected, methodIs(Class, M, ACC_SYNCHRONIZED));
  if (IsLikeAll)
    All = Known;
  return *Known;
}

/// The advices of \p Probes: one list for all methods with the same.
const ClassAdvices::Selection &
ClassAdvices::chosen(llvm::ArrayRef<unsigned> Probes, bool Synchronized) {
  for (const auto *Of : Matched.Lists)
    if (Of->Synchronized == Synchronized && Of->Probes == Probes)
      return Of->Has;
  llvm::SmallVector<unsigned, 8> List;
  Selection Found;
  for (unsigned I = 0; I < Set.Advices.size(); ++I) {
    const Advice &A = Set.Advices[I];
    if (!llvm::is_contained(Probes, A.Probe) || isWithdrawn(I) ||
        A.Result == ResultUse::Decide || (takesLock(A) && !Synchronized))
      continue;
    List.push_back(I);
    Found.Kinds |= uint64_t(1) << unsigned(A.Kind);
  }
  // Who asks for advices knows lists by where they are.
  for (const auto *Of : Matched.Lists)
    if (Of->Probes == Probes && Of->Has.Advices == llvm::ArrayRef(List))
      Found.Advices = Of->Has.Advices;
  if (Found.Advices.empty())
    Found.Advices = llvm::ArrayRef(List).copy(Class.allocator());
  using Chosen = decltype(Matched)::Chosen;
  Matched.Lists.push_back(new (Class.allocator()) Chosen{
      Probes.copy(Class.allocator()), Synchronized, Found});
  return Matched.Lists.back()->Has;
}

uint64_t ClassAdvices::kinds() const { return O.Match ? O.Match->kinds() : 0; }

bool ClassAdvices::hasClassProbes() const {
  return O.Match && O.Match->classProbes().any();
}

bool ClassAdvices::hasTrace() const { return O.Match && O.Match->hasTrace(); }

bool ClassAdvices::maySelect() {
  if (MaySelect)
    return *MaySelect;
  auto HasCode = [&](const Method &M) {
    return M.IR || M.codeAttribute(Class.Pool) >= 0;
  };
  MaySelect = looksInto() && llvm::any_of(Class.Methods, HasCode) &&
              llvm::any_of(Class.Methods, [&](const Method &M) {
                return rules().maySelect(Class.name(M)) && HasCode(M);
              });
  return *MaySelect;
}

ClassMatcher &ClassAdvices::makeRules() {
  llvm::SmallVector<llvm::StringRef, 4> Interfaces;
  if (!O.Match->isSameForClasses())
    for (uint16_t I : Class.Interfaces)
      Interfaces.push_back(Class.Pool.className(I));
  return Rules.emplace(*O.Match,
                       MatchClass{Class.name(), Interfaces, Class.isInterface(),
                                  Class.superName(),
                                  annotations(Class.Attributes), O.Ancestry});
}

MatchCount ClassAdvices::counted() const {
  return O.CountMatches ? MatchCount::Count : MatchCount::Ignore;
}

/// The class has \p Probe already, or is to do without.
bool ClassAdvices::refuses(unsigned Probe) {
  if (Probe < O.Without.size() && O.Without.test(Probe))
    return true;
  if (Probe >= O.Present.size() || !O.Present.test(Probe))
    return false;
  Refused.resize(unsigned(Set.Probes.size()));
  Refused.set(Probe);
  return true;
}

/// No probe may go into \p M, though one would.
bool ClassAdvices::skips(const Method &M, bool Guarded) {
  if (!O.SkipSensitive)
    return false;
  llvm::StringRef Why = whySensitive(Class.name(), Class.name(M), Guarded);
  if (Why.empty())
    return false;
  std::vector<std::string> &Names = Sensitive[Why];
  std::string Name = toDisplayUTF8(Class.name(M));
  if (!llvm::is_contained(Names, Name))
    Names.push_back(std::move(Name));
  return true;
}

void ClassAdvices::reportRefused() {
  if (Refused.any()) {
    std::string Text = "has probes already that are not put in again without "
                       "-reinstrument:";
    for (unsigned P : Refused.set_bits())
      Text += " '" + Set.Probes[P].Name + "'";
    C.report(ReportRow::problem(ReportRow::Present, std::move(Text)));
  }
  for (const auto &[Why, Names] : Sensitive) {
    std::string Text = "no probe in '" + llvm::join(Names, "' '") + "': ";
    C.report(ReportRow::problem(ReportRow::Undone,
                                Text + Why.str() +
                                    "; its calls can be probed instead"));
  }
}

llvm::BitVector ClassAdvices::classProbes() {
  llvm::BitVector Found(unsigned(Set.Probes.size()));
  if (!looksInto())
    return Found;
  const llvm::BitVector &Wanted = O.Match->classProbes();
  if (Wanted.any())
    // Methods with code are counted when they are asked for their advices.
    for (const Method &M : Class.Methods) {
      bool HasCode = M.IR || M.codeAttribute(Class.Pool) >= 0;
      // A method without code in an interface has no use for the state of its
      // class. Methods with code are not counted here, so they are matched only
      // while that may find more probes.
      if (HasCode ? Found == Wanted && !O.SkipSensitive : Class.isInterface())
        continue;
      auto Annotations = annotations(M.Attributes);
      for (unsigned P :
           rules().match({Class.name(M), Class.descriptor(M), Annotations,
                          isStatic(Class, M)},
                         &Wanted, HasCode ? MatchCount::Ignore : counted()))
        if (!refuses(P) && !skips(M, !Set.Probes[P].HasMode))
          Found.set(P);
    }
  return Found;
}

void ClassAdvices::withdraw(unsigned N) {
  Withdrawn.resize(unsigned(Set.Advices.size()));
  Withdrawn.set(N);
}

ClassAdvices::Callee &ClassAdvices::callee(unsigned Index) {
  if (Index >= Calls.CalleeOf.size())
    Calls.CalleeOf.resize(std::max<size_t>(Class.Pool.size(), Index + 1));
  uint32_t &Known = Calls.CalleeOf[Index];
  if (Known)
    return Calls.Callees[Known - 1];
  const bool IsDynamic = Class.Pool.has(Index, CPTag::InvokeDynamic);
  uint32_t &Alike = Calls.Alike[IsDynamic];
  if (Alike) {
    Known = Alike;
    return Calls.Callees[Known - 1];
  }
  const MemberRef Member = Class.callee(Index);
  CalleeMatch Match = O.Match->matchCallee(Member.Owner, Member.Name,
                                           Member.Descriptor, IsDynamic);
  llvm::BitVector Refuses(Match.Probes.size());
  for (unsigned P : Match.Probes.set_bits())
    if (refuses(P))
      Refuses.set(P);
  if (Refuses.any()) {
    // They match nevertheless, which nothing else counts.
    if (counted() == MatchCount::Count)
      O.Match->countCall(Match, Refuses, 1);
    Match.Probes.reset(Refuses);
  }
  auto It = llvm::find_if(Calls.Callees,
                          [&](const Callee &Of) { return Of.Match == Match; });
  Known = uint32_t(It - Calls.Callees.begin()) + 1;
  if (O.Match->isSameForCallees())
    Alike = Known;
  if (It != Calls.Callees.end())
    return *It;
  Calls.Callees.push_back({std::move(Match), {}});
  return Calls.Callees.back();
}

/// The number of those that call as \p M does.
unsigned ClassAdvices::caller(const Method &M) {
  if (Calls.AreCallersAlike)
    return 0;
  if (M.Number >= Calls.CallerOf.size())
    Calls.CallerOf.resize(std::max<size_t>(Class.Methods.size(), M.Number + 1));
  uint32_t &Known = Calls.CallerOf[M.Number];
  // Where a method was that passes took away again, another one may be.
  if (Known && !Editor.isAdded(M))
    return Known - 1;
  llvm::BitVector Selected = O.Match->matchCaller(
      {Class.name(),
       {},
       Class.isInterface(),
       {},
       annotations(Class.Attributes)},
      Class.name(M), Class.descriptor(M), annotations(M.Attributes));
  if (Selected.any() && skips(M))
    Selected.reset();
  const auto It = llvm::find(Calls.Callers, Selected);
  Known = uint32_t(It - Calls.Callers.begin()) + 1;
  if (It == Calls.Callers.end())
    Calls.Callers.push_back(std::move(Selected));
  Calls.AreCallersAlike = O.Match->isSameForCallers() && !O.SkipSensitive;
  return Known - 1;
}

/// The pool entries whose calls some probe selects, as the pool was when they
/// were first asked for.
const llvm::BitVector &ClassAdvices::selectedCallees() {
  if (Calls.Selected)
    return *Calls.Selected;
  const ConstantPool &Pool = Class.Pool;
  Calls.Selected.emplace(Pool.size());
  for (unsigned I = 1; I < Pool.size(); ++I)
    if ((Pool.has(I, CPTag::Methodref) ||
         Pool.has(I, CPTag::InterfaceMethodref) ||
         (O.Match->needsDynamicCalls() && Pool.has(I, CPTag::InvokeDynamic))) &&
        callee(I).Match.Probes.any())
      Calls.Selected->set(I);
  return *Calls.Selected;
}

bool ClassAdvices::hasSelectedCall(const Method &M) {
  if (C.attempt().onlyRequired() || !looksInto() ||
      O.Match->callProbes().none())
    return false;
  const llvm::BitVector &Selected = selectedCallees();
  if (Selected.none())
    return false;
  const llvm::BitVector &Caller = Calls.Callers[caller(M)];
  if (Caller.none())
    return false;
  Bytes Code = M.code(Class.Pool);
  if (Code.empty())
    return M.IR != nullptr; // parsed from text: its Body tells
  DecodedInst I;
  for (uint32_t At = 0; At < Code.size();) {
    const Opcode Op = Code[At];
    const bool Calls = Op >= op::INVOKEVIRTUAL && Op <= op::INVOKEDYNAMIC;
    if (const uint32_t Length = lengthAt(Code, At); Length && !Calls) {
      At += Length;
      continue;
    }
    if (!decodeInst(Code, At, I))
      return true; // whoever lifts it says what is wrong
    if (Calls && I.Index < Selected.size() && Selected.test(I.Index) &&
        callee(I.Index).Match.Probes.anyCommon(Caller))
      return true;
    At = I.end();
  }
  return false;
}

/// Those of call kinds of \p Probes.
llvm::ArrayRef<unsigned>
ClassAdvices::callAdvices(const llvm::BitVector &Probes) {
  llvm::SmallVector<unsigned, 8> List;
  for (unsigned I = 0; I < Set.Advices.size(); ++I)
    if (Probes.test(Set.Advices[I].Probe) && !isWithdrawn(I) &&
        Set.Advices[I].Result != ResultUse::Decide)
      List.push_back(I);
  for (llvm::ArrayRef<unsigned> Known : Calls.Lists)
    if (Known == llvm::ArrayRef(List))
      return Known;
  Calls.Lists.push_back(llvm::ArrayRef(List).copy(Class.allocator()));
  return Calls.Lists.back();
}

ClassAdvices::CallSelection &ClassAdvices::findCallSelection(const Method &M,
                                                             unsigned Index) {
  if (!O.Match)
    return Calls.Nothing;
  const unsigned By = caller(M);
  Callee &Of = callee(Index);
  if (By >= Of.Selections.size())
    Of.Selections.resize(By + 1);
  CallSelection &Found = Of.Selections[By];
  const llvm::BitVector &Caller = Calls.Callers[By];
  if (!Found.IsKnown && Of.Match.Probes.anyCommon(Caller))
    Found.Advices =
        callAdvices(O.Match->matchCall(Of.Match, Caller, MatchCount::Ignore));
  Found.IsKnown = true;
  Found.IsCounted = !Found.Advices.empty() && counted() == MatchCount::Count;
  return Found;
}

bool ClassAdvices::keepsSites() const { return O.ReportDetails; }

uint32_t ClassAdvices::takePlaceNumber() const {
  return O.Numbers ? O.Numbers->take() : 0;
}

/// By bytecode index, of \p Lines that are in order; of several entries at one
/// place the last counts.
static uint16_t lineAt(llvm::ArrayRef<LineEntry> Lines, int32_t BCI) {
  const LineEntry *Behind = llvm::upper_bound(
      Lines, BCI, [](int32_t At, const LineEntry &L) { return At < L.Start; });
  return Behind == Lines.begin() ? 0 : Behind[-1].Line;
}

/// A method from text has no table of lines.
void ClassAdvices::addLines(const Method &M,
                            llvm::ArrayRef<ReportRow::Site> Of) {
  llvm::append_range(Placed.Sites, Of);
  const auto Sites = llvm::MutableArrayRef(Placed.Sites).take_back(Of.size());
  if (std::exchange(Placed.Last, &M) != &M) {
    Placed.Lines.clear();
    CodeView Code;
    if (M.IR && M.IR->Patch) {
      Placed.Lines = lineEntries(Class, M.IR->Patch->Code);
    } else if (const int At = M.codeAttribute(Class.Pool); At >= 0) {
      if (llvm::Error E = parseCode(Class, M.Attributes[size_t(At)].Data, Code))
        return llvm::consumeError(std::move(E));
      Placed.Lines = lineEntries(Class, Code);
    }
    auto InCode = [](const LineEntry &A, const LineEntry &B) {
      return A.Start < B.Start;
    };
    if (!llvm::is_sorted(Placed.Lines, InCode))
      llvm::stable_sort(Placed.Lines, InCode);
  }
  for (ReportRow::Site &S : Sites)
    S.Line = S.BCI < 0 ? 0 : lineAt(Placed.Lines, S.BCI);
}

void ClassAdvices::reportPlaced(const Method &M, unsigned Probe, unsigned Count,
                                llvm::ArrayRef<ReportRow::Site> Sites) {
  if (!Count)
    return;
  auto &All = Placed.Probes;
  // Passes place one after the other.
  if (!All.empty() && Sites.empty() && All.back().Where == &M &&
      All.back().Probe == Probe && !All.back().NumSites) {
    All.back().Count += Count;
    return;
  }
  addPlaced({&M, Probe, Count, Placed.Sites.size(), Sites.size()}, Sites);
}

LLVM_ATTRIBUTE_NOINLINE
void ClassAdvices::addPlaced(const PlacedProbe &P,
                             llvm::ArrayRef<ReportRow::Site> Sites) {
  if (Placed.Probes.empty())
    Placed.Probes.reserve(Class.Methods.size());
  else
    Placed.InOrder &= Placed.Probes.back().Where->Number <= P.Where->Number;
  Placed.Probes.push_back(P);
  if (!Sites.empty())
    addLines(*P.Where, Sites);
}

void ClassAdvices::withdrawPlaced(const Method &M) {
  // Methods that fail one after the other must not look at all rows each.
  auto First = Placed.Probes.begin();
  if (Placed.InOrder)
    First = llvm::partition_point(Placed.Probes, [&](const PlacedProbe &P) {
      return P.Where->Number < M.Number;
    });
  Placed.Probes.erase(
      std::remove_if(First, Placed.Probes.end(),
                     [&](const PlacedProbe &P) { return P.Where == &M; }),
      Placed.Probes.end());
}

llvm::BitVector ClassAdvices::placedProbes() const {
  llvm::BitVector Probes(unsigned(Set.Probes.size()));
  for (const PlacedProbe &P : Placed.Probes)
    Probes.set(P.Probe);
  return Probes;
}

/// Those in no code last.
static void sortByPlace(llvm::MutableArrayRef<ReportRow::Site> Sites) {
  auto InCode = [](const auto &A, const auto &B) {
    return uint32_t(A.BCI) < uint32_t(B.BCI);
  };
  // A few are nearly in order, and need no memory.
  if (Sites.size() > 8)
    return llvm::stable_sort(Sites, InCode);
  for (auto I = Sites.begin(); I != Sites.end(); ++I)
    std::rotate(std::upper_bound(Sites.begin(), I, *I, InCode), I, I + 1);
}

EncodedReport ClassAdvices::placedRows() {
  EncodedReport Rows;
  auto &All = Placed.Probes;
  auto Number = [](const PlacedProbe &P) { return P.Where->Number; };
  auto ByMethod = [&](const PlacedProbe &A, const PlacedProbe &B) {
    return Number(A) < Number(B);
  };
  // Passes ran one after the other over a method, or over the class.
  if (!llvm::is_sorted(All, ByMethod))
    llvm::stable_sort(All, ByMethod);
  llvm::SmallVector<ReportRow::Site, 16> Sites;
  for (auto Of = All.begin(); Of != All.end();) {
    const Method &M = *Of->Where;
    const auto End = std::find_if(
        Of, All.end(), [&](const PlacedProbe &P) { return P.Where != &M; });
    Rows.beginMethod(M.Number, Class.name(M), Class.descriptor(M));
    for (; Of != End; ++Of) {
      Sites.clear();
      unsigned Count = 0;
      for (auto P = Of; P != End; ++P) {
        if (P->Probe != Of->Probe)
          continue;
        // Move its count into this row.
        Count += std::exchange(P->Count, 0);
        llvm::append_range(
            Sites, llvm::ArrayRef(Placed.Sites).slice(P->First, P->NumSites));
      }
      if (!Count)
        continue;
      sortByPlace(Sites);
      Rows.add(Of->Probe, Set.Probes[Of->Probe].Name, Count, Sites);
    }
  }
  return Rows;
}
