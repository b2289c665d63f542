//===- StripCode.cpp - Code without what TF put into it -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StripCode.h"
#include "TFClass.h"
#include "jopt/IR/Model/AttributeLayout.h"
#include "jopt/IR/Model/CFG.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

namespace {

/// A place that calls a monitor, if there is one.
struct MonitorTest {
  Block *At;         ///< ends in the test
  Instruction *Load; ///< of the monitor, right in front of the branch
  Block *Rest;       ///< where it goes on either way
  llvm::SmallVector<Block *, 3> Told; ///< what lies between
  StringRef What;                     ///< the method of the monitor
};

class CodeStripper {
public:
  CodeStripper(Body &F, const tf::Packages &P)
      : F(F), P(P), MonitorClass(P.runtime("MethodMonitor")) {}

  Error monitored(const llvm::StringMap<unsigned> &Info);
  Error infoMethod();

private:
  void makeGraph() { Graph.emplace(F, FlowEdges::Normal); }
  /// The nodes that lead to \p B other than by an exception.
  llvm::ArrayRef<FlowNode *> entries(const Block *B) const {
    return (*Graph)[*B].predecessors();
  }
  bool isOnlyEntered(const Block *B, const Block *By) const {
    return entries(B).size() == 1 && &entries(B)[0]->block() == By &&
           !B->isHandler();
  }
  bool tells(Block &B, StringRef &What) const;
  std::optional<MonitorTest> findTest(Block &B, unsigned Slot) const;
  void remove(MonitorTest &T);
  Error dropFront();
  bool readEntry();
  Error dropHandler(Block *H);
  Error joinRest(const MonitorTest &T);
  bool joinInfoCall(Block &B, const llvm::StringMap<unsigned> &Info);
  Error returnMonitor(const llvm::StringMap<unsigned> &Info);
  Error freeSlots(bool CloseGaps);
  void closeGaps(llvm::ArrayRef<bool> Free);
  void dropVariables();

  void release(unsigned Slot, Type Ty) {
    Released.push_back({Slot, Ty.slots()});
  }

  Body &F;
  const tf::Packages &P;
  const std::string MonitorClass;
  unsigned MonitorSlot = 0;
  /// Slots that held what is gone, and how wide they are.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 8> Released;
  /// Made anew where blocks went.
  std::optional<FlowGraph> Graph;
};

} // namespace

/// The operand \p N of \p I, if an instruction of the same block makes it.
static Instruction *operand(const Instruction &I, unsigned N) {
  auto *Made = llvm::dyn_cast<Instruction>(I.operand(N));
  return Made && Made->block() == I.block() ? Made : nullptr;
}

static bool isGet(const Instruction *I, unsigned Slot) {
  return I && I->op() == irop::LocalGet && I->index() == Slot;
}

static bool accessesSlot(const Instruction &I) {
  return I.op() == irop::LocalGet || I.op() == irop::LocalSet ||
         I.op() == irop::LocalInc;
}

static bool isMember(const MemberRef &R, StringRef Owner, StringRef Name) {
  return R.valid() && R.Owner == Owner && R.Name == Name;
}

/// A number that one instruction loads.
static bool isNumberLoad(const Instruction *I) {
  return I && I->op() == irop::Const && I->isPure() && I->type().is(Type::Int);
}

static Instruction *previous(Instruction *I) {
  return I->getIterator() == I->block()->begin()
             ? nullptr
             : &*std::prev(I->getIterator());
}

/// Whether the same handlers cover both. Sets may be equal and not shared.
static bool coveredAlike(const Block &A, const Block &B) {
  bool Differ = false;
  forEachChange(A.throwEdges(), B.throwEdges(),
                [&](TryEntry *, bool) { Differ = true; });
  return !Differ;
}

/// Erases \p V, which was operand of what was just erased from \p B.
static void eraseUnused(Body &F, Block *B, Value *V) {
  auto *I = llvm::dyn_cast<Instruction>(V);
  if (I && I->isPure() && I->block() == B && B->countUses(I) == 0)
    F.erase(I);
}

bool jopt::asksForMonitor(const Instruction &I, Body &F,
                          const tf::Packages &P) {
  if (I.opcode() == op::GETSTATIC && I.op() == irop::FieldAccess) {
    MemberRef R = F.pool().member(I.index());
    return R.valid() && R.Owner == F.classFile().name() &&
           R.Descriptor == "L" + P.Holder + ";" &&
           R.Name.starts_with(tf::ClassData::HolderPrefix);
  }
  return I.op() == irop::Invoke && I.opcode() == op::INVOKEDYNAMIC &&
         F.classFile().callee(I.index()).Owner == P.runtime("MonitorSite");
}

/// Whether \p B does nothing but call the monitor. \p What is the method that
/// is called, which may be known from other blocks.
bool CodeStripper::tells(Block &B, StringRef &What) const {
  // The values on the stack stay there.
  if (!llvm::equal(B.exitValues(), B.parameters()))
    return false;
  for (const Instruction &I : B)
    switch (I.op()) {
    case irop::LocalGet:
    case irop::FallThrough:
    case irop::Goto:
      break;
    case irop::Const:
      if (!I.isPure())
        return false;
      break;
    case irop::If:
      // isLean
      if (I.opcode() != op::IFEQ || !operand(I, 0) ||
          operand(I, 0)->op() != irop::Invoke)
        return false;
      break;
    case irop::Plain:
      if (I.opcode() != op::AASTORE)
        return false;
      break;
    case irop::ClassOp:
      if (I.opcode() != op::ANEWARRAY)
        return false;
      break;
    case irop::Invoke: {
      MemberRef R = F.pool().member(I.index());
      if (!R.valid())
        return false;
      if (I.opcode() == op::INVOKESTATIC) {
        if (!R.Owner.starts_with("java/lang/") || R.Name != "valueOf")
          return false;
        break;
      }
      if (R.Owner != MonitorClass)
        return false;
      if (R.Name == "isLean")
        break;
      if (!What.empty() && R.Name != What)
        return false;
      What = R.Name;
      break;
    }
    default:
      return false;
    }
  return true;
}

/// The test of the monitor in \p Slot that \p B ends in, if it does.
std::optional<MonitorTest> CodeStripper::findTest(Block &B,
                                                  unsigned Slot) const {
  Instruction *Branch = B.terminator();
  if (Branch->op() != irop::If || Branch->opcode() != op::IFNULL)
    return std::nullopt;
  Instruction *Load = operand(*Branch, 0);
  if (!isGet(Load, Slot) || previous(Branch) != Load)
    return std::nullopt;
  MonitorTest T{&B, Load, Branch->successors()[0], {}, {}};
  llvm::SmallVector<Block *, 4> Next = {Branch->successors()[1]};
  while (!Next.empty()) {
    Block *In = Next.pop_back_val();
    if (In == T.Rest || llvm::is_contained(T.Told, In))
      continue;
    // The longest asks, and has one way for lean monitors and one for others.
    if (T.Told.size() == 3 || In == &B || In->isHandler() ||
        !tells(*In, T.What))
      return std::nullopt;
    T.Told.push_back(In);
    llvm::append_range(Next, In->terminator()->successors());
  }
  for (const Block *In : T.Told)
    for (const FlowNode *By : entries(In))
      if (&By->block() != &B && !llvm::is_contained(T.Told, &By->block()))
        return std::nullopt;
  if (T.What.empty())
    return std::nullopt;
  return T;
}

void CodeStripper::remove(MonitorTest &T) {
  F.erase(T.At->terminator());
  F.erase(T.Load);
  for (Block *B : T.Told)
    F.erase(B);
  Builder B(F);
  B.setEnd(T.At);
  auto Next = std::next(T.At->getIterator());
  if (Next != F.blocks().end() && &*Next == T.Rest)
    B.fallThrough(T.Rest);
  else
    B.jump(T.Rest);
}

/// The first block, which does nothing any more, goes.
Error CodeStripper::dropFront() {
  Block *Front = &F.entry(), *First = &*std::next(Front->getIterator());
  if (Front->instructions().size() != 1 ||
      Front->terminator()->op() != irop::FallThrough || Front->throwEdges())
    return makeError("its beginning does something else");
  F.erase(Front);
  makeGraph();
  if (entries(First).empty())
    F.clearFrame(First);
  return Error::success();
}

/// Whether the method begins as stage 2 has it begin:
/// `[result = 0;] mm = monitor; if (mm == null) ...`. Everything but the test
/// goes.
bool CodeStripper::readEntry() {
  Block &Entry = F.entry();
  auto At = Entry.begin();
  auto Take = [&](IROp Op) -> Instruction * {
    if (At == Entry.end() || At->op() != Op)
      return nullptr;
    return &*At++;
  };
  // The original gives the result a value at once.
  if (Instruction *Zero = Take(irop::Const)) {
    Instruction *Set = Take(irop::LocalSet);
    if (!Zero->isPure() || !Set || Set->operand(0) != Zero)
      return false;
    release(Set->index(), Zero->type());
  }
  Instruction *Monitor = nullptr;
  if (Instruction *Holder = Take(irop::FieldAccess)) {
    Instruction *Call = Take(irop::Invoke);
    Monitor = Take(irop::ClassOp);
    if (!asksForMonitor(*Holder, F, P) || !Call || !Monitor ||
        !isMember(F.pool().member(Call->index()), P.Holder, "content") ||
        Monitor->opcode() != op::CHECKCAST || Monitor->operand(0) != Call ||
        Call->operand(0) != Holder)
      return false;
  } else {
    Monitor = Take(irop::Invoke);
    if (!Monitor || !asksForMonitor(*Monitor, F, P))
      return false;
  }
  Instruction *Set = Take(irop::LocalSet);
  if (!Set || Set->operand(0) != Monitor)
    return false;
  MonitorSlot = Set->index();
  release(MonitorSlot, Monitor->type());
  if (!isGet(Take(irop::LocalGet), MonitorSlot) || !Take(irop::If) ||
      At != Entry.end())
    return false;
  while (&Entry.instructions().front() != Set)
    F.erase(&Entry.instructions().front());
  F.erase(Set);
  return true;
}

/// \p H catches everything, and now throws it again and does nothing else.
Error CodeStripper::dropHandler(Block *H) {
  Block *Last = H;
  llvm::SmallVector<Block *, 3> Blocks = {H};
  llvm::SmallVector<Instruction *, 3> Code;
  for (;;) {
    for (Instruction &I : *Last)
      if (I.op() != irop::FallThrough && I.op() != irop::Goto)
        Code.push_back(&I);
    auto Next = Last->terminator()->successors();
    if (Next.empty())
      break;
    if (Next.size() != 1 || !isOnlyEntered(Next[0], Last) || Blocks.size() == 3)
      return makeError("its last handler does something else");
    Last = Next[0];
    Blocks.push_back(Last);
  }
  if (Code.size() != 3 || Code[0]->op() != irop::LocalSet ||
      Code[0]->operand(0) != H->parameters()[0] ||
      !isGet(Code[1], Code[0]->index()) || Code[2]->op() != irop::Throw ||
      Code[2]->operand(0) != Code[1] || !entries(H).empty())
    return makeError("its last handler does something else");
  release(Code[0]->index(), Code[1]->type());
  while (!F.tries().empty() && F.tries().back()->Handler == H) {
    if (F.tries().back()->CatchType)
      return makeError("its last handler does not catch everything");
    F.eraseTry(F.tries().back());
  }
  for (const TryEntry *E : F.tries())
    if (E->Handler == H)
      return makeError("its last handler is not behind all others");
  for (Block *B : Blocks)
    F.erase(B);
  return Error::success();
}

/// A return or throw behind a test that is gone gets its value directly: `s =
/// v; return s` becomes `return v`.
Error CodeStripper::joinRest(const MonitorTest &T) {
  auto Other = [&] {
    return makeError("what follows a call of " + T.What +
                     " of the monitor is something else");
  };
  if (!isOnlyEntered(T.Rest, T.At) ||
      T.At->terminator()->op() != irop::FallThrough ||
      !coveredAlike(*T.At, *T.Rest))
    return Other();
  F.join(T.At);
  Instruction *End = T.At->terminator();
  if (End->op() != (T.What == "exit" ? irop::Return : irop::Throw))
    return Other();
  if (End->operands().empty())
    return Error::success();
  Instruction *Load = operand(*End, 0);
  Instruction *Set = Load ? previous(Load) : nullptr;
  if (!Set || Set->op() != irop::LocalSet || !isGet(Load, Set->index()) ||
      previous(End) != Load)
    return Other();
  release(Set->index(), Load->type());
  End->operands()[0] = Set->operand(0);
  F.erase(Load);
  F.erase(Set);
  return Error::success();
}

/// `if (mm != null) info(..., mm, m); else pop` at the end of \p B becomes the
/// call, if it stands there.
bool CodeStripper::joinInfoCall(Block &B,
                                const llvm::StringMap<unsigned> &Info) {
  Instruction *Branch = B.terminator();
  if (Branch->op() != irop::If || Branch->opcode() != op::IFNULL ||
      !isGet(operand(*Branch, 0), MonitorSlot))
    return false;
  Block *Idle = Branch->successors()[0], *Call = Branch->successors()[1];
  auto IsInfo = [&](const Instruction &I) {
    return TFClass::isCall(I, F.classFile(), Info);
  };
  if (Idle->instructions().size() != 1 || llvm::none_of(*Call, IsInfo) ||
      !isOnlyEntered(Idle, &B) || !isOnlyEntered(Call, &B) ||
      Idle->terminator()->successors() != Call->terminator()->successors() ||
      !coveredAlike(B, *Call) || !coveredAlike(B, *Idle))
    return false;
  Block *Rest = Idle->terminator()->successors()[0];
  Instruction *Load = operand(*Branch, 0);
  F.erase(Branch);
  F.erase(Load);
  F.erase(Idle);
  Builder In(F);
  In.setEnd(&B);
  In.fallThrough(Call);
  F.join(&B);
  auto Next = std::next(B.getIterator());
  if (Next == F.blocks().end() || &*Next != Rest)
    return true;
  F.erase(B.terminator());
  In.setEnd(&B);
  In.fallThrough(Rest);
  makeGraph();
  if (isOnlyEntered(Rest, &B) && coveredAlike(B, *Rest))
    F.join(&B);
  return true;
}

/// Calls of info methods get the null and the 0 of stage 1 again.
Error CodeStripper::returnMonitor(const llvm::StringMap<unsigned> &Info) {
  for (Block &B : F.blocks())
    for (Instruction &I : llvm::make_early_inc_range(B)) {
      if (!TFClass::isCall(I, F.classFile(), Info))
        continue;
      auto Operands = I.operands().take_back(2);
      if (!isGet(operand(I, I.operands().size() - 2), MonitorSlot) ||
          !isNumberLoad(operand(I, I.operands().size() - 1)))
        return makeError("a call of an info method passes something else than "
                         "the monitor and a number");
      Value *Old[] = {Operands[0], Operands[1]};
      Builder In(F, &I);
      Operands[0] = In.null();
      Operands[1] = In.constant(0);
      for (Value *V : Old)
        eraseUnused(F, &B, V);
    }
  return Error::success();
}

/// Nothing may use the slots that were released; frames forget them.
Error CodeStripper::freeSlots(bool CloseGaps) {
  llvm::SmallVector<bool, 32> Free(F.numSlots());
  for (auto [Slot, Width] : Released)
    for (unsigned I = Slot; I < std::min(Slot + Width, F.numSlots()); ++I)
      Free[I] = true;
  for (Block &B : F.blocks()) {
    for (const Instruction &I : B) {
      if (accessesSlot(I) && I.index() < Free.size() && Free[I.index()])
        return makeError("slot " + llvm::Twine(I.index()) +
                         ", which the tracing facility took, has another use");
    }
    if (!B.hasFrame())
      continue;
    llvm::SmallVector<Type, 16> Locals(B.locals());
    for (size_t I = 0; I < Locals.size(); ++I)
      if (I < Free.size() && Free[I])
        Locals[I] = Type::Top;
    F.setFrame(&B, Locals);
  }
  llvm::erase_if(F.PinnedLocals, [&](const auto &W) { return Free[W.Slot]; });
  dropVariables();
  unsigned Slots = F.numSlots();
  while (Slots && Free[Slots - 1])
    --Slots;
  F.setNumSlots(Slots);
  if (CloseGaps &&
      llvm::is_contained(llvm::ArrayRef(Free).take_front(Slots), true))
    closeGaps(llvm::ArrayRef(Free).take_front(Slots));
  return Error::success();
}

/// The original's slots are in front of those of the code, which move down.
void CodeStripper::closeGaps(llvm::ArrayRef<bool> Free) {
  llvm::SmallVector<unsigned, 32> New;
  unsigned Next = 0;
  for (bool IsFree : Free)
    New.push_back(IsFree ? Next : Next++);
  auto Moved = [&](unsigned Slot) {
    return Slot < New.size() ? New[Slot] : Slot;
  };
  for (Block &B : F.blocks()) {
    for (Instruction &I : B)
      if (accessesSlot(I))
        I.setIndex(Moved(I.index()));
    if (!B.hasFrame())
      continue;
    llvm::SmallVector<Type, 16> Locals;
    for (size_t I = 0; I < B.locals().size(); ++I)
      if (I >= Free.size() || !Free[I])
        Locals.push_back(B.locals()[I]);
    F.setFrame(&B, Locals);
  }
  for (Body::PinnedLocal &W : F.PinnedLocals)
    W.Slot = Moved(W.Slot);
  for (Attribute &A : F.Attributes) {
    const AttributeInfo *Info =
        findAttributeInfo(F.pool().utf8(A.NameIndex), InCode);
    llvm::SmallVector<uint8_t, 64> Data(A.Data.begin(), A.Data.end());
    bool Fits = Info && visitAttribute(
                            *Info, A.Data, F.pool(), [&](AttributeField Field) {
                              if (Field.K == AttributeField::Slot) {
                                uint8_t *At = Data.data() + Field.Offset;
                                writeU2(At, uint16_t(Moved(readU2(At))));
                              }
                            });
    if (Fits && Bytes(Data) != A.Data)
      A.Data = F.classFile().save(Bytes(Data));
  }
  F.setNumSlots(Next);
}

/// The original's slots have names.
void CodeStripper::dropVariables() {
  auto IsOurs = [&](StringRef Name) {
    return Name == "__$result$__" || Name == "__$mm$__" || Name == "__$exc$__";
  };
  llvm::erase_if(F.Attributes, [&](Attribute &A) {
    if (F.pool().utf8(A.NameIndex) != "LocalVariableTable")
      return false;
    constexpr size_t Row = 10, Name = 4;
    Bytes Rows = A.Data.drop_front(std::min<size_t>(2, A.Data.size()));
    ByteWriter W;
    W.u2(0);
    unsigned Kept = 0, Dropped = 0;
    for (; Rows.size() >= Row; Rows = Rows.drop_front(Row)) {
      ByteCursor C(Rows.drop_front(Name));
      if (IsOurs(F.pool().utf8(C.u2()))) {
        ++Dropped;
        continue;
      }
      ++Kept;
      W.bytes(Rows.take_front(Row));
    }
    if (!Dropped)
      return false;
    W.patchU2(0, uint16_t(Kept));
    A.Data = F.classFile().save(W.data());
    return Kept == 0;
  });
}

Error CodeStripper::monitored(const llvm::StringMap<unsigned> &Info) {
  if (!readEntry())
    return makeError("its beginning is not that of a monitored method");
  makeGraph();
  llvm::SmallVector<MonitorTest, 8> Tests;
  for (Block &B : F.blocks())
    if (auto T = findTest(B, MonitorSlot))
      Tests.push_back(std::move(*T));
  if (Tests.empty() || Tests[0].At != &F.entry() || Tests[0].What != "enter")
    return makeError("its beginning is not that of a monitored method");
  if (F.tries().empty())
    return makeError("it has no handler for the exit");
  // The original has a range of its own for the first instruction.
  Block *Handler = F.tries().back()->Handler, *Told = Handler;
  if (Handler->terminator()->op() == irop::FallThrough)
    Told = Handler->terminator()->successors()[0];
  const MonitorTest *OfHandler = nullptr;
  for (MonitorTest &T : Tests) {
    remove(T);
    if (T.At == Told && T.What == "exit")
      OfHandler = &T;
  }
  if (!OfHandler)
    return makeError("its last handler does not tell of the exit");
  makeGraph();
  if (Error E = dropHandler(Handler))
    return E;
  for (const MonitorTest &T : llvm::drop_begin(Tests)) {
    if (&T == OfHandler)
      continue;
    if (T.What != "exit" && T.What != "exception")
      return makeError("it calls " + T.What + " of the monitor");
    if (Error E = joinRest(T))
      return E;
  }
  for (Block &B : F.blocks())
    while (joinInfoCall(B, Info))
      makeGraph();
  if (Error E = returnMonitor(Info))
    return E;
  if (Error E = dropFront())
    return E;
  for (Block &B : F.blocks())
    for (const Instruction &I : B)
      if (asksForMonitor(I, F, P))
        return makeError("it asks for a monitor more than once");
  return freeSlots(/*CloseGaps=*/true);
}

Error CodeStripper::infoMethod() {
  const unsigned Slot = unsigned(F.initialLocals().size()) - 2;
  makeGraph();
  auto T = findTest(F.entry(), Slot);
  if (!T || T->What != "info")
    return makeError("its beginning is not that of an info method");
  remove(*T);
  if (Error E = dropFront())
    return E;
  F.setInitialLocals(F.initialLocals().drop_back(2));
  // The old code may use the slots for something else, and need not use all of
  // its own.
  for (unsigned S : {Slot, Slot + 1}) {
    bool Written = llvm::any_of(F.blocks(), [&](Block &B) {
      return llvm::any_of(B, [&](const Instruction &I) {
        return I.op() == irop::LocalSet &&
               (I.index() == S ||
                (I.index() + 1 == S && I.operand(0)->type().isCategory2()));
      });
    });
    if (!Written)
      release(S, Type::Int);
  }
  return freeSlots(/*CloseGaps=*/false);
}

Error jopt::stripMonitored(Body &F, const tf::Packages &P,
                           const llvm::StringMap<unsigned> &Info) {
  return CodeStripper(F, P).monitored(Info);
}

Error jopt::stripInfoMethod(Body &F, const tf::Packages &P) {
  return CodeStripper(F, P).infoMethod();
}

Error jopt::stripInfoCall(Body &F, Instruction &Call, StringRef Descriptor) {
  const unsigned Count = unsigned(Call.operands().size());
  Instruction *Monitor = operand(Call, Count - 2),
              *Caller = operand(Call, Count - 1);
  if (!Monitor || Monitor->op() != irop::Const ||
      !Monitor->type().is(Type::Null) || !isNumberLoad(Caller) || Caller->imm())
    return makeError("a call of an info method passes something else than null "
                     "and 0");
  Block *B = Call.block();
  MemberRef Callee = F.pool().member(Call.index());
  Instruction *New = F.create(irop::Invoke, Call.opcode(), Call.type(),
                              Call.operands().drop_back(2), Call.bci());
  New->setIndex(F.pool().addMember(CPTag::Methodref, Callee.Owner, Callee.Name,
                                   Descriptor));
  New->setKeep(Call.keep());
  New->setPopped(Call.popped());
  F.insert(New, B, Call.getIterator());
  B->replaceUses(&Call, New);
  F.erase(&Call);
  eraseUnused(F, B, Monitor);
  eraseUnused(F, B, Caller);
  return Error::success();
}

/// Whether \p I may be part of what registers a class.
static bool registers(const Instruction &I, Body &F, const tf::Packages &P) {
  auto IsMade = [&](StringRef Class) {
    return Class == P.Holder || Class == "java/util/ArrayList" ||
           Class == "java/util/HashMap" || Class == "java/util/LinkedHashMap";
  };
  switch (I.op()) {
  case irop::Const:
    return true;
  case irop::New:
    return IsMade(F.pool().className(I.index()));
  case irop::FieldAccess: {
    MemberRef R = F.pool().member(I.index());
    return R.Owner == F.classFile().name() &&
           R.Name.starts_with(tf::ClassData::HolderPrefix);
  }
  case irop::Invoke: {
    MemberRef R = F.pool().member(I.index());
    return I.isInit() ? IsMade(R.Owner)
                      : isMember(R, "java/util/List", "add") ||
                            isMember(R, "java/util/Map", "put") ||
                            isMember(R, P.runtime("MethodMonitorRegistry"),
                                     "registerClass");
  }
  default:
    return false;
  }
}

Error jopt::stripRegistration(Body &F, const tf::Packages &P) {
  Block &Entry = F.entry();
  auto End = llvm::find_if(Entry, [&](const Instruction &I) {
    return I.op() == irop::Invoke && I.opcode() == op::INVOKESTATIC &&
           isMember(F.pool().member(I.index()),
                    P.runtime("MethodMonitorRegistry"), "registerClass");
  });
  if (End == Entry.end())
    return makeError("it does not begin with the registration of the class");
  // From the end on: what is still used then is used by code that stays.
  for (++End; Entry.begin() != End;) {
    Instruction &Last = *std::prev(End);
    if (!registers(Last, F, P))
      return makeError("it does something else before it registers the class");
    if (Entry.countUses(&Last))
      return makeError("what it registers the class with has another use");
    F.erase(&Last);
  }
  if (Entry.instructions().size() == 1 && F.blocks().size() > 1 &&
      Entry.terminator()->op() == irop::FallThrough && !Entry.throwEdges()) {
    Block *First = Entry.terminator()->successors()[0];
    F.erase(&Entry);
    if (FlowGraph(F, FlowEdges::Normal)[*First].predecessors().empty())
      F.clearFrame(First);
  }
  return Error::success();
}
