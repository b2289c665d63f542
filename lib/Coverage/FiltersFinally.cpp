//===- FiltersFinally.cpp - Code that compilers copy ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `finally` and try-with-resources: compilers copy the code to each way out.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// finally
//===----------------------------------------------------------------------===//

namespace {
/// The copies of one finally block. The one in the catch-all handler counts for
/// those at the other ways out of the code that the handler covers.
class FinallyCopies {
public:
  FinallyCopies(const FilterInput &In, FilterOutput &Out,
                const CodeFlow::Handler &Any)
      : Flow(In.Flow), M(In), Out(Out), Any(Any) {}

  void find() {
    Length = lengthOfBlock();
    if (!Length)
      return;
    Inside.assign(Flow.size() + 1, false);
    for (const CodeFlow::Handler &H : Flow.handlers())
      if (H.Target == Any.Target)
        for (size_t I = H.Start; I < H.End; ++I)
          Inside[I] = true;
    for (const CodeFlow::Handler &H : Flow.handlers()) {
      if (H.Target == Any.Target)
        mergeExits(H);
      // What javac makes of an empty catch: the block behind its store.
      if (&H != &Any && H.Start == Any.Start && H.End == Any.End)
        mergeOutside(H.Target + 1);
    }
  }

private:
  /// Instructions between the store of what was thrown and the load that throws
  /// it again; 0 if the block always leaves by itself.
  size_t lengthOfBlock() const {
    if (!M.has(Any.Target, ASTORE))
      return 0;
    const uint32_t Slot = Flow.inst(Any.Target).Index;
    size_t I = Any.Target + 1;
    while (I < Flow.size() && !(M.has(I, ALOAD) && Flow.inst(I).Index == Slot))
      ++I;
    return M.has(I + 1, ATHROW) ? I - Any.Target - 1 : 0;
  }

  void mergeExits(const CodeFlow::Handler &H) {
    bool Falls = false;
    for (size_t I = H.Start; I < H.End; ++I) {
      if (Flow.isJump(I))
        mergeOutside(Flow.target(I));
      // Switches are taken to go on behind themselves, as JaCoCo does.
      Falls = !Flow.leaves(I) && !Flow.isGoto(I);
    }
    if (Falls)
      mergeOutside(H.End);
  }

  void mergeOutside(size_t Copy) {
    if (Copy < Flow.size() && !Inside[Copy])
      merge(Copy);
  }

  void merge(size_t Copy) {
    const size_t Block = Any.Target + 1;
    for (size_t I = 0; I < Length; ++I)
      if (Copy + I >= Flow.size() || M.opcode(Block + I) != M.opcode(Copy + I))
        return;
    Out.ignore(Any.Target, Block);
    for (size_t I = 0; I < Length; ++I)
      Out.merge(Block + I, Copy + I);
    Out.ignore(Block + Length, Block + Length + 2);
    // A goto behind a copy that did not run would make the line partly covered.
    if (M.has(Copy + Length, GOTO))
      Out.ignore(Copy + Length, Copy + Length + 1);
  }

  const CodeFlow &Flow;
  const CodeMatcher M;
  FilterOutput &Out;
  const CodeFlow::Handler &Any;
  size_t Length = 0;
  std::vector<bool> Inside;
};
} // namespace

void coverage::filterFinally(const FilterInput &In, FilterOutput &Out) {
  for (const CodeFlow::Handler &H : In.Flow.handlers())
    if (!H.CatchType)
      FinallyCopies(In, Out, H).find();
}

//===----------------------------------------------------------------------===//
// try-with-resources
//===----------------------------------------------------------------------===//

namespace {
/// What javac or ecj makes of one try-with-resources: a handler that closes,
/// and the closing on the normal way, which is looked for backwards from there.
class Closing {
public:
  Closing(const FilterInput &In, FilterOutput &Out, size_t Handler)
      : M(In), Out(Out), Handler(Handler) {}

  bool javac11(bool Checked);
  /// By javac 7 to 10: \p ByMethod closes in a method of its own.
  bool javac(bool Checked, bool ByMethod);
  bool ecj();
  bool ecjNoWayOut();

private:
  enum Name : unsigned { Primary, Thrown, Any, Suppressed, First = 8 };
  /// Names of the resource \p R: itself, and places.
  enum OfResource : unsigned { Resource, End, Closed, Other, Joined, NumNames };
  static unsigned name(unsigned R, OfResource What) {
    return First + R * NumNames + What;
  }

  void begin() {
    M.forget();
    M.moveTo(Handler);
  }
  bool close(unsigned R) {
    return M.isVar(ALOAD, name(R, Resource)) && M.isClose(R);
  }
  bool addSuppressed(unsigned Slot) {
    return M.isVar(ALOAD, Primary) && M.isVar(ALOAD, Slot) &&
           M.isMember(INVOKEVIRTUAL, "java/lang/Throwable", "addSuppressed",
                      "(Ljava/lang/Throwable;)V");
  }
  bool rethrow(unsigned Slot) { return M.isVar(ALOAD, Slot) && M.is(ATHROW); }
  bool javac11Close(bool Checked) {
    return (!Checked || (M.isVar(ALOAD, name(0, Resource)) && M.is(IFNULL))) &&
           close(0);
  }
  bool javacClose(bool Checked, bool ByMethod, unsigned Slot);
  bool ecjClose(unsigned R) {
    return M.isVar(ALOAD, name(R, Resource)) &&
           M.isJump(IFNULL, name(R, End)) && close(R);
  }
  bool ecjCloseAndThrow(unsigned R) {
    return M.isVar(ALOAD, name(R, Resource)) &&
           M.isJump(IFNULL, name(R, Closed)) && close(R) &&
           M.isPlace(name(R, Closed)) && rethrow(Primary);
  }
  bool ecjSuppress(unsigned R);

  /// Finds the normal way: the last place before the handler from which
  /// \p Matches; none if there is none. The matcher stands behind it.
  template <typename Fn> std::optional<size_t> normalWay(Fn Matches) {
    for (size_t I = Handler + 1; I-- > 0;) {
      M.moveTo(I);
      if (Matches())
        return I;
    }
    return std::nullopt;
  }
  /// Neither the normal way, which begins at \p Start, nor the handler, which
  /// ends at \p End, counts.
  bool found(size_t Start, size_t HandlerEnd, bool WithGoto) {
    Out.ignore(Start, M.at() + (WithGoto && M.has(M.at(), GOTO)));
    Out.ignore(Handler, HandlerEnd);
    return true;
  }

  CodeMatcher M;
  FilterOutput &Out;
  const size_t Handler;
};
} // namespace

bool Closing::javac11(bool Checked) {
  begin();
  if (!(M.isVar(ASTORE, Primary) && javac11Close(Checked) && M.is(GOTO) &&
        M.isVar(ASTORE, Thrown) && addSuppressed(Thrown) && rethrow(Primary)))
    return false;
  const size_t HandlerEnd = M.at();
  auto Start = normalWay([&] { return javac11Close(Checked); });
  return Start && found(*Start, HandlerEnd, true);
}

bool Closing::javacClose(bool Checked, bool ByMethod, unsigned Slot) {
  if (Checked && !(M.isVar(ALOAD, name(0, Resource)) && M.is(IFNULL)))
    return false;
  if (!M.isVar(ALOAD, Primary))
    return false;
  if (ByMethod) {
    if (!M.isVar(ALOAD, name(0, Resource)) || !M.is(INVOKESTATIC))
      return false;
    const MemberRef Called = M.member(M.at() - 1);
    return Called.Name == "$closeResource" &&
           Called.Descriptor ==
               "(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V";
  }
  return M.is(IFNULL) && close(0) && M.is(GOTO) && M.isVar(ASTORE, Slot) &&
         addSuppressed(Slot) && M.is(GOTO) && close(0);
}

bool Closing::javac(bool Checked, bool ByMethod) {
  begin();
  // The one in the handler and the one on the normal way have slots of their
  // own.
  constexpr unsigned Other = Suppressed + 1;
  if (!(M.isVar(ASTORE, Thrown) && M.isVar(ALOAD, Thrown) &&
        M.isVar(ASTORE, Primary) && rethrow(Thrown) && M.isVar(ASTORE, Any) &&
        javacClose(Checked, ByMethod, Suppressed) && rethrow(Any)))
    return false;
  const size_t HandlerEnd = M.at();
  auto Start = normalWay([&] { return javacClose(Checked, ByMethod, Other); });
  return Start && found(*Start, HandlerEnd, true);
}

bool Closing::ecjSuppress(unsigned R) {
  const unsigned Slot = name(R, Other), StartOfIt = name(R, Other),
                 EndOfIt = name(R, Joined);
  return M.isVar(ASTORE, Slot) && M.isVar(ALOAD, Primary) &&
         M.isJump(IFNONNULL, StartOfIt) && M.isVar(ALOAD, Slot) &&
         M.isVar(ASTORE, Primary) && M.isJump(GOTO, EndOfIt) &&
         M.isPlace(StartOfIt) && M.isVar(ALOAD, Primary) &&
         M.isVar(ALOAD, Slot) && M.isJump(IF_ACMPEQ, EndOfIt) &&
         addSuppressed(Slot) && M.isPlace(EndOfIt);
}

bool Closing::ecj() {
  begin();
  if (!M.isVar(ASTORE, Primary) || !ecjCloseAndThrow(0))
    return false;
  unsigned R = 1;
  size_t Behind = M.at();
  for (; ecjClose(R); ++R) {
    if (!M.isJump(GOTO, name(R, End)) || !ecjSuppress(R) ||
        !ecjCloseAndThrow(R))
      return false;
    Behind = M.at();
  }
  M.moveTo(Behind);
  const unsigned Last = R + 1;
  if (!ecjSuppress(Last) || !rethrow(Primary))
    return false;
  const size_t HandlerEnd = M.at();
  auto Start = normalWay([&] { return ecjClose(0); });
  return Start && M.has(M.at(), GOTO) && found(*Start, HandlerEnd, true);
}

bool Closing::ecjNoWayOut() {
  begin();
  if (!M.isVar(ASTORE, Primary))
    return false;
  unsigned R = 0;
  size_t Behind = M.at();
  for (; ecjCloseAndThrow(R) && ecjSuppress(R); ++R)
    Behind = M.at();
  M.moveTo(Behind);
  if (!rethrow(Primary))
    return false;
  const size_t HandlerEnd = M.at();
  auto Start = normalWay([&] { return ecjClose(0); });
  if (!Start)
    return false;
  for (unsigned I = 1; I < R; ++I)
    if (!ecjClose(I))
      return false;
  return found(*Start, HandlerEnd, false);
}

void coverage::filterTryWithResources(const FilterInput &In,
                                      FilterOutput &Out) {
  for (const CodeFlow::Handler &H : In.Flow.handlers()) {
    Closing C(In, Out, H.Target);
    if (!H.CatchType) {
      if (!C.ecj())
        C.ecjNoWayOut();
      continue;
    }
    if (In.F.Pool.className(H.CatchType) != "java/lang/Throwable")
      continue;
    C.javac11(/*Checked=*/true);
    C.javac11(/*Checked=*/false);
    // In the order in which the patterns may be taken for each other.
    if (!C.javac(/*Checked=*/false, /*ByMethod=*/true) &&
        !C.javac(/*Checked=*/true, /*ByMethod=*/false) &&
        !C.javac(/*Checked=*/false, /*ByMethod=*/false))
      C.javac(/*Checked=*/true, /*ByMethod=*/true);
  }
}
