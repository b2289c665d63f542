//===- Slice.cpp - What led to what a program did -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Slice/Slice.h"
#include "ThreadSlicer.h"
#include "jopt/Data/TracePrint.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include <set>

using namespace jopt;
using namespace jopt::slice;
using data::TracedEvent;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Makes one slice.
class Slicer {
public:
  Slicer(const data::Traces &T, ClassContents Classes, const Criterion &From,
         data::LeftOut Tell)
      : T(T), From(From), Tell(Tell), W(T, std::move(Classes)) {}

  Expected<SliceResult> run();

private:
  Error checkLetters() const;
  Expected<uint64_t> findEvent();
  bool isOnLine(const TracedEvent &E);
  Expected<const SlicedMethod *> method(const TracedEvent &E);
  void observe(const TracedEvent &E, SliceFrame *F);
  Expected<std::vector<NodeId>> criterion(const TracedEvent &E,
                                          const SliceFrame *F);
  SliceResult collect(llvm::ArrayRef<NodeId> From) const;
  std::string text(const Doubt &D) const;
  std::string place(SiteId Site) const;
  std::string methodName(SiteId Site) const;

  const data::Traces &T;
  const Criterion &From;
  const data::LeftOut Tell;
  SliceWorld W;
  /// By the class: it is of the file that is asked for.
  std::vector<bool> IsInFile;
  /// What the variable that is asked for held when it was there last.
  std::optional<SliceValue> Variable;
  std::vector<SourceLine> At; ///< where the slice begins
};

} // namespace

Error Slicer::checkLetters() const {
  for (const data::TracedClass &C : T.classes()) {
    const std::string Letters = C.Declared.letters();
    std::string Missing;
    for (char L : NeededLetters)
      if (StringRef(Letters).find(L) == StringRef::npos)
        Missing += L;
    if (!Missing.empty())
      return makeError("a slice needs a trace with the letters " +
                       NeededLetters + ": this one, of '" + Letters +
                       "', lacks " + Missing);
  }
  return Error::success();
}

/// The number of the event at which the slice begins.
Expected<uint64_t> Slicer::findEvent() {
  uint64_t Number = 0, Found = 0, Ids = 0;
  if (From.Execution) {
    const auto HasLine = data::linesOf(T);
    if (Error E = T.forEachEvent(Tell, [&](const TracedEvent &E) {
          ++Number;
          Ids += HasLine(E);
          if (Ids == From.Execution && !Found)
            Found = Number;
          return !Found;
        }))
      return E;
    if (!Found)
      return makeError("the trace has no execution " + Twine(From.Execution) +
                       ": the last one is " + Twine(Ids));
    return Found;
  }
  bool HasFile = false;
  for (const data::TracedClass &C : T.classes()) {
    const trace::ClassDeclarations &D = C.Declared;
    const size_t Slash = D.Name.rfind('/');
    const std::string Path = toDisplayUTF8(
        (Slash == std::string::npos ? "" : D.Name.substr(0, Slash + 1)) +
        D.SourceFile);
    IsInFile.push_back(Path == From.File ||
                       StringRef(Path).ends_with("/" + From.File));
    HasFile |= IsInFile.back();
  }
  if (!HasFile)
    return makeError("no class that was traced is of " + From.File);
  if (Error E = T.forEachEvent(Tell, [&](const TracedEvent &E) {
        ++Number;
        if (isOnLine(E))
          Found = Number;
        return true;
      }))
    return E;
  if (!Found)
    return makeError("the trace has no execution of " + From.File + ":" +
                     Twine(From.Line));
  return Found;
}

/// \p E is an instruction of the line that is asked for.
bool Slicer::isOnLine(const TracedEvent &E) {
  const int32_t Opcode = E.Class->kind(E.Number).Opcode;
  return !IsInFile.empty() && IsInFile[E.Of->Class] &&
         E.Class->event(E.Number).Line == From.Line &&
         (Opcode >= 0 || Opcode == CompletionEvent);
}

Expected<const SlicedMethod *> Slicer::method(const TracedEvent &E) {
  auto C = W.Classes.traced(E.Of->Class);
  if (!C)
    return C.takeError();
  return (*C)->Declared[E.Of->MethodNumber];
}

/// Keeps what a line did, as long as its instructions come one after the other.
void Slicer::observe(const TracedEvent &E, SliceFrame *F) {
  if (!F || From.Execution)
    return;
  if (!isOnLine(E)) {
    if (E.Class->kind(E.Number).Opcode >= 0)
      F->OnLine.clear();
    return;
  }
  F->OnLine.push_back(F->LastNode);
  F->OnLine.push_back(F->control());
  if (F->Pending)
    for (const SliceValue &V : F->Pending->Arguments)
      F->OnLine.push_back(V.Node);
  if (From.Variable.empty() || !F->Last)
    return;
  const DecodedInst &I = *F->Last;
  if (auto Slot = F->Method->variable(From.Variable, I.end());
      Slot && *Slot < F->Locals.size())
    Variable = F->Locals[*Slot];
  else if (I.info().Cat == op::CatField &&
           F->Method->Class->File->Pool.member(I.Index).Name == From.Variable)
    Variable = {F->LastNode, 0};
}

/// What the slice is of, as \p E has just been handled.
Expected<std::vector<NodeId>> Slicer::criterion(const TracedEvent &E,
                                                const SliceFrame *F) {
  if (!From.Variable.empty()) {
    if (!Variable)
      return makeError("no variable '" + From.Variable +
                       "' is known at that line: classes compiled with -g "
                       "name theirs");
    return std::vector<NodeId>{Variable->Node};
  }
  if (!F)
    return std::vector<NodeId>();
  const int32_t Line = E.Class->event(E.Number).Line;
  if (Line >= 0 && !E.IsEnter)
    At.push_back({F->Method->Class->SourceFile, Line});
  if (!From.Execution)
    return F->OnLine;
  std::vector<NodeId> Nodes = {F->control()};
  const int32_t Opcode = E.Class->kind(E.Number).Opcode;
  if (Opcode < 0 && Opcode != CompletionEvent)
    return Nodes;
  Nodes.push_back(F->LastNode);
  if (F->LastNode == 0 && !F->Stack.empty())
    Nodes.push_back(F->Stack.back().Node);
  if (F->Pending)
    for (const SliceValue &V : F->Pending->Arguments)
      Nodes.push_back(V.Node);
  return Nodes;
}

Expected<SliceResult> Slicer::run() {
  if (Error E = checkLetters())
    return E;
  auto Last = findEvent();
  if (!Last)
    return Last.takeError();
  std::map<uint32_t, ThreadSlicer> Threads;
  uint64_t Number = 0;
  std::vector<NodeId> Nodes;
  Error Failed = Error::success();
  // findEvent() has reported damaged parts.
  auto Use = [&](const TracedEvent &E) {
    auto M = method(E);
    if (!M) {
      Failed = M.takeError();
      return false;
    }
    auto [It, IsNew] =
        Threads.try_emplace(E.Thread->Number, W, E.Thread->Number);
    SliceFrame *F = It->second.handle(E, *M);
    observe(E, F);
    if (W.Nodes.size() > From.MaxExecutions) {
      Failed =
          makeError("the trace has more than " + Twine(From.MaxExecutions) +
                    " executions up to there: -limit= allows more");
      return false;
    }
    if (++Number < *Last)
      return true;
    if (auto Found = criterion(E, F))
      Nodes = std::move(*Found);
    else
      Failed = Found.takeError();
    return false;
  };
  if (Error E = T.forEachEvent([](const Twine &) {}, Use)) {
    llvm::consumeError(std::move(Failed));
    return E;
  }
  if (Failed)
    return Failed;
  return collect(Nodes);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

std::string Slicer::place(SiteId Site) const {
  const SourceLine L = W.Classes.line(Site);
  return L.File + ":" + (L.Line < 0 ? "?" : std::to_string(L.Line));
}

std::string Slicer::methodName(SiteId Site) const {
  const SlicedMethod &M = *W.Classes.method(Site);
  return toDisplayUTF8(
      (M.Class->File->name() + "." + M.Name + M.Descriptor).str());
}

std::string Slicer::text(const Doubt &D) const {
  const SlicedMethod &M = *W.Classes.method(D.Site);
  const std::string Where = place(D.Site) + ": ";
  const std::string There = D.Other ? place(D.Other) : "code not traced";
  DecodedInst I;
  std::string Member = "a variable";
  if (M.decode(D.Site - M.FirstSite, I)) {
    const MemberRef R = M.Class->File->Pool.member(I.Index);
    if (I.info().Cat == op::CatField || I.info().Cat == op::CatInvoke)
      Member = toDisplayUTF8(
          ((R.Owner.empty() ? StringRef("invokedynamic") : R.Owner) + "." +
           R.Name + (I.info().Cat == op::CatInvoke ? R.Descriptor : ""))
              .str());
    else if (I.info().Cat == op::CatArray)
      Member = "an element";
  }
  switch (D.Kind) {
  case Doubt::UntracedCall:
    return Where + Member +
           " is not traced: taken to depend on all that it was given";
  case Doubt::UntracedCaller:
    return Where + methodName(D.Site) +
           " was called by code that is not traced";
  case Doubt::Unknown:
    return Where + "no traced code wrote the value of " + Member;
  case Doubt::TakenByHash:
    return Where +
           "an object from code that is not traced is taken for that "
           "of " +
           There + ", which has its identity hash";
  case Doubt::SameHash:
    return Where +
           "several objects have the identity hash of this one; that "
           "of " +
           There + " is one of them";
  case Doubt::OtherThread:
    return Where + Member + " was written by another thread, at " + There +
           ": the order of threads is known to the millisecond";
  case Doubt::BeforeSuper:
    return Where + Member +
           " has branches in front of its super(), where nothing is told: "
           "taken to depend on all that it was given";
  }
  llvm_unreachable("all kinds are listed");
}

SliceResult Slicer::collect(llvm::ArrayRef<NodeId> Nodes) const {
  std::set<SourceLine> Lines(At.begin(), At.end());
  std::set<std::string> Doubts;
  std::set<SiteId> Sites;
  W.Nodes.forEach(Nodes, [&](NodeId N, llvm::ArrayRef<Doubt> Of) {
    if (SiteId S = W.Nodes.site(N))
      Sites.insert(S);
    for (const Doubt &D : Of)
      Doubts.insert(text(D));
  });
  for (SiteId S : Sites)
    Lines.insert(W.Classes.line(S));
  return {{Lines.begin(), Lines.end()}, {Doubts.begin(), Doubts.end()}};
}

Expected<SliceResult> jopt::slice::slice(const data::Traces &T,
                                         ClassContents Classes,
                                         const Criterion &From,
                                         data::LeftOut Tell) {
  return Slicer(T, std::move(Classes), From, Tell).run();
}
