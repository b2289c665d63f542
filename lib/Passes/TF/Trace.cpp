//===- Trace.cpp - Has monitored methods tell their monitors --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Stage 2. A monitored method m becomes
/// \code
///   mm = monitor of the class; if (mm != null) mm.enter(m, arguments);
///   try { ... } finally { if (mm != null) mm.exit(m, result); }
/// \endcode
/// with the finally block duplicated at each return, `mm.exception(m, e)` in
/// front of each throw, and mm and m as the last arguments of info methods.
/// No member changes, so loaded classes can get and lose it.
///
/// By the rules of pfl the code is its sequence of instructions, and an exit
/// that fails is followed by another. By ours there is exactly one exit, whose
/// result is null where an exception ends the method.
///
//===----------------------------------------------------------------------===//

#include "../AdviceCode/Arguments.h"
#include "../AdviceCode/Boxing.h"
#include "TFClass.h"
#include "jopt/IR/Model/SlotState.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassEditor.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

#define GET_STATISTICS_TFTrace
#include "jopt/Passes/Passes.inc"

namespace {

class MethodTracer {
public:
  /// \p BySite: the monitor comes from a call site.
  MethodTracer(Body &F, const TFClass &T, const tf::MethodData &M, bool BySite)
      : F(F), T(T), M(M), BySite(BySite),
        Exact(T.Program->Checks == tf::Rules::PFL),
        Descriptor(F.classFile().descriptor(F.method()).str()),
        Returned(returnDescriptor(Descriptor)),
        MonitorClass(T.Program->Library.runtime("MethodMonitor")),
        Told(F, T.Program->Library, 0) {}

  Error run();

private:
  struct Site {
    Instruction *At;
    llvm::SmallVector<Type, 8> Slots;
  };
  void findSites();
  void passMonitor(Instruction &Call);
  void skipWhenIdle(const Site &S);
  std::pair<Block *, Block *> cut(Instruction *End, unsigned Slot, Type Ty);
  void atReturn(Site &S);
  void atThrow(Site &S);
  llvm::Expected<Value *> findMonitor(Builder &B);
  Error addEntry();
  void addHandler();
  Block *branch(Block *B, Block *Next, llvm::ArrayRef<Type> Frame);
  void tellExit(Block *B, Block *Next, llvm::ArrayRef<Type> Frame,
                llvm::function_ref<Value *(Builder &)> Result,
                bool Boxes = false);

  Value *identifier(Builder &B) const {
    Instruction *I = B.constant(int32_t(M.Identifier));
    I->setFloating(false);
    return I;
  }
  /// The original takes a slot for each throw.
  unsigned thrownSlot() {
    if (Exact || !ThrownSlot)
      ThrownSlot = F.addSlot(1);
    return *ThrownSlot;
  }
  bool returnsValue() const { return Returned != "V"; }
  Type resultType() const { return F.types().fromDescriptor(Returned); }

  Body &F;
  const TFClass &T;
  const tf::MethodData &M;
  const bool BySite;
  /// As the original does, instruction by instruction.
  const bool Exact;
  const std::string Descriptor;
  const StringRef Returned;
  const std::string MonitorClass;
  MonitorCall Told;
  unsigned ResultSlot = 0;
  std::optional<unsigned> ThrownSlot; ///< for what is thrown
  llvm::SmallVector<Site, 8> Returns, Throws, InfoCalls;
  /// Not in the range of the handler.
  llvm::DenseSet<const Block *> Uncovered;
};

} // namespace

/// Whether slot 0 holds the receiver everywhere.
static bool keepsThis(Body &F) {
  return llvm::none_of(F.blocks(), [](Block &B) {
    return llvm::any_of(B, [](const Instruction &I) {
      return I.op() == irop::LocalSet && I.index() == 0;
    });
  });
}

void MethodTracer::findSites() {
  SlotState S(F);
  for (Block &B : F.blocks()) {
    S.enter(B);
    for (Instruction &I : B) {
      if (I.op() == irop::Return)
        Returns.push_back({&I, llvm::SmallVector<Type, 8>(S.slots())});
      else if (I.op() == irop::Throw)
        Throws.push_back({&I, llvm::SmallVector<Type, 8>(S.slots())});
      else if (TFClass::isCall(I, F.classFile(), T.Extended))
        InfoCalls.push_back({&I, llvm::SmallVector<Type, 8>(S.slots())});
      S.step(I);
    }
  }
}

/// The null and the 0 that stage 1 gave \p Call become the monitor and the
/// method.
void MethodTracer::passMonitor(Instruction &Call) {
  Builder B(F, &Call);
  Value *New[] = {Told.monitor(B), identifier(B)};
  auto Operands = Call.operands().take_back(2);
  for (unsigned K = 0; K < 2; ++K) {
    auto *Old = llvm::dyn_cast<Instruction>(Operands[K]);
    Operands[K] = New[K];
    if (Old && Old->isPure() && Old->block() == Call.block() &&
        Call.block()->countUses(Old) == 0)
      F.erase(Old);
  }
}

/// Behind a test of the monitor, where a call site gives it: while that is null
/// for the JVM's compilers, nothing is left of the call. Without the test it
/// stays a call if it is rare, since an info method is too large to be inlined
/// there, and a loop with a call in it is neither unrolled nor vectorised. A
/// receiver that may be null has to fail as before, so only calls for `this`
/// get the test.
void MethodTracer::skipWhenIdle(const Site &S) {
  auto *Receiver = llvm::dyn_cast<Instruction>(S.At->operand(0));
  if (!Receiver || Receiver->op() != irop::LocalGet || Receiver->index() != 0)
    return;
  auto Operands = S.At->operands().take_back(2);
  auto *Monitor = llvm::cast<Instruction>(Operands[0]);
  Block *Front = Monitor->block();
  Block *Call = F.split(Front, Monitor->getIterator());
  Block *Rest = F.split(Call, std::next(S.At->getIterator()));
  Block *Idle = F.createBlock(Rest);
  Idle->setThrowEdges(Call->throwEdges());
  llvm::SmallVector<Type, 8> Types;
  for (const Parameter *P : Call->parameters())
    Types.push_back(P->type());
  F.setParameters(Idle, Types);
  llvm::SmallVector<Value *, 8> Below;
  for (const Value *V : Call->exitValues())
    for (const auto &[Old, New] :
         llvm::zip_equal(Call->parameters(), Idle->parameters()))
      if (V == Old)
        Below.push_back(New);
  F.setExitValues(Idle, Below);
  for (Block *B : {Idle, Rest})
    F.setFrame(B, S.Slots);
  Builder B(F);
  B.setEnd(Idle);
  B.fallThrough(Rest);
  F.erase(Call->terminator());
  B.setEnd(Call);
  B.jump(Rest);
  F.erase(Front->terminator());
  B.setEnd(Front);
  B.jumpIfNull(Told.monitor(B), Idle, Call);
}

/// Has \p B end in `if (mm == null) goto Next`, in front of \p Next, and
/// returns the block between, which calls the monitor.
Block *MethodTracer::branch(Block *B, Block *Next, llvm::ArrayRef<Type> Frame) {
  Builder In(F);
  Block *Call = openCall(In, Next, B->throwEdges());
  if (!Next->hasFrame())
    F.setFrame(Next, Frame);
  In.setEnd(B);
  In.jumpIfNull(Told.monitor(In), Next, Call);
  return Call;
}

/// `if (mm != null) mm.exit(m, Result)`; where the method returns nothing there
/// is no Result. A lean monitor gets it too where it \p Boxes nothing.
void MethodTracer::tellExit(Block *B, Block *Next, llvm::ArrayRef<Type> Frame,
                            llvm::function_ref<Value *(Builder &)> Result,
                            bool Boxes) {
  Block *Call = branch(B, Next, Frame);
  auto Short = [&](Builder &In) {
    Value *Monitor = Told.monitor(In);
    In.callInterface(MonitorClass, "exit", "(I)V", {Monitor, identifier(In)});
  };
  auto Full = [&](Builder &In) {
    Value *Monitor = Told.monitor(In), *Self = identifier(In);
    In.callInterface(MonitorClass, "exit", "(ILjava/lang/Object;)V",
                     {Monitor, Self, Result(In)});
  };
  if (!returnsValue()) {
    Builder In(F, Call->terminator());
    Short(In);
  } else if (Boxes) {
    Told.fill(Call, Frame, Short, Full);
  } else {
    Told.fill(Call, Frame, nullptr, Full);
  }
}

/// Has the value that \p End returns or throws wait in \p Slot, and loads it in
/// a block of its own. Returns this block, and the block in front of it, which
/// has no end.
std::pair<Block *, Block *> MethodTracer::cut(Instruction *End, unsigned Slot,
                                              Type Ty) {
  auto At = End->getIterator();
  if (!End->operands().empty()) {
    Builder B(F, End);
    B.set(Slot, End->operand(0));
    Instruction *Load = B.get(Slot, Ty);
    End->operands()[0] = Load;
    At = Load->getIterator();
  }
  Block *Front = End->block();
  Block *Rest = F.split(Front, At);
  F.erase(Front->terminator());
  return {Front, Rest};
}

void MethodTracer::atReturn(Site &S) {
  Type Ty = returnsValue() ? resultType() : Type(Type::Void);
  auto [Front, Rest] = cut(S.At, ResultSlot, Ty);
  if (!returnsValue()) {
    tellExit(Front, Rest, S.Slots, nullptr);
  } else {
    if (!Exact)
      declareSlot(S.Slots, ResultSlot, Ty);
    tellExit(
        Front, Rest, S.Slots,
        [&](Builder &B) {
          return box(B, B.get(ResultSlot, Ty), Returned, /*ByNew=*/false,
                     Narrowing::Never);
        },
        findBox(Returned) != nullptr);
  }
  if (!Exact)
    for (auto I = std::next(Front->getIterator()); &*I != Rest; ++I)
      Uncovered.insert(&*I);
  ++NumExits;
}

void MethodTracer::atThrow(Site &S) {
  const unsigned Slot = thrownSlot();
  Type Ty = S.At->operand(0)->type();
  auto [Front, Rest] = cut(S.At, Slot, Ty);
  declareSlot(S.Slots, Slot, Ty);
  Block *Call = branch(Front, Rest, S.Slots);
  Builder B(F, Call->terminator());
  Value *Monitor = Told.monitor(B), *Self = identifier(B);
  B.callInterface(MonitorClass, "exception", "(ILjava/lang/Throwable;)V",
                  {Monitor, Self, B.get(Slot, Ty)});
  ++NumThrows;
}

/// The monitor in the holder, or a constant of the JVM's compilers that is the
/// same.
llvm::Expected<Value *> MethodTracer::findMonitor(Builder &B) {
  std::string Field = tf::ClassData::holderField(M.Holder);
  if (!BySite) {
    Value *Holder =
        B.getStatic(F.classFile().name(), Field, "L" + Told.P.Holder + ";");
    return B.cast(
        B.callVirtual(Told.P.Holder, "content", "()Ljava/lang/Object;", Holder),
        MonitorClass);
  }
  auto Site = B.callSite(Told.P.runtime("MonitorSite"), "bind", {}, Field,
                         "()L" + MonitorClass + ";", {});
  if (!Site)
    return Site.takeError();
  return *Site;
}

Error MethodTracer::addEntry() {
  Block *Start = &F.entry();
  Block *Front = openFront(F, F.initialLocals());
  Builder B(F);
  B.setEnd(Front);
  if (Exact && returnsValue())
    B.set(ResultSlot, B.zero(resultType()));
  auto Monitor = findMonitor(B);
  if (!Monitor)
    return Monitor.takeError();
  B.set(Told.Slot, *Monitor);
  Block *Call = branch(Front, Start, F.initialLocals());
  auto Tell = [&](Builder &In, bool Lean) {
    Value *Monitor = Told.monitor(In), *Self = identifier(In);
    Value *Arguments =
        Lean ? In.null()
             : boxAll(In, Descriptor, readParameters(In, F, Descriptor), false,
                      Narrowing::Never);
    In.callInterface(MonitorClass, "enter", "(I[Ljava/lang/Object;)V",
                     {Monitor, Self, Arguments});
  };
  Told.fill(
      Call, F.initialLocals(), [&](Builder &In) { Tell(In, /*Lean=*/true); },
      [&](Builder &In) { Tell(In, /*Lean=*/false); });
  return Error::success();
}

/// Catches what leaves the method, tells of the exit, and throws it again.
void MethodTracer::addHandler() {
  llvm::SmallVector<Block *, 32> Covered;
  for (Block &B : F.blocks())
    if (!Uncovered.contains(&B))
      Covered.push_back(&B);
  Type Throwable = F.types().ref("java/lang/Throwable");
  Block *Handler = addCatchAll(F, {}), *Rest = F.createBlock();
  Builder B(F);
  B.setEnd(Handler);
  const unsigned Slot = thrownSlot();
  B.set(Slot, Handler->parameters()[0]);
  llvm::SmallVector<Type, 8> Frame;
  declareSlot(Frame, Slot, Throwable);
  if (!returnsValue())
    tellExit(Handler, Rest, Frame, nullptr);
  else if (Exact)
    tellExit(
        Handler, Rest, Frame,
        [&](Builder &In) {
          return box(In, In.get(ResultSlot, resultType()), Returned, false,
                     Narrowing::Never);
        },
        findBox(Returned) != nullptr);
  else
    tellExit(Handler, Rest, Frame, [](Builder &In) { return In.null(); });
  B.setEnd(Rest);
  B.raise(B.get(Slot, Throwable));
  F.addFinalHandler(Handler, Covered);
}

Error MethodTracer::run() {
  findSites();
  if (Exact && returnsValue())
    ResultSlot = F.addPinnedLocal(resultType());
  Told.Slot = F.addPinnedLocal(Told.Monitor);
  if (!Exact && returnsValue())
    ResultSlot = F.addSlot(resultType().slots());
  const bool Skips = BySite && !InfoCalls.empty() && keepsThis(F);
  for (const Site &S : InfoCalls) {
    passMonitor(*S.At);
    if (Skips)
      skipWhenIdle(S);
  }
  for (Site &S : Returns)
    atReturn(S);
  for (Site &S : Throws)
    atThrow(S);
  addHandler();
  ++NumMethods;
  return addEntry();
}

/// Whether methods of \p F may ask a call site for their monitor; else a remark
/// says why they ask the holder.
static bool mayHaveSites(const ClassFile &F, const TFClass &T, PassContext &C) {
  const char *Why = nullptr;
  if (F.Major < 51)
    Why = "monitors come from holders: call sites are for versions from 51 on";
  else if (T.Program->Library.Original)
    Why = "monitors come from holders: the library has no call sites for them";
  if (!Why)
    return true;
  for (unsigned I = 0; I < T.Data.Methods.size(); ++I)
    if (T.Data.Methods[I].Kind == tf::MethodKind::Monitored)
      C.remark(F.Methods[I], Why);
  return false;
}

llvm::Expected<PreservedAnalyses> TFTracePass::run(ClassFile &F,
                                                   PassContext &C) const {
  const auto &T = C.analysis<TFClass>(F);
  if (Error E = T.check())
    return E;
  if (!T.Data.traced())
    return PreservedAnalyses::all();
  tf::Level Level = tf::readLevel(F, T.Program->Library);
  if (Level == tf::Level::Phase2)
    return PreservedAnalyses::all();
  if (Level == tf::Level::None) {
    C.report(ReportRow::problem(
        ReportRow::Undone,
        "it is not traced: it has trace enhancement level NONE, and "
        "PHASE1 is required"));
    return PreservedAnalyses::all();
  }
  const bool BySite = Options.Idle == Options.IdleIndy && mayHaveSites(F, T, C);
  for (unsigned I = 0; I < T.Data.Methods.size(); ++I) {
    Method &M = F.Methods[I];
    if (T.Data.Methods[I].Kind != tf::MethodKind::Monitored ||
        (M.codeAttribute(F.Pool) < 0 && !M.IR))
      continue;
    auto Code = C.lift(M);
    if (!Code)
      return Code.takeError();
    if (Error E = MethodTracer(*Code, T, T.Data.Methods[I], BySite).run())
      return E;
    C.get<ClassEditor>().requireChange(M);
  }
  ++NumClasses;
  if (Error E = tf::writeLevel(F, T.Program->Library, tf::Level::Phase2))
    return E;
  return PreservedAnalyses::none();
}
