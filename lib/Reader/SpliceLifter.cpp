//===- SpliceLifter.cpp - Code that stays in one piece --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One pass over the frames and one over the code find all that a spliced body
/// must know; nothing is made of it. What lifting would find wrong by following
/// types is not seen; all that could lead the writer astray is: each branch
/// goes to a frame, and each frame and border is at an instruction.
///
//===----------------------------------------------------------------------===//

#include "FrameScan.h"
#include "Lifters.h"
#include "OpcodeFacts.h"
#include "jopt/IR/Splice.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

JOPT_STATISTIC(NumSpliced, "lifter", "spliced", "methods lifted spliced");

namespace {

/// Kept from one method to the next.
struct SpliceScratch {
  FrameScan Frames;
};

class SpliceLifter {
public:
  SpliceLifter(ClassFile &Class, const Method &M, Splice &Of,
               SpliceScratch &Scratch)
      : Class(Class), M(M), S(Of), Frames(Scratch.Frames), Marks(Of.Marks),
        Code(Of.Code.Code), Size(uint32_t(Code.size())) {}

  bool run();

private:
  static constexpr uint32_t None = ~0u;

  bool mark();
  bool markBorders();
  bool findSuperCall();
  bool scan();
  bool passMark();
  bool skipPlain();
  void straight(uint32_t Length, uint8_t Of, uint32_t Index);
  bool other();
  bool branch(const DecodedInst &D);
  bool target(int32_t To);
  void addReturn();
  bool followsMove() const;

  ClassFile &Class;
  const Method &M;
  Splice &S;
  FrameScan &Frames;
  enum : uint8_t { Frame = Splice::Frame, Border = Splice::Border };
  llvm::SmallVectorImpl<uint8_t> &Marks; ///< Splice::Marks
  struct {
    unsigned All = 0, Passed = 0;
  } NumMarks;
  OriginalFrame *Next = nullptr; ///< the first that was not passed
  const Bytes Code;
  const uint32_t Size;
  const OpcodeFacts *const Facts = opcodeFacts();
  uint32_t At = 0;   ///< the instruction that is looked at
  uint8_t Flags = 0; ///< of the code so far
  bool Falls = true; ///< control comes here from the instruction before
  /// The load or constant directly before, if nothing begins in between.
  uint32_t Load = None;
  uint8_t BeforeLoad = 0; ///< Flags in front of that
};

} // namespace

/// Marks where exception ranges and handlers begin and end.
bool SpliceLifter::markBorders() {
  auto Mark = [&](uint32_t BCI) {
    NumMarks.All += !Marks[BCI];
    Marks[BCI] |= Border;
  };
  for (const CodeView::Handler &H : S.Code.Handlers) {
    const OriginalFrame *Of = Frames.at(H.Target);
    if (H.Start >= H.End || H.End > Size || !Of || FrameStack(*Of).Count != 1)
      return false;
    Mark(H.Start);
    Mark(H.Target);
    if (H.End < Size)
      Mark(H.End);
  }
  return true;
}

/// Marks what lies in the code.
bool SpliceLifter::mark() {
  constexpr size_t LongestPlain = 5; // so far an instruction may lead beyond
  Marks.resize_for_overwrite(Size + LongestPlain);
  std::memset(Marks.data(), 0, Size);
  std::memset(Marks.data() + Size, Splice::End, LongestPlain);
  if (!Frames.Frames.empty() && Frames.Frames.back().BCI >= Size)
    return false;
  for (const OriginalFrame &Of : Frames.Frames)
    Marks[Of.BCI] = Frame;
  Next = Frames.Frames.data();
  NumMarks.All = unsigned(Frames.Frames.size());
  return S.Code.Handlers.empty() || markBorders();
}

/// The call of super() or this(), which must be in the straight code at the
/// beginning. No object of these classes is made before it, so that the first
/// constructor of theirs that is called is called on `this`.
bool SpliceLifter::findSuperCall() {
  const uint32_t Limit = uint32_t(
      llvm::find_if(Marks, [](uint8_t M) { return M != 0; }) - Marks.begin());
  auto IsOwner = [&](llvm::StringRef Name) {
    return Name == Class.name() || Name == Class.superName();
  };
  DecodedInst D;
  // Where code is scheduled, what moves on the stack without need is left out.
  auto MayMove = [](Opcode Op, Opcode Before) {
    return Op >= op::POP && Op <= op::SWAP &&
           !(Op == op::DUP && Before == op::NEW);
  };
  Opcode Before = op::NOP;
  for (uint32_t Now = 0; decodeInst(Code, Now, D);
       Now = D.end(), Before = D.Op) {
    const OpcodeFacts O = Facts[D.Op];
    if (D.end() > Limit || D.end() == Size || D.info().Branches ||
        D.info().EndsBlock || D.Op == op::NOP || MayMove(D.Op, Before) ||
        (O.flags() & OpcodeFacts::StoresThis) ||
        ((O.flags() & OpcodeFacts::Stores) && D.Index == 0))
      return false;
    if (isInitCall(Class.Pool, D.Op, D.Index) &&
        IsOwner(Class.Pool.member(D.Index).Owner)) {
      S.SuperCall = Now;
      S.SuperEnd = D.end();
      return true;
    }
    if (D.Op == op::NEW && IsOwner(Class.Pool.className(D.Index)))
      return false;
    if (O.flags() & OpcodeFacts::Throws)
      S.MayThrowBeforeSuper = true;
  }
  return false;
}

/// The instruction before is a dup or swap. These may move behind what does not
/// use the stack, where code is not raw.
bool SpliceLifter::followsMove() const {
  auto IsMove = [](Opcode Op) { return Op >= op::DUP && Op <= op::SWAP; };
  if (At == S.SuperEnd || !IsMove(Code[At - 1]))
    return false;
  // The byte may be part of another instruction.
  const auto Frame = llvm::partition_point(
      Frames.Frames, [&](const OriginalFrame &F) { return F.BCI < At; });
  uint32_t Begin = S.SuperEnd;
  if (Frame != Frames.Frames.begin())
    Begin = std::max(Begin, Frame[-1].BCI);
  DecodedInst D;
  for (uint32_t Now = Begin; Now < At; Now = D.end())
    if (!decodeInst(Code, Now, D))
      return true;
  return IsMove(D.Op);
}

/// A frame or a border is where the scan is.
bool SpliceLifter::passMark() {
  ++NumMarks.Passed;
  if (Marks[At] & Frame) {
    (Next++)->FallsIn = Falls && At;
    Load = None;
  }
  if (Marks[At] & Border) {
    if (At && followsMove())
      return false;
    // What an advice makes of the value depends on where that comes from.
    S.LoadsBeforeBorder |=
        Load != None && Code[At] >= op::IRETURN && Code[At] < op::RETURN;
  }
  Load = None;
  return true;
}

/// Passes over what at most throws or loads. True: up to the next mark, or the
/// end; what goes beyond the code is found behind it.
bool SpliceLifter::skipPlain() {
  const uint8_t *const P = Code.data(), *const M = Marks.data();
  const OpcodeFacts *const Table = Facts;
  size_t Now = At, Last = At;
  unsigned Seen = 0;
  do {
    const unsigned Packed = Table[P[Now]].Packed;
    if (Packed & OpcodeFacts::NotPlain << 8)
      break;
    Last = Now;
    Seen |= Packed;
    Now += Packed & 255;
  } while (!M[Now]);
  if (Now == At)
    return false;
  Falls = true;
  BeforeLoad = Flags |= uint8_t(Seen >> 8);
  Load = Table[P[Last]].flags() == OpcodeFacts::Loads ? uint32_t(Last) : None;
  At = uint32_t(Now);
  return M[Now];
}

/// The instruction at At, of \p Length bytes, is no branch and no end; \p Index
/// is the slot or pool index that it names.
void SpliceLifter::straight(uint32_t Length, uint8_t Of, uint32_t Index) {
  const bool Loads =
      (Of & OpcodeFacts::Loads) &&
      (!(Of & OpcodeFacts::OfPool) || isPlainConstant(Class.Pool[Index].Tag));
  Load = Loads ? At : None;
  BeforeLoad = Flags;
  Flags |= Of;
  if (Of & (OpcodeFacts::StoresThis | OpcodeFacts::Stores))
    S.KeepsThis &= !(Of & OpcodeFacts::StoresThis) && Index != 0;
  Falls = true;
  At += Length;
}

bool SpliceLifter::target(int32_t To) {
  if (To < 0 || uint32_t(To) >= Size || !(Marks[uint32_t(To)] & Frame))
    return false;
  if (uint32_t(To) > At)
    return true;
  const auto *R = llvm::partition_point(
      llvm::ArrayRef(S.Returns),
      [&](const OriginalReturn &R) { return R.Load < uint32_t(To); });
  const bool ToReturn =
      R != llvm::ArrayRef(S.Returns).end() && R->Load == uint32_t(To);
  (ToReturn ? S.LoopsToReturn : To ? S.Loops : S.LoopsToBegin) = true;
  return true;
}

bool SpliceLifter::branch(const DecodedInst &D) {
  if (!target(D.Value))
    return false;
  for (uint32_t C = 0; C < D.NumCases; ++C)
    if (!target(D.caseTarget(C)))
      return false;
  Load = None;
  Falls = !D.info().EndsBlock;
  if (D.Table)
    S.Switches.push_back(At);
  else
    S.Jumps.push_back({At, uint32_t(D.Value)});
  At = D.end();
  return true;
}

void SpliceLifter::addReturn() {
  const bool Loads = Code[At] != op::RETURN && Load != None;
  S.Returns.push_back({Loads ? Load : At, At});
  // A long load stays in its range, and is made again behind the advice.
  if (Loads && At - Load > 1)
    S.LoadsBeforeBorder |=
        llvm::any_of(S.Code.Handlers, [&](const CodeView::Handler &H) {
          return H.Start <= At && At < H.End;
        });
  if (Loads)
    Flags = BeforeLoad;
  Load = None;
  Falls = false;
  ++At;
}

/// What is not in the table.
bool SpliceLifter::other() {
  const Opcode Op = Code[At];
  if (Op >= op::IRETURN && Op <= op::RETURN) {
    addReturn();
  } else if (Op == op::ATHROW) {
    Flags |= OpcodeFacts::Throws;
    Load = None;
    Falls = false;
    ++At;
  } else if (Op >= op::IFEQ && Op <= op::GOTO && Size - At > 2) {
    const int32_t To = int32_t(At) + int16_t(readU2(Code.data() + At + 1));
    if (!target(To))
      return false;
    S.Jumps.push_back({At, uint32_t(To)});
    Load = None;
    Falls = Op != op::GOTO;
    At += 3;
  } else {
    DecodedInst D;
    if (!decodeInst(Code, At, D))
      return false;
    if (D.Wide && !D.info().EndsBlock) {
      straight(D.Length, Facts[D.Op].flags(), D.Index);
    } else if (D.info().Branches) {
      if (!getIROp(D.Op) || !branch(D)) // jsr
        return false;
    } else if (!D.info().EndsBlock) {
      if (D.Op == op::NOP && At && followsMove())
        return false;
      straight(D.Length, Facts[D.Op].flags(), D.Index);
    } else {
      return false; // ret
    }
  }
  // Nothing falls in there: it must say what it expects.
  return Falls || At == Size || (Marks[At] & Frame);
}

bool SpliceLifter::scan() {
  const uint8_t *P = Code.data();
  while (At < Size) {
    if (Marks[At] && !passMark())
      return false;
    if (skipPlain())
      continue;
    const OpcodeFacts O = Facts[P[At]];
    if (!O.length() || O.length() > Size - At) {
      if (!other())
        return false;
    } else {
      const bool Long = P[At] == op::LDC_W || P[At] == op::LDC2_W;
      straight(O.length(), O.flags(),
               O.length() == 1 ? 0
               : Long          ? readU2(P + At + 1)
                               : P[At + 1]);
    }
  }
  return At == Size && !Falls && NumMarks.Passed == NumMarks.All;
}

bool SpliceLifter::run() {
  const Attribute *StackMap = nullptr;
  for (const Attribute &A : S.Code.Attributes) {
    if (A.NameIndex == S.LinesName)
      continue;
    const llvm::StringRef Name = Class.Pool.utf8(A.NameIndex);
    if (Name == "StackMapTable")
      StackMap = &A;
    else if (Name == "LineNumberTable")
      S.LinesName = A.NameIndex;
    else if (Name != "LocalVariableTable" && Name != "LocalVariableTypeTable")
      return false;
  }
  if (!Frames.run(Class, M, StackMap ? StackMap->Data : Bytes()) ||
      Frames.NumEntrySlots > S.Code.MaxLocals || !mark())
    return false;
  if (Frames.OfConstructor) {
    if (!findSuperCall())
      return false;
    At = S.SuperEnd;
  }
  if (!scan())
    return false;
  S.Frames.swap(Frames.Frames);
  S.NumLastLocals = Frames.numLocals();
  S.FirstLocal = Frames.firstLocal();
  S.KeepsThis &= Frames.KeepsThis;
  S.MayThrow = Flags & OpcodeFacts::Throws;
  S.HasMonitors = Flags & OpcodeFacts::Monitor;
  return true;
}

static void clear(Splice &S) {
  S.Jumps.clear();
  S.Switches.clear();
  S.Returns.clear();
  S.SuperCall = S.SuperEnd = 0;
  S.MayThrowBeforeSuper = S.MayThrow = S.HasMonitors = false;
  S.Loops = S.LoopsToBegin = S.LoopsToReturn = S.LoadsBeforeBorder = false;
  S.Follows = false;
  S.KeepsThis = true;
  S.HandlerLocals.clear();
  S.LastLocals.clear();
  S.Entry = nullptr;
  S.Sites.clear();
  S.Locals.clear();
  S.Detours.clear();
  S.Handlers.clear();
  S.Slots.clear();
  S.Scratch = 0;
  S.Records = false;
  S.NumMadeCodes = 0;
  S.Made.clear();
}

bool jopt::liftSpliced(ClassFile &Class, Method &M, Splice &S) {
  // Where a branch goes, frames have to tell.
  if (!Class.hasFrames())
    return false;
  const int At = M.codeAttribute(Class.Pool);
  if (At < 0)
    return false;
  if (llvm::Error E =
          parseCode(Class, M.Attributes[unsigned(At)].Data, S.Code)) {
    llvm::consumeError(std::move(E));
    return false;
  }
  clear(S);
  Borrowed<SpliceScratch> Scratch;
  if (!SpliceLifter(Class, M, S, *Scratch).run())
    return false;
  M.IR = std::make_unique<Body>(Class, M);
  M.IR->Spliced = &S;
  M.IR->setNumSlots(S.Code.MaxLocals);
  M.IR->OriginalMaxStack = S.Code.MaxStack;
  M.IR->OriginalMaxLocals = S.Code.MaxLocals;
  M.IR->OriginalCodeLength = unsigned(S.Code.Code.size());
  ++NumSpliced;
  return true;
}

bool jopt::liftReturn(const Splice &S, const OriginalReturn &R, Block *B,
                      Type Known) {
  Body &F = B->body();
  const Opcode Op = S.Code.Code[R.BCI];
  Type Ty = typeOfLetter(getOpcodeInfo(Op)->operands()[0]);
  if (Ty.is(Type::Top) && Known.isReference())
    Ty = Known;
  else if (Ty.is(Type::Top))
    Ty = F.types().fromDescriptor(
        returnDescriptor(F.classFile().descriptor(F.method())));
  if (!Ty.slots())
    return false;
  B->setBCI(int32_t(R.Load));
  if (R.Load == R.BCI) {
    F.setParameters(B, Ty);
    Value *Top = B->parameters()[0];
    F.append(F.create(irop::Return, Op, Type::Void, Top, int32_t(R.BCI)), B);
    return true;
  }
  Borrowed<LiftState> State;
  BlockLifter Lifter(F, S.Code.Code, {/*Anchors=*/false, /*Raw=*/true}, *State);
  Lifter.Stack.clear();
  // What an aload loads is what is to be returned.
  DecodedInst D;
  decodeInst(S.Code.Code, R.Load, D);
  Lifter.Slots.reset(F.numSlots(), {});
  if (D.info().Cat == op::CatLocal && D.Index < F.numSlots())
    Lifter.Slots.set(D.Index, Ty);
  if (llvm::Error E = Lifter.lift(B, R.Load, R.BCI + 1).takeError()) {
    llvm::consumeError(std::move(E));
    return false;
  }
  return true;
}
