//===- TraceDiff.cpp - Where two runs part --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A run is read from its beginning on, all threads of it at once, so it cannot
/// wait for the other. It is read twice: first a hash of each thread's events
/// so far is kept at every thousandth, which tells the thousand in which two
/// threads part; then the events of these.
///
//===----------------------------------------------------------------------===//

#include "jopt/Data/TraceDiff.h"
#include "jopt/Data/TraceCalls.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// Events between two hashes that are kept.
static constexpr uint64_t Stride = 1024;
/// Events that are shown before and behind.
static constexpr uint64_t RowsBefore = 5, RowsBehind = 5;
/// Threads that are shown.
static constexpr size_t MostParted = 100;

/// The event number \p Number of \p C: "p.T.step(I)I line 3 index 7 $iinc$ 1".
static std::string textOf(const TracedClass &C, uint32_t Number, bool HasLine) {
  const uint32_t Method = C.Methods[Number];
  const trace::ClassDeclarations &D = C.Declared;
  const trace::MethodDeclaration &M = D.Methods[Method];
  const trace::Event &E = C.event(Number);
  const trace::Kind &K = D.Kinds[E.Kind];
  std::string Text =
      displayName(C, Method) + toDisplayUTF8(D.Strings[M.Descriptor]);
  if (HasLine && E.Line >= 0)
    Text += " line " + std::to_string(E.Line);
  Text += " index " + std::to_string(E.BCI) + " " + K.Type;
  for (size_t I = 0; I < K.Operands.size(); ++I) {
    const trace::Operand &O = M.Operands[E.FirstOperand + I];
    const std::string Operand = K.Operands[I] == 's'
                                    ? toDisplayUTF8(D.Strings[O.String])
                                    : std::to_string(O.Number);
    if (!Operand.empty())
      Text += " " + Operand;
  }
  return Text;
}

namespace {
/// An event, without its run's numbers.
struct Kept {
  uint64_t Same; ///< equal for the same events
  uint32_t Class = 0, Number = 0, Level = 0;
  bool IsReturn = false, IsArray = false, IsNull = false, IsNullValue = false;
  int32_t Index = 0;
  uint32_t Length = 0;
};

/// What a thread of one run did.
struct ThreadRun {
  uint64_t Events = 0;
  uint64_t Hash = 0;            ///< of all of them
  std::vector<uint64_t> Hashes; ///< behind every Stride of them
  // Around where it parts from the other, if it does:
  uint64_t From = ~uint64_t(0);
  std::vector<Kept> Window;
  TracedStack Stack; ///< before the first of Window
};

/// Threads have names, and those of one name numbers.
using ThreadKey = std::pair<std::string, size_t>;

/// One of the runs.
class TraceSide {
public:
  TraceSide(const Traces &T, TraceFilter Filter)
      : T(T), Filter(std::move(Filter)), Hashes(T.classes().size()) {}

  Error hash(LeftOut Tell);
  /// Gives its only thread another name.
  void rename(std::string Name);
  Error collect(LeftOut Tell);
  std::string text(const Kept &K) const;

  const Traces &T;
  std::map<ThreadKey, ThreadRun> Threads;

private:
  Kept kept(const TracedEvent &E);
  ThreadRun &thread(const TracedEvent &E);

  TraceFilter Filter;
  /// Of each declared event; of classes that have any in the run.
  std::vector<std::vector<uint64_t>> Hashes;
  std::map<uint32_t, ThreadRun *> ByNumber;
  std::map<std::string, size_t> Names;
};
} // namespace

static uint64_t mix(uint64_t A, uint64_t B) {
  A = (A ^ B) * 0x9e3779b97f4a7c15;
  return A ^ A >> 29;
}

Kept TraceSide::kept(const TracedEvent &E) {
  std::vector<uint64_t> &Known = Hashes[E.Of->Class];
  if (Known.empty())
    // Lines are not compared: the rest of a method may stand lower.
    for (uint32_t N = 0; N < E.Class->Methods.size(); ++N)
      Known.push_back(llvm::xxh3_64bits(textOf(*E.Class, N, false)));
  Kept K{Known[E.Number], E.Of->Class, E.Number, E.Level};
  K.IsReturn = E.IsReturn;
  K.IsArray = E.IsArray;
  K.IsNull = E.HasObject && E.Object == 0;
  K.IsNullValue = E.HasValue && E.Value == 0;
  K.Index = E.Index;
  K.Length = E.Length;
  K.Same = mix(K.Same, uint64_t(K.IsNull) << 1 | uint64_t(K.IsNullValue));
  if (K.IsArray)
    K.Same = mix(K.Same, uint64_t(K.Length) << 32 | uint32_t(K.Index));
  return K;
}

ThreadRun &TraceSide::thread(const TracedEvent &E) {
  ThreadRun *&R = ByNumber[E.Thread->Number];
  if (!R)
    R = &Threads[{E.Thread->Name, Names[E.Thread->Name]++}];
  return *R;
}

Error TraceSide::hash(LeftOut Tell) {
  Error Failed = T.forEachEvent(Tell, [&](const TracedEvent &E) {
    if (!Filter.wants(E))
      return true;
    ThreadRun &R = thread(E);
    R.Hash = mix(R.Hash, kept(E).Same);
    if (++R.Events % Stride == 0)
      R.Hashes.push_back(R.Hash);
    return true;
  });
  return Failed ? std::move(Failed) : Filter.finish();
}

void TraceSide::rename(std::string Name) {
  auto Only = Threads.extract(Threads.begin()); // ByNumber points to it
  Only.key() = {std::move(Name), 0};
  Threads.insert(std::move(Only));
}

Error TraceSide::collect(LeftOut Tell) {
  std::map<uint32_t, uint64_t> Places;
  return T.forEachEvent(Tell, [&](const TracedEvent &E) {
    if (!Filter.wants(E))
      return true;
    ThreadRun &R = *ByNumber[E.Thread->Number];
    const uint64_t Place = Places[E.Thread->Number]++;
    if (Place + RowsBefore >= R.From && Place < R.From + Stride + RowsBehind)
      R.Window.push_back(kept(E));
    else if (Place < R.From)
      R.Stack.add(E);
    return true;
  });
}

std::string TraceSide::text(const Kept &K) const {
  std::string Text = textOf(T.classes()[K.Class], K.Number, true);
  if (K.IsNull)
    Text += " of null";
  if (K.IsArray)
    Text += " [" + std::to_string(K.Index) + "] of " + std::to_string(K.Length);
  if (K.IsNullValue)
    Text += " null";
  return Text;
}

/// Where the thousand begins in which \p A and \p B part; none if they are the
/// same.
static std::optional<uint64_t> partingOf(const ThreadRun &A,
                                         const ThreadRun &B) {
  if (A.Events == B.Events && A.Hash == B.Hash)
    return std::nullopt;
  const auto [InA, InB] = std::mismatch(A.Hashes.begin(), A.Hashes.end(),
                                        B.Hashes.begin(), B.Hashes.end());
  return uint64_t(InA - A.Hashes.begin()) * Stride;
}

/// The calls that are open behind \p Events of \p R.
static std::string stackBehind(const TraceSide &S, const ThreadRun &R,
                               size_t Events) {
  TracedStack Stack = R.Stack;
  for (const Kept &K : llvm::ArrayRef(R.Window).take_front(Events)) {
    Stack.add(K.Level, {&S.T.classes()[K.Class], K.Class, K.Number});
    if (K.IsReturn)
      Stack.pop();
  }
  // Of a deep recursion the outermost ones and the innermost ones.
  constexpr size_t Few = 10;
  const llvm::ArrayRef<TracedFrame> All = Stack.known();
  std::string Text = Stack.hasUnknown() ? "[unknown]" : "";
  for (size_t I = 0; I < All.size(); ++I) {
    if (I == Few && All.size() > 3 * Few) {
      I = All.size() - Few;
      Text += " > [" + std::to_string(I - Few) + " more]";
    }
    Text += (Text.empty() ? "" : " > ") +
            displayName(*All[I].Class, All[I].method());
  }
  return Text;
}

static void printWindow(const TraceSide &S, const ThreadRun &R, size_t From,
                        size_t To, const char *Mark, llvm::raw_ostream &OS) {
  for (size_t I = From; I < std::min(To, R.Window.size()); ++I)
    OS << Mark << S.text(R.Window[I]) << '\n';
  if (To > R.Window.size() && *Mark)
    OS << Mark << "ends here\n";
}

static void printParting(const TraceSide &A, const ThreadRun &Of,
                         const TraceSide &B, const ThreadRun &Other,
                         llvm::raw_ostream &OS) {
  const auto [InA, InB] =
      std::mismatch(Of.Window.begin(), Of.Window.end(), Other.Window.begin(),
                    Other.Window.end(), [](const Kept &L, const Kept &R) {
                      return L.Same == R.Same;
                    });
  const size_t At = size_t(InA - Of.Window.begin());
  const uint64_t First = Of.From > RowsBefore ? Of.From - RowsBefore : 0;
  const uint64_t Same = First + At;
  OS << Same << " events are the same; then " << Of.Events - Same << " and "
     << Other.Events - Same << '\n';
  if (At)
    OS << "  in " << stackBehind(A, Of, At) << '\n';
  printWindow(A, Of, At > RowsBefore ? At - RowsBefore : 0, At, "    ", OS);
  printWindow(A, Of, At, At + RowsBehind, "  - ", OS);
  printWindow(B, Other, At, At + RowsBehind, "  + ", OS);
}

static std::string nameOf(const ThreadKey &K) {
  return "thread " + K.first +
         (K.second ? " (" + std::to_string(K.second + 1) + ")" : "");
}

/// Prints what \p A and \p B, both of which were hashed, have that differs.
static Error printDifferences(TraceSide &A, TraceSide &B, llvm::raw_ostream &OS,
                              LeftOut Tell) {
  size_t Left = 0;
  std::vector<ThreadKey> Parted;
  for (auto &[Key, Of] : A.Threads) {
    auto Other = B.Threads.find(Key);
    if (Other == B.Threads.end())
      continue;
    if (const auto From = partingOf(Of, Other->second)) {
      if (Parted.size() == MostParted) {
        ++Left;
        continue;
      }
      Of.From = Other->second.From = *From;
      Parted.push_back(Key);
    }
  }
  if (!Parted.empty()) {
    if (Error E = A.collect(Tell))
      return E;
    if (Error E = B.collect(Tell))
      return E;
  }
  for (const ThreadKey &Key : Parted) {
    OS << nameOf(Key) << ": ";
    printParting(A, A.Threads[Key], B, B.Threads[Key], OS);
  }
  if (Left)
    OS << "and " << Left << " other threads part\n";
  bool IsDifferent = !Parted.empty();
  auto Alone = [&](const TraceSide &S, const TraceSide &Other,
                   const char *Mark) {
    for (const auto &[Key, Of] : S.Threads)
      if (!Other.Threads.count(Key)) {
        IsDifferent = true;
        OS << Mark << nameOf(Key) << ": " << Of.Events << " events\n";
      }
  };
  Alone(A, B, "- ");
  Alone(B, A, "+ ");
  if (!IsDifferent)
    OS << "no differences\n";
  return Error::success();
}

Error data::diffTraces(const Traces &A, const Traces &B,
                       const TraceFilterOptions &Options, llvm::raw_ostream &OS,
                       LeftOut Tell) {
  auto InA = TraceFilter::make(A, Options);
  if (!InA)
    return InA.takeError();
  auto InB = TraceFilter::make(B, Options);
  if (!InB)
    return InB.takeError();
  TraceSide SideA(A, std::move(*InA)), SideB(B, std::move(*InB));
  if (Error E = SideA.hash(Tell))
    return E;
  if (Error E = SideB.hash(Tell))
    return E;
  // Two requests were of any threads of a pool.
  if (SideA.Threads.size() == 1 && SideB.Threads.size() == 1) {
    const std::string InA = SideA.Threads.begin()->first.first,
                      InB = SideB.Threads.begin()->first.first;
    if (InA != InB) {
      SideA.rename(InA + " and " + InB);
      SideB.rename(InA + " and " + InB);
    }
  }
  return printDifferences(SideA, SideB, OS, Tell);
}
