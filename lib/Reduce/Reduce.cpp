//===- Reduce.cpp - The smallest class that still goes wrong --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Reduce/Reduce.h"
#include "Reducers.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace jopt;
using namespace jopt::reduce;
using llvm::Error;
using llvm::Expected;

llvm::ArrayRef<Reducer> jopt::reduce::getReducers() {
  static constexpr Reducer All[] = {
      {"probes", reduceProbes},         {"advices", reduceAdvices},
      {"methods", reduceMethods},       {"code", reduceCode},
      {"fields", reduceFields},         {"interfaces", reduceInterfaces},
      {"attributes", reduceAttributes}, {"ranges", reduceRanges},
      {"edges", reduceEdges},           {"instructions", reduceInstructions},
      {"operations", reduceOperations}, {"targets", reduceTargets},
      {"constants", reduceConstants},   {"pool", reducePool},
  };
  return All;
}

namespace {
class DeltaDebugger {
public:
  DeltaDebugger(Bytes Input, llvm::StringRef Name, bool IsText,
                const ReduceOptions &O)
      : Best(Input.begin(), Input.end()), Name(Name), IsText(IsText), O(O) {}

  Expected<ReduceResult> run();

private:
  Expected<bool> ask(const Data &Candidate);
  Expected<bool> tryWithout(const Reducer &R, unsigned Begin, unsigned End);
  Expected<bool> run(const Reducer &R);
  Expected<Subject> subject() const {
    return Subject::read(Best, Name, IsText);
  }

  Data Best;
  llvm::StringRef Name;
  const bool IsText;
  const ReduceOptions &O;
  /// The input verifies, and candidates must.
  bool Checked = true;
  llvm::StringSet<> Known; ///< candidates that were asked for
  unsigned Asked = 0;
};
} // namespace

Expected<bool> DeltaDebugger::ask(const Data &Candidate) {
  ++Asked;
  return O.IsInteresting(Candidate);
}

/// Makes the subject without those parts the best one, if it is interesting.
Expected<bool> DeltaDebugger::tryWithout(const Reducer &R, unsigned Begin,
                                         unsigned End) {
  auto S = subject();
  if (!S)
    return S.takeError();
  Oracle Leaves(Begin, End);
  R.Run(*S, Leaves);
  auto Candidate = S->write(Checked);
  if (!Candidate) {
    // It is not legal, so nobody wants it.
    llvm::consumeError(Candidate.takeError());
    return false;
  }
  if (!Known.insert(toStringRef(*Candidate)).second)
    return false;
  auto Interesting = ask(*Candidate);
  if (Interesting && *Interesting)
    Best = std::move(*Candidate);
  return Interesting;
}

/// Leaves out what \p R can do without: all of it, halves, quarters ..., the
/// last things first, as those before them lose their uses.
Expected<bool> DeltaDebugger::run(const Reducer &R) {
  auto S = subject();
  if (!S)
    return S.takeError();
  Oracle Counts;
  R.Run(*S, Counts);
  bool Any = false;
  for (unsigned Size = Counts.count(); Size; Size /= 2) {
    // The reduced class may have fewer parts by now.
    auto Now = subject();
    if (!Now)
      return Now.takeError();
    Oracle Left;
    R.Run(*Now, Left);
    for (unsigned End = Left.count(); End;) {
      const unsigned Begin = End > Size ? End - Size : 0;
      auto Done = tryWithout(R, Begin, End);
      if (!Done)
        return Done;
      Any |= *Done;
      End = Begin;
    }
  }
  if (Any && O.Progress)
    O.Progress(R.Name, Best.size());
  return Any;
}

Expected<ReduceResult> DeltaDebugger::run() {
  auto S = subject();
  if (!S)
    return S.takeError();
  if (Error E = S->write(/*Checked=*/true).takeError()) {
    llvm::consumeError(std::move(E));
    Checked = false;
  }
  Known.insert(toStringRef(Best));
  auto Interesting = ask(Best);
  if (!Interesting)
    return Interesting.takeError();
  if (!*Interesting)
    return makeError(Location(Name),
                     "the test says that it is not interesting");
  // One reducer makes room for others. Each round ends with less, or is last.
  for (size_t Before = SIZE_MAX; Best.size() < Before;) {
    Before = Best.size();
    for (const Reducer &R : getReducers())
      if (auto Any = run(R); !Any)
        return Any.takeError();
  }
  ReduceResult Result;
  auto Final = subject();
  if (!Final)
    return Final.takeError();
  Result.Instructions = Final->countInstructions();
  Result.Data = std::move(Best);
  Result.Asked = Asked;
  return Result;
}

Expected<ReduceResult> jopt::reduceClass(Bytes Input, llvm::StringRef Name,
                                         bool IsText, const ReduceOptions &O) {
  return DeltaDebugger(Input, Name, IsText, O).run();
}
