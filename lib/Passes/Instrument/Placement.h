//===- Placement.h - What placing passes share ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes `advice` instructions at sites, for the passes that choose the sites.
/// They run in the order place-handlers, place-units, place-calls,
/// duplicate-finally, place-entries, add-class-state, and each puts its advices
/// directly in front of an original instruction; so what an earlier pass placed
/// there runs first. What code comes from an advice, advice() of its
/// instructions says.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_INSTRUMENT_PLACEMENT_H
#define JOPT_PASSES_INSTRUMENT_PLACEMENT_H

#include "jopt/IR/Builder.h"
#include "jopt/IR/SlotState.h"
#include "jopt/Passes/Analysis/ThisState.h"

namespace jopt {

/// What a site has to give. Values must be usable at the site.
struct SiteValues {
  Value *Returned = nullptr;  ///< not void
  llvm::StringRef ReturnType; ///< descriptor of Returned, as declared
  Value *Exception = nullptr; ///< a Throwable
  /// `this` of the host is initialised; never set in static methods.
  bool HasThis = false;
  bool IsFinally = false;
  unsigned Unit = 0;
  /// Calls only.
  Value *Receiver = nullptr, *Arguments = nullptr;
  llvm::StringRef Owner, Name, Descriptor;
  /// Where the result of a probe's beforeCall advice is kept: probe to slot.
  const llvm::DenseMap<unsigned, unsigned> *KeptSlots = nullptr;
};

/// The advices of one method being placed, by one pass.
class Placement {
public:
  Placement(Body &F, PassContext &C)
      : F(F), C(C), Set(C.advices()), This(C.analysis<ThisState>(F)),
        Static(F.method().is(ACC_STATIC)), Sites(Set.Probes.size()) {}

  Body &F;
  PassContext &C;
  const AdviceSet &Set;
  /// As it was before the pass changed anything.
  const ThisState This;
  const bool Static;

  /// The advices of kind \p K that select the method, in the order in which
  /// they run at a site.
  llvm::SmallVector<unsigned, 4> advices(AdviceKind K) const;
  bool names(llvm::ArrayRef<unsigned> List, DataItem D) const {
    return llvm::any_of(List, [&](unsigned N) {
      return llvm::is_contained(Set.Advices[N].Data, D);
    });
  }

  /// SiteValues::HasThis of a site where the slots are \p Slots. The copy that
  /// prepareThis makes can be read anywhere: it is null before super().
  bool hasThis(llvm::ArrayRef<Type> Slots) const {
    return !Static &&
           (!This.Intact || (!Slots.empty() && Slots[0].isInitialized()));
  }
  /// Keeps `this` in a slot of its own where slot 0 will not do and one of
  /// \p List names it. To be called before the first emit.
  void prepareThis(llvm::ArrayRef<unsigned> List);
  /// The calls of super() and this() on `this`.
  llvm::SmallVector<Instruction *, 2> superCalls() const;

  /// Advice \p N in front of \p Before, its operands too. If its result
  /// replaces S.Returned, the caller replaces the uses that it means.
  Instruction *emit(Instruction *Before, unsigned N, const SiteValues &S);

  /// A block in front of all other code, for values that are needed
  /// everywhere: in no range, not a branch target. Made if there is none.
  Block &prologue(unsigned ForAdvice);
  /// The slot of what probe \p P keeps in this method, zero from the start. Its
  /// entry advice, which place-entries places as the last, writes it.
  unsigned keptSlot(unsigned P);

  /// The slot that holds `this` where that is initialised.
  unsigned thisSlot() const;

  /// Where code goes that is put in front of the original instruction \p I: in
  /// the ranges that cover both \p I and the original instruction before it in
  /// the layout, so what is inserted at the start of a range is outside of it;
  /// at the start of the method it is in none (reference A14).
  struct FrontPlace {
    bool Apart;             ///< in a block of its own
    const ThrowEdge *Edges; ///< of that block
  };
  FrontPlace inFrontOf(const Instruction *I);
  /// Makes that place. Returns the instruction to insert before, in the block
  /// that jumps to \p I reach.
  Instruction *cutBefore(Instruction *I);

  /// Something of probe \p Probe was placed that is no advice.
  void count(unsigned Probe) { ++Sites[Probe]; }
  /// One row per probe for what was placed; call once, at the end.
  void report();

private:
  Value *local(Builder &B, Instruction *Before, llvm::StringRef Name,
               llvm::StringRef Wanted);

  llvm::SmallVector<unsigned, 8> Sites; ///< by probe
};

/// An advice of kind \p K selects \p M.
bool hasAdviceOf(AdviceKind K, const Method &M, PassContext &C);

/// \p I is a call of super() or this() on `this`.
inline bool isSuperCall(const Instruction &I) {
  return I.isInit() && I.operand(0)->type().is(Type::UninitThis);
}

/// The advice of kind \p K that some method of the run may have.
bool hasAdviceOf(AdviceKind K, const AdviceSet &A);

/// An instruction that was not made for an advice and may become code.
inline bool isOriginal(const Instruction &I) {
  return I.advice() < 0 && !I.info().NoCode && I.op() != irop::Advice;
}

} // namespace jopt

#endif
