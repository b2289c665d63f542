//===- LineDiff.cpp - What changed in a text ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/LineDiff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <vector>

using namespace jopt;
using llvm::StringRef;

/// More changed lines are not looked for: memory is the square of them.
static constexpr int MaxEdits = 2000;

using Lines = llvm::SmallVector<StringRef, 0>;

static Lines splitLines(StringRef Text) {
  Lines L;
  Text.split(L, '\n');
  // The empty text behind the last newline is no line.
  if (L.back().empty())
    L.pop_back();
  return L;
}

namespace {
/// A line of the diff: of both texts, or of one.
struct DiffRow {
  char Sign;
  StringRef Text;
};
} // namespace

/// Appends the rows of \p A and \p B, which begin and end with different lines.
static void compare(llvm::ArrayRef<StringRef> A, llvm::ArrayRef<StringRef> B,
                    std::vector<DiffRow> &Rows) {
  const int N = int(A.size()), M = int(B.size());
  const int Max = std::min(N + M, MaxEdits);
  // At[K]: how far in A the best path of D edits gets on diagonal K. What it
  // was before each D leads back.
  std::vector<int> At(size_t(2 * Max + 3), 0);
  int *V = At.data() + Max + 1;
  std::vector<std::vector<int>> Trace;
  auto ComesFromAbove = [](const int *V, int K, int D) {
    return K == -D || (K != D && V[K - 1] < V[K + 1]);
  };
  bool Found = false;
  for (int D = 0; D <= Max && !Found; ++D) {
    Trace.emplace_back(V - D - 1, V + D + 2);
    for (int K = -D; K <= D && !Found; K += 2) {
      int X = ComesFromAbove(V, K, D) ? V[K + 1] : V[K - 1] + 1;
      while (X < N && X - K < M && A[size_t(X)] == B[size_t(X - K)])
        ++X;
      V[K] = X;
      Found = X >= N && X - K >= M;
    }
  }
  if (!Found) {
    for (StringRef L : A)
      Rows.push_back({'-', L});
    for (StringRef L : B)
      Rows.push_back({'+', L});
    return;
  }
  const size_t First = Rows.size();
  int X = N, Y = M;
  for (int D = int(Trace.size()) - 1; D >= 0; --D) {
    const int *Old = Trace[size_t(D)].data() + D + 1;
    const int K = X - Y;
    const bool Above = ComesFromAbove(Old, K, D);
    const int FromX = D ? Old[Above ? K + 1 : K - 1] : 0;
    const int FromY = D ? FromX - (Above ? K + 1 : K - 1) : 0;
    const int Steps = D ? 1 : 0;
    while (X > FromX + (Above ? 0 : Steps) && Y > FromY + (Above ? Steps : 0))
      Rows.push_back({' ', A[size_t(--X)]}), --Y;
    if (D && Above)
      Rows.push_back({'+', B[size_t(--Y)]});
    else if (D)
      Rows.push_back({'-', A[size_t(--X)]});
  }
  std::reverse(Rows.begin() + long(First), Rows.end());
}

static std::vector<DiffRow> makeRows(StringRef Before, StringRef After) {
  Lines A = splitLines(Before), B = splitLines(After);
  size_t Head = 0, Tail = 0, Shorter = std::min(A.size(), B.size());
  while (Head < Shorter && A[Head] == B[Head])
    ++Head;
  while (Tail < Shorter - Head &&
         A[A.size() - 1 - Tail] == B[B.size() - 1 - Tail])
    ++Tail;
  std::vector<DiffRow> Rows;
  for (size_t I = 0; I < Head; ++I)
    Rows.push_back({' ', A[I]});
  compare(llvm::ArrayRef(A).slice(Head).drop_back(Tail),
          llvm::ArrayRef(B).slice(Head).drop_back(Tail), Rows);
  for (size_t I = A.size() - Tail; I < A.size(); ++I)
    Rows.push_back({' ', A[I]});
  return Rows;
}

void jopt::printLineDiff(StringRef Before, StringRef After,
                         llvm::raw_ostream &OS, unsigned Context) {
  if (Before == After)
    return;
  const std::vector<DiffRow> Rows = makeRows(Before, After);
  auto IsChange = [](const DiffRow &R) { return R.Sign != ' '; };
  unsigned LineA = 1, LineB = 1;
  for (auto At = Rows.begin(); At != Rows.end();) {
    auto Change = std::find_if(At, Rows.end(), IsChange);
    if (Change == Rows.end())
      return;
    // A hunk goes on while what is equal is shorter than two contexts.
    auto First = Change - std::min<long>(Context, Change - At);
    auto End = Change;
    for (auto Next = Change;
         Next != Rows.end() && Next - End <= 2 * long(Context);
         Next = std::find_if(Next + 1, Rows.end(), IsChange))
      End = Next + 1;
    End += std::min<long>(Context, Rows.end() - End);
    LineA += unsigned(First - At), LineB += unsigned(First - At);
    auto Count = [&](char Other) {
      return unsigned(std::count_if(
          First, End, [&](const DiffRow &R) { return R.Sign != Other; }));
    };
    OS << "@@ -" << LineA << ',' << Count('+') << " +" << LineB << ','
       << Count('-') << " @@\n";
    for (auto I = First; I != End; ++I)
      OS << I->Sign << I->Text << '\n';
    LineA += Count('+'), LineB += Count('-');
    At = End;
  }
}
