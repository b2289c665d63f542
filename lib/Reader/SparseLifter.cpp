//===- SparseLifter.cpp - Code into stretches -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One pass over the frames and one over the code make a sparse body. What
/// lifting would find wrong by following types it does not see; all that could
/// lead the writer astray it does: each branch goes to a frame, and each frame
/// and border is at an instruction.
///
//===----------------------------------------------------------------------===//

#include "BlockLifter.h"
#include "FrameScan.h"
#include "Lifters.h"
#include "OpcodeFacts.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

JOPT_STATISTIC(NumSparse, "lifter", "sparse", "methods lifted sparsely");

namespace {

/// Kept from one method to the next.
struct SparseScratch {
  CodeView Code;
  FrameScan Frames;
  std::vector<OriginalJump> Jumps;
  std::vector<uint32_t> Borders;
  std::vector<Block *> Blocks;
  LiftState State;
};

class SparseLifter {
public:
  SparseLifter(Body &F, SparseScratch &S)
      : F(F), S(S), Code(S.Code.Code), Size(uint32_t(Code.size())),
        Instance(!F.method().is(ACC_STATIC)) {}

  bool run();

private:
  static constexpr uint32_t None = ~0u;

  bool findBorders();
  bool liftConstructor();
  void skipPlain(const OpcodeFacts *Facts);
  bool scan();
  bool stop();
  bool endAtBorder();
  bool followsMove() const;
  Type returned() const;
  bool lift(Block *B);
  bool lift(Block *B, uint32_t End);
  bool other();
  bool branch(const DecodedInst &D);
  bool target(int32_t To);
  void straight(uint32_t Length, uint8_t Flags, uint32_t Index);
  bool liftReturn();
  Block *addBlock(uint32_t BCI);
  void endStretch(uint32_t To, bool IsOpen, uint32_t Switch = ~0u);
  void makeIndex();

  Body &F;
  SparseScratch &S;
  const Bytes Code;
  const uint32_t Size;
  const bool Instance;
  /// \name Of the scan
  /// @{
  uint32_t At = 0;      ///< the instruction that is looked at
  uint32_t From = 0;    ///< where the stretch begins
  size_t FirstJump = 0; ///< of the stretch, in S.Jumps
  /// The next of S.Frames and S.Borders, and where the nearer one is.
  struct {
    size_t Frame = 0, Border = 0;
    uint32_t Stop = 0;
  } Next;
  uint8_t Flags = 0; ///< of the stretch
  bool Loops = false;
  bool KeepsThis = true;
  bool Falls = true; ///< control comes here from the instruction before
  /// The load directly before, of the same block, and Flags and Falls as they
  /// were in front of it.
  struct {
    uint32_t BCI = None;
    uint8_t Flags = 0;
    bool Falls = false;
  } Last;
  /// What ends the block before and falls into the next; null: nothing does.
  Instruction *Open = nullptr;
  /// @}
};

} // namespace

/// As liftMethod lifts what it does not leave raw.
static constexpr LiftOptions AsDense = {/*Anchors=*/false, /*Raw=*/true};

/// Where blocks begin and end for the exception table.
bool SparseLifter::findBorders() {
  S.Borders.clear();
  for (const CodeView::Handler &H : S.Code.Handlers) {
    const OriginalFrame *Frame = S.Frames.at(H.Target);
    if (H.Start >= H.End || H.End > Size || !Frame ||
        FrameStack(*Frame).Count != 1)
      return false;
    S.Borders.push_back(H.Start);
    S.Borders.push_back(H.Target);
    if (H.End < Size)
      S.Borders.push_back(H.End);
  }
  llvm::sort(S.Borders);
  S.Borders.erase(std::unique(S.Borders.begin(), S.Borders.end()),
                  S.Borders.end());
  return true;
}

/// A block, with the parameter that a handler has.
Block *SparseLifter::addBlock(uint32_t BCI) {
  Block *B = F.createBlock();
  B->setBCI(int32_t(BCI));
  S.Blocks.push_back(B);
  if (Open)
    F.setSuccessors(Open, B);
  Open = nullptr;
  for (const CodeView::Handler &H : S.Code.Handlers)
    if (H.Target == BCI) {
      F.setHandler(B, caughtType(F, H.CatchType));
      break;
    }
  return B;
}

/// Makes a block of what lies before \p To, if anything does. \p IsOpen: it
/// falls into what begins there.
void SparseLifter::endStretch(uint32_t To, bool IsOpen, uint32_t Switch) {
  if (To == From)
    return;
  auto *C = new (F.allocator().Allocate<Stretch>()) Stretch();
  C->From = From;
  C->To = To;
  C->Switch = std::min(Switch, To);
  C->Jumps = F.copy(llvm::ArrayRef(S.Jumps).drop_front(FirstJump));
  C->MayThrow = Flags & OpcodeFacts::Throws;
  C->HasMonitors = Flags & OpcodeFacts::Monitor;
  C->Loops = Loops;
  Block *B = addBlock(From);
  llvm::SmallVector<Value *, 1> Top(B->parameters());
  Instruction *I = F.createStretch(*C, Top);
  F.append(I, B);
  Open = IsOpen ? I : nullptr;
  From = To;
  FirstJump = S.Jumps.size();
  Flags = 0;
  Loops = false;
}

/// Lifts all up to the call of super() or this(), which must be in the straight
/// code at the beginning.
bool SparseLifter::liftConstructor() {
  uint32_t Limit = Size - 1;
  if (!S.Frames.Frames.empty())
    Limit = S.Frames.Frames.front().BCI;
  if (!S.Borders.empty())
    Limit = std::min(Limit, S.Borders.front());
  const uint32_t End = endOfSuperCall(F, Code);
  if (!End || End > Limit)
    return false;
  llvm::SmallVector<Type, 16> Slots;
  initialLocals(F, Slots);
  F.setInitialLocals(Slots);
  Block *B = addBlock(0);
  BlockLifter Lifter(F, Code, AsDense, S.State);
  Lifter.SiteAt.assign(Size, BlockLifter::NoSite);
  Lifter.Stack.clear();
  Lifter.Slots.reset(F.numSlots(), F.initialLocals());
  auto Lifted = Lifter.lift(B, 0, End);
  if (!Lifted) {
    llvm::consumeError(Lifted.takeError());
    return false;
  }
  // Of a new object of that class it would not be the last.
  if (!Lifter.Stack.empty() || B->empty() ||
      !B->instructions().back().isInit() ||
      !B->instructions().back().operand(0)->type().is(Type::UninitThis))
    return false;
  Open = F.create(irop::FallThrough, op::NOP, Type::Void, {}, int32_t(End));
  F.append(Open, B);
  At = From = End;
  return true;
}

/// What the return at At, of a value, takes; Void: its descriptor says nothing.
Type SparseLifter::returned() const {
  const Type Ty = typeOfLetter(getOpcodeInfo(Code[At])->operands()[0]);
  return !Ty.is(Type::Top) ? Ty
                           : F.types().fromDescriptor(returnDescriptor(
                                 F.classFile().descriptor(F.method())));
}

/// Makes \p B the return at At, of what is on the stack.
bool SparseLifter::lift(Block *B) {
  llvm::ArrayRef<Value *> Taken;
  Value *Top;
  if (Code[At] != op::RETURN) {
    const Type Ty = returned();
    if (!Ty.slots())
      return false;
    if (!B->isHandler())
      F.setParameters(B, Ty);
    Top = B->parameters()[0];
    if (Top->type().isCategory2() != Ty.isCategory2())
      return false;
    Taken = Top;
  }
  F.append(F.create(irop::Return, Code[At], Type::Void, Taken, int32_t(At)), B);
  return true;
}

/// Lifts into \p B, which begins with it, a load up to \p End, and the return
/// of what it loads if that is in front of that. The return is at At.
bool SparseLifter::lift(Block *B, uint32_t End) {
  BlockLifter Lifter(F, Code, AsDense, S.State);
  const Type Ty = returned();
  if (!Ty.slots())
    return false;
  const uint32_t Begin = uint32_t(B->bci());
  Lifter.Stack.assign(B->parameters().begin(), B->parameters().end());
  // What an aload loads is what is to be returned.
  DecodedInst D;
  decodeInst(Code, Begin, D);
  Lifter.Slots.reset(F.numSlots(), {});
  if (D.info().Cat == op::CatLocal && D.Index < F.numSlots())
    Lifter.Slots.set(D.Index, Ty);
  auto Lifted = Lifter.lift(B, Begin, End);
  if (!Lifted) {
    llvm::consumeError(Lifted.takeError());
    return false;
  }
  if (End == At)
    F.setExitValues(B, Lifter.Stack);
  return true;
}

/// The instruction before, in the stretch, is a dup or swap. These may move
/// behind what does not use the stack, where code is not raw.
bool SparseLifter::followsMove() const {
  auto IsMove = [](Opcode Op) { return Op >= op::DUP && Op <= op::SWAP; };
  if (From == At || !IsMove(Code[At - 1]))
    return false;
  DecodedInst D;
  for (uint32_t Next = From; Next < At; Next = D.end())
    if (!decodeInst(Code, Next, D))
      return true;
  return IsMove(D.Op);
}

/// A border is at At. What is loaded in front of it to be returned behind it is
/// lifted, as what an advice makes of it depends on where it comes from.
bool SparseLifter::endAtBorder() {
  if (followsMove())
    return false;
  const Opcode Op = Code[At];
  const bool Returns = Op >= op::IRETURN && Op < op::RETURN;
  if (!Returns || Last.BCI == None) {
    endStretch(At, Falls);
    return true;
  }
  Flags = Last.Flags;
  endStretch(Last.BCI, Last.Falls);
  Block *B = addBlock(Last.BCI);
  if (B->isHandler() || !lift(B, At))
    return false;
  Open = F.create(irop::FallThrough, op::NOP, Type::Void, {}, int32_t(At));
  F.append(Open, B);
  From = At;
  Flags = 0;
  return true;
}

/// A frame or a border is where the scan is, or was passed over.
bool SparseLifter::stop() {
  const auto &Frames = S.Frames.Frames;
  if (Next.Frame < Frames.size() && Frames[Next.Frame].BCI <= At) {
    if (Frames[Next.Frame++].BCI != At)
      return false;
    Last.BCI = None;
  }
  if (Next.Border < S.Borders.size() && S.Borders[Next.Border] <= At) {
    if (S.Borders[Next.Border++] != At)
      return false;
    if (!endAtBorder())
      return false;
  }
  Last.BCI = None;
  Next.Stop = Size;
  if (Next.Frame < Frames.size())
    Next.Stop = std::min(Next.Stop, Frames[Next.Frame].BCI);
  if (Next.Border < S.Borders.size())
    Next.Stop = std::min(Next.Stop, S.Borders[Next.Border]);
  return Next.Stop > At || Next.Stop == Size;
}

/// The instruction at At, of \p Length bytes, is no branch and no end; \p Index
/// is the slot or pool index that it names.
void SparseLifter::straight(uint32_t Length, uint8_t Of, uint32_t Index) {
  const bool Loads =
      (Of & OpcodeFacts::Loads) &&
      (!(Of & OpcodeFacts::OfPool) || isPlainConstant(F.pool()[Index].Tag));
  Last = {Loads ? At : None, Flags, Falls};
  Flags |= Of;
  if (Of & (OpcodeFacts::StoresThis | OpcodeFacts::Stores))
    KeepsThis &= !(Of & OpcodeFacts::StoresThis) && Index != 0;
  Falls = true;
  At += Length;
}

bool SparseLifter::target(int32_t To) {
  if (To < 0 || !S.Frames.at(uint32_t(To)))
    return false;
  if (uint32_t(To) > At)
    return true;
  // What was lifted there leaves the method.
  auto *B = llvm::partition_point(llvm::ArrayRef(S.Blocks),
                                  [&](Block *B) { return B->bci() < To; });
  Loops |= B == llvm::ArrayRef(S.Blocks).end() || (*B)->bci() != To ||
           (*B)->terminator()->op() != irop::Return;
  return true;
}

bool SparseLifter::branch(const DecodedInst &D) {
  if (!target(D.Value))
    return false;
  for (uint32_t C = 0; C < D.NumCases; ++C)
    if (!target(D.caseTarget(C)))
      return false;
  Last.BCI = None;
  Falls = !D.info().EndsBlock;
  if (!D.Table)
    S.Jumps.push_back({At, uint32_t(D.Value)});
  At = D.end();
  if (D.Table)
    endStretch(At, false, D.BCI);
  return true;
}

/// Lifts the return at At and the load before it.
bool SparseLifter::liftReturn() {
  const bool Loads = Code[At] != op::RETURN && Last.BCI != None;
  const uint32_t Begin = Loads ? Last.BCI : At;
  if (Loads)
    Flags = Last.Flags;
  endStretch(Begin, Loads ? Last.Falls : Falls);
  Block *B = addBlock(Begin);
  if (Loads ? !lift(B, At + 1) : !lift(B))
    return false;
  From = ++At;
  Falls = false;
  Last.BCI = None;
  Flags = 0;
  return true;
}

/// What is not in the table.
bool SparseLifter::other() {
  DecodedInst D;
  if (!decodeInst(Code, At, D))
    return false;
  const OpcodeInfo &Info = D.info();
  if (D.Wide) {
    if (Info.EndsBlock)
      return false; // ret
    const OpcodeFacts &O = opcodeFacts()[D.Op];
    straight(D.Length, O.Flags, D.Index);
    return true;
  }
  if (Info.Branches) {
    if (!getIROp(D.Op)) // jsr
      return false;
    if (!branch(D))
      return false;
  } else if (getIROp(D.Op) == irop::Return) {
    if (!liftReturn())
      return false;
  } else if (getIROp(D.Op) == irop::Throw) {
    Flags |= OpcodeFacts::Throws;
    Last.BCI = None;
    Falls = false;
    ++At;
  } else if (!Info.EndsBlock) {
    if (D.Op == op::NOP && followsMove())
      return false;
    straight(D.Length, opcodeFacts()[D.Op].Flags, D.Index);
  } else {
    return false; // ret
  }
  // Nothing falls in there: it must say what it expects.
  return Falls || At == Size || S.Frames.at(At);
}

/// Passes over what at most throws or loads, up to Next.Stop. What goes beyond
/// the code is found behind it.
void SparseLifter::skipPlain(const OpcodeFacts *Facts) {
  constexpr uint8_t Plain = OpcodeFacts::Throws | OpcodeFacts::Monitor;
  const uint8_t *P = Code.data();
  const uint32_t Begin = At, Stop = Next.Stop;
  uint32_t Now = At;
  uint8_t Seen = Flags;
  auto Before = Last;
  for (; Now < Stop;) {
    const OpcodeFacts O = Facts[P[Now]];
    if (!O.Length)
      break;
    if (!(O.Flags & ~Plain))
      Before.BCI = None;
    else if (O.Flags == OpcodeFacts::Loads)
      Before = {Now, Seen, Now != Begin || Falls};
    else
      break;
    Seen |= O.Flags;
    Now += O.Length;
  }
  Falls |= Now != Begin;
  Flags = Seen;
  Last = Before;
  At = Now;
}

bool SparseLifter::scan() {
  const OpcodeFacts *Facts = opcodeFacts();
  const uint8_t *P = Code.data();
  S.Jumps.clear();
  Next.Stop = 0;
  while (At < Size) {
    if (At >= Next.Stop && !stop())
      return false;
    skipPlain(Facts);
    if (At >= Next.Stop)
      continue;
    const OpcodeFacts O = Facts[P[At]];
    if (!O.Length || O.Length > Size - At) {
      if (!other())
        return false;
    } else {
      const bool Long = P[At] == op::LDC_W || P[At] == op::LDC2_W;
      straight(O.Length, O.Flags,
               O.Length == 1 ? 0
               : Long        ? readU2(P + At + 1)
                             : P[At + 1]);
    }
  }
  endStretch(Size, false);
  return At == Size && !Falls && Next.Frame == S.Frames.Frames.size() &&
         Next.Border == S.Borders.size();
}

void SparseLifter::makeIndex() {
  auto *I = new (F.allocator().Allocate<CodeIndex>()) CodeIndex();
  I->Code = Code;
  I->Blocks = F.copy(llvm::ArrayRef(S.Blocks));
  I->Frames = F.copy(llvm::ArrayRef(S.Frames.Frames));
  I->NumLastLocals = S.Frames.numLocals();
  I->FirstLocal = S.Frames.firstLocal();
  I->KeepsThis = KeepsThis && S.Frames.KeepsThis;
  F.Index = I;
}

bool SparseLifter::run() {
  S.Blocks.clear();
  if (S.Frames.NumEntrySlots > F.numSlots() || !findBorders())
    return false;
  ClassFile &Class = F.classFile();
  const Type This = Class.classType(Class.ThisIndex);
  if (isConstructor(Class, F.method())) {
    if (!liftConstructor())
      return false;
  } else if (Instance) {
    F.setInitialLocals(This);
  }
  if (!scan())
    return false;
  makeIndex();
  if (S.Code.Handlers.empty())
    return true;
  coverByHandlers(F, S.Code.Handlers, S.Blocks);
  for (Block *B : S.Blocks)
    if (B->isHandler()) {
      llvm::ArrayRef<Type> Locals = This;
      F.setFrame(B, Instance && F.Index->KeepsThis ? Locals
                                                   : llvm::ArrayRef<Type>());
    }
  return true;
}

bool jopt::liftSparse(ClassFile &Class, Method &M) {
  // Where a branch goes, frames have to tell.
  if (!Class.hasFrames())
    return false;
  int At = M.codeAttribute(Class.Pool);
  if (At < 0)
    return false;
  Borrowed<SparseScratch> S;
  if (llvm::Error E =
          parseCode(Class, M.Attributes[unsigned(At)].Data, S->Code)) {
    llvm::consumeError(std::move(E));
    return false;
  }
  const Attribute *StackMap =
      ClassFile::findAttribute(Class.Pool, S->Code.Attributes, "StackMapTable");
  if (!S->Frames.run(Class, M, StackMap ? StackMap->Data : Bytes()))
    return false;
  Body &F = makeBody(Class, M, S->Code);
  if (SparseLifter(F, *S).run()) {
    ++NumSparse;
    return true;
  }
  M.IR.reset();
  return false;
}
