//===- Placement.h - What placing passes share ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes `advice` instructions at sites, for the passes that choose the sites.
/// They run in the order of their phases (Advice.td), and each puts its advices
/// directly in front of an original instruction; so what an earlier pass placed
/// there runs first. What code comes from an advice, advice() of its
/// instructions says. docs/WritingAPass.md has such a pass, in a plugin.
///
/// JVM specification: exception ranges 2.10, `this` before super() 4.10.2.4.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_PLACEMENT_H
#define JOPT_PASSES_PLACEMENT_H

#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Model/SlotState.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Passes/Analysis/ThisState.h"
#include "jopt/Passes/PlacedReport.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// Body::PinnedLocal::Purpose of slots that several passes use: `this`, once
/// it is initialised, what the entry advice of the probe of that number
/// returned, the argument of that number, when the activation began, and when
/// the last call did. In patched bodies also the array of arguments.
constexpr llvm::StringLiteral ThisSlot = "this", KeptSlot = "kept",
                              ArgumentSlot = "argument",
                              ArraySlot = "arguments", BeginSlot = "begin",
                              CallBeginSlot = "begin of call";

/// The values that a site has for its advices, by data item. Items without a
/// value here are the same everywhere in a method (the object, the kept value,
/// the local variables), or null.
class SiteValues {
public:
  /// `this` of the host is initialised; never set in static methods.
  bool HasThis = false;
  /// It is, or is null in the copy that prepareThis made; for Receiver.
  bool HasReceiver = false;
  /// The descriptor of the value that is given as ReturnedObject, as declared.
  llvm::StringRef ReturnType;

  /// \p V, which must be usable at the site; null is as if it was not given.
  /// \p Key: of the item that is meant, if there are several of its type.
  /// \p Descriptor: see giveSlot.
  void give(DataItem D, Value *V, llvm::StringRef Key = {},
            llvm::StringRef Descriptor = {}) {
    if (V)
      add({D, Given::Form::Value, V, 0, {}, Type::Void, Key, Descriptor});
  }
  void give(DataItem D, int32_t Number) {
    add({D, Given::Form::Number, nullptr, Number});
  }
  void give(DataItem D, llvm::StringRef Text) {
    add({D, Given::Form::Text, nullptr, 0, Text});
  }
  /// The value of \p Slot at the site. An item that is DataTypeRule::Declared
  /// needs the \p Descriptor of the value.
  void giveSlot(DataItem D, unsigned Slot, Type Ty, llvm::StringRef Key = {},
                llvm::StringRef Descriptor = {}) {
    add({D,
         Given::Form::Slot,
         nullptr,
         int32_t(Slot),
         {},
         Ty,
         Key,
         Descriptor});
  }

  /// \name Values of a kind of site, in lifted and patched bodies
  /// @{
  /// At a call: the names of \p Callee.
  void giveCallee(const MemberRef &Callee) {
    give(DataItem::ClassName, Callee.Owner);
    give(DataItem::MethodName, Callee.Name);
    give(DataItem::MethodSig, Callee.Descriptor);
  }
  /// At a handler, which begins in \p Unit: the exception \p Caught.
  void giveCaught(Value *Caught, bool IsFinally, unsigned Unit) {
    give(DataItem::ExceptionObject, Caught);
    give(DataItem::IsFinally, int32_t(IsFinally));
    give(DataItem::UnitNumber, int32_t(Unit));
  }
  /// At a return or behind a call: \p V of type \p Descriptor; null for void.
  void giveReturned(Value *V, llvm::StringRef Descriptor) {
    give(DataItem::ReturnedObject, V);
    ReturnType = Descriptor;
  }
  /// Where \p Thrown leaves the method. A constructor that throws made no
  /// object, so \p This is not given there; the receiver is, behind super().
  void giveThrown(Value *Thrown, bool Static, bool Constructor,
                  bool IsBehindSuper) {
    give(DataItem::ExceptionObject, Thrown);
    HasThis = !Static && !Constructor;
    HasReceiver = !Static && IsBehindSuper;
  }
  /// @}

  /// A value, or what one is made of where an advice wants it.
  struct Given {
    enum class Form : uint8_t { Value, Number, Text, Slot };
    DataItem Item;
    Form How;
    Value *V = nullptr;
    int32_t Number = 0;
    llvm::StringRef Text = {};
    Type Ty = Type::Void;
    llvm::StringRef Key = {}; ///< lives as long as the advice
    llvm::StringRef Descriptor = {};

    Value *make(Builder &B) const;
  };
  llvm::ArrayRef<Given> all() const { return List; }
  /// Null if it is not given.
  const Given *find(const DataUse &Use) const {
    for (const Given &G : List)
      if (G.Item == Use.Item && G.Key == Use.Key)
        return &G;
    return nullptr;
  }
  /// \p New is given in place of \p Old.
  void replace(const Value *Old, Value *New) {
    for (Given &G : List)
      if (G.V == Old)
        G.V = New;
  }
  /// The value that is given for \p D, or null.
  Value *value(DataItem D) const {
    for (const Given &G : List)
      if (G.Item == D)
        return G.V;
    return nullptr;
  }

private:
  void add(Given G) { List.push_back(G); }

  llvm::SmallVector<Given, 6> List;
};

/// The advices of one method being placed, by one pass, in its `run`. Body and
/// context must outlive it; used by their thread. Nothing fails.
class Placement {
public:
  Placement(Body &F, PassContext &C)
      : F(F), C(C), Calls(C.get<AdviceCalls>()), Set(Calls.set()),
        This(C.analysis<ThisState>(F)),
        Static(isStatic(F.classFile(), F.method())),
        Report(C.get<ClassAdvices>()) {}

  Body &F;
  PassContext &C;
  AdviceCalls &Calls;
  const AdviceSet &Set;
  /// As it was before the pass changed anything.
  const ThisState This;
  const bool Static;

  /// The advices of kind \p K that select the method, in the order in which
  /// they run at a site.
  llvm::ArrayRef<unsigned> advices(AdviceKind K) const;
  bool names(llvm::ArrayRef<unsigned> List, DataItem D) const {
    for (unsigned N : List)
      for (const DataUse &Use : Set.Advices[N].Data)
        if (Use.Item == D)
          return true;
    return false;
  }

  /// Some advice of \p List is given `this`.
  bool namesThis(llvm::ArrayRef<unsigned> List) const {
    return llvm::any_of(List, [&](unsigned N) {
      return llvm::any_of(Set.Advices[N].Data,
                          [](DataItem D) { return getInfo(D).IsReceiver; });
    });
  }

  /// SiteValues::HasThis of a site where the slots are \p Slots. The copy that
  /// prepareThis makes can be read anywhere: it is null before super().
  bool hasThis(llvm::ArrayRef<Type> Slots) const {
    return !Static &&
           (!This.Intact || (!Slots.empty() && Slots[0].isInitialized()));
  }
  /// Keeps `this` in a slot of its own where slot 0 will not do and one of
  /// \p List names it, or if \p InAnyCase. To be called before the first emit.
  void prepareThis(llvm::ArrayRef<unsigned> List, bool InAnyCase = false);
  /// The object that \p Call, of super() or this(), has initialised, for advice
  /// \p N in front of \p Before: out of slot 0 where that keeps it, as the copy
  /// on the stack lay below the arguments.
  Value *constructed(Instruction *Before, Instruction *Call, unsigned N);
  /// The calls of super() and this() on `this`.
  llvm::SmallVector<Instruction *, 2> superCalls() const;

  /// A constructor of which handlers of exit advices tell what comes in front
  /// of super() from what comes behind: a handler may not stand around both, or
  /// one of \p Exits is for exceptions behind it only.
  bool splitsAtSuper(llvm::ArrayRef<unsigned> Exits) const;
  /// The probe of advice \p Outer is around that of advice \p Inner: both nest,
  /// and it comes first or, in a constructor, is the one that does not begin
  /// behind super().
  bool isAround(unsigned Outer, unsigned Inner) const;

  /// Advice \p N in front of \p Before, its operands too. If its result
  /// replaces the returned value, the caller replaces the uses that it means.
  Instruction *emit(Instruction *Before, unsigned N, const SiteValues &S);

  /// Advice \p N, which endsMethod, in front of \p Before: where the one that
  /// decides about it says so, the method returns. Else, and where an isolated
  /// one throws, it goes on with \p Before. The return; null where the method
  /// cannot have it (fail).
  Instruction *emitReturn(Instruction *Before, unsigned N, const SiteValues &S);
  /// The exit advices in front of \p Return, which was made behind all others.
  void emitExits(Instruction *Return);

  /// A block in front of all other code, for values that are needed
  /// everywhere: in no range, not a branch target. Made if there is none.
  Block &prologue(unsigned ForAdvice);
  /// The slot of what probe \p P keeps in this method, zero from the start. Its
  /// entry advice, which place-entries places as the last, writes it.
  unsigned keptSlot(unsigned P);

  /// The slot of the time at which this activation began, in nanoseconds; for
  /// an advice at calls of the time at which the last of these did, which
  /// place-calls writes.
  unsigned beginSlot(unsigned ForAdvice);

  /// The slot that holds `this` where that is initialised.
  unsigned thisSlot() const;

  /// Where code goes that is put in front of the original instruction \p I: in
  /// the ranges that cover both \p I and the original instruction before it in
  /// the layout, so what is inserted at the start of a range is outside of it;
  /// at the start of the method it is in none. Where control comes from inside
  /// of a range it is inside too: behind a monitorenter, and where a compiler
  /// cut a return out of the range.
  struct FrontPlace {
    bool Apart;             ///< in a block of its own
    const ThrowEdge *Edges; ///< of that block
  };
  FrontPlace inFrontOf(const Instruction *I);
  /// Makes that place. Returns the instruction to insert before, in the block
  /// that jumps to \p I reach.
  Instruction *cutBefore(Instruction *I);

  /// Something of probe \p Probe was placed that is no advice.
  void count(unsigned Probe) { Report.count(Probe); }
  /// The method cannot have what an advice asks for: \p Why. It is left as it
  /// was.
  void fail(const llvm::Twine &Why) {
    if (Problem.empty())
      Problem = Why.str();
  }
  /// Why it cannot be, if that is so.
  llvm::Error problem() const {
    return Problem.empty() ? llvm::Error::success() : makeError(Problem);
  }
  /// One row per probe for what was placed, or why it could not be. To be
  /// called once, at the end.
  llvm::Error finish();

  /// A value of the type \p Given can be given to a parameter of type
  /// \p Wanted: to Object, or one of the same type, which for booleans, bytes,
  /// chars and shorts is int.
  bool fits(llvm::StringRef Given, llvm::StringRef Wanted) const;
  /// \p A takes \p D, if at all, as Object or as what \p Given is.
  static bool takesExactly(const Advice &A, DataItem D, llvm::StringRef Given);
  /// \p V for that parameter; it must fit.
  Value *fit(Builder &B, Value *V, llvm::StringRef Given,
             llvm::StringRef Wanted) const;

private:
  uint32_t count(Builder &B);
  Value *operand(Builder &B, Instruction *Before, unsigned N,
                 const DataUse &Use, const SiteValues &S);
  Value *given(Builder &B, const SiteValues::Given &G, const Advice &A,
               const DataUse &Use, llvm::StringRef Passed);
  Value *kept(Builder &B, const Advice &A);
  Value *parameter(Builder &B, unsigned N, const DataUse &Use,
                   llvm::StringRef Passed);
  Value *result(Builder &B, const Advice &A, const DataUse &Use,
                const SiteValues &S, llvm::StringRef Passed);
  Value *receiver(Builder &B, const SiteValues &S, llvm::StringRef Passed);
  Value *elapsed(Builder &B, unsigned N, bool InMillis);
  std::string whyNoReturn(unsigned N, const SiteValues &S) const;
  Value *local(Builder &B, Instruction *Before, const Advice &A,
               llvm::StringRef Name, llvm::StringRef Wanted);
  bool isBoxedLater(const Advice &A, llvm::StringRef Given);
  bool coversBefore(const TryEntry &T, const Block &B);

  /// Of the advice that is being emitted: how many operands it has, and what is
  /// known of them.
  unsigned NumOperands = 0;
  NarrowTypes Narrow{0};
  /// The first block that each handler covers, by the type it catches. Found
  /// once it is asked for, before the blocks of this pass come.
  llvm::DenseMap<std::pair<const Block *, unsigned>, const Block *>
      FirstCovered;
  PlacedReport Report;
  std::string Problem;
};

/// An advice of kind \p K selects \p M.
bool hasAdviceOf(AdviceKind K, const Method &M, PassContext &C);

/// The run has an advice of kind \p K, and the class may have some; what
/// `begin` of a placing pass asks.
bool hasAdviceOf(AdviceKind K, PassContext &C);

/// \p I, or code that it stands for, takes or gives back a lock.
bool hasMonitors(const Instruction &I);

/// An instruction that was not made for an advice and may become code.
inline bool isOriginal(const Instruction &I) {
  return I.advice() == Instruction::OfProgram && !I.info().NoCode &&
         I.op() != irop::Advice;
}

/// Not made by a pass, and part of the original code: anchors too.
inline bool isFromCode(const Instruction &I) {
  return I.advice() == Instruction::OfProgram && I.op() != irop::FallThrough &&
         I.op() != irop::Advice;
}

} // namespace jopt

#endif
