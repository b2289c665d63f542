//===- PatchLifter.cpp - Code that stays in one piece ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One pass over the frames and one over the code find all that a patched body
/// must know; nothing is made of it. What lifting would find wrong by following
/// types is not seen; all that could lead the writer astray is: each branch
/// goes to a frame, and each frame and border is at an instruction.
///
//===----------------------------------------------------------------------===//

#include "FrameScan.h"
#include "Lifters.h"
#include "OpcodeFacts.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

JOPT_STATISTIC(NumPatched, "lifter", "patched", "methods patched");

namespace {

/// Kept from one method to the next.
struct PatchScratch {
  FrameScan Frames;
  const OpcodeFacts *const Facts = opcodeFacts();
};

class PatchLifter {
public:
  PatchLifter(ClassFile &Class, const Method &M, CodePatch &Of,
              PatchScratch &Scratch)
      : Class(Class), M(M), S(Of), Frames(Scratch.Frames), Marks(Of.Marks),
        Code(Of.Code.Code), Size(uint32_t(Code.size())), Facts(Scratch.Facts) {}

  bool run();

private:
  bool mark();
  bool markBorders();
  bool passBeforeSuper(uint32_t Here, bool Falls);
  bool findSuperCall();
  bool scan();
  /// The state in front of an instruction.
  struct State {
    /// OpcodeFacts::Packed of the instruction directly before, 0 if something
    /// begins in between; a constant of the pool that is plain Loads alone.
    unsigned Last = 0;
    /// The effects of the code so far, and of the code in front of a load:
    /// flags of OpcodeFacts::Packed.
    unsigned Seen = 0, BeforeLoad = 0;
    bool Falls = true; ///< control comes here from the instruction before
    /// A load or constant is directly before.
    bool loads() const { return Last >> 8 == OpcodeFacts::Loads; }
    void setLoad(bool Is, uint32_t Length) {
      Last = Is ? OpcodeFacts::Loads << 8 | Length : 0;
    }
  };
  bool passMark(const State &Now);
  bool passEnd(Opcode Op, State &Now, size_t &Here);
  bool noteStraight(unsigned Of, uint32_t Index);
  uint32_t rare(State &Now);
  bool target(int32_t To);
  void addReturn(bool Gives, const State &Now);

  ClassFile &Class;
  const Method &M;
  CodePatch &S;
  FrameScan &Frames;
  enum : uint8_t { Frame = CodePatch::Frame, Border = CodePatch::Border };
  llvm::SmallVectorImpl<uint8_t> &Marks; ///< CodePatch::Marks
  struct {
    unsigned All = 0, Passed = 0;
  } NumMarks;
  OriginalFrame *Next = nullptr; ///< the first that was not passed
  const Bytes Code;
  const uint32_t Size;
  const OpcodeFacts *const Facts;
  uint32_t At = 0; ///< the instruction that is looked at
};

} // namespace

/// Marks where exception ranges and handlers begin and end.
bool PatchLifter::markBorders() {
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
bool PatchLifter::mark() {
  constexpr size_t LongestPlain = 5; // so far an instruction may lead beyond
  Marks.resize_for_overwrite(Size + LongestPlain);
  std::memset(Marks.data(), 0, Size);
  std::memset(Marks.data() + Size, CodePatch::End, LongestPlain);
  if (!Frames.Frames.empty() && Frames.Frames.back().BCI >= Size)
    return false;
  for (const OriginalFrame &Of : Frames.Frames)
    Marks[Of.BCI] = Frame;
  Next = Frames.Frames.data();
  NumMarks.All = unsigned(Frames.Frames.size());
  return S.Code.Handlers.empty() || markBorders();
}

/// An if.
static bool isShortTest(Opcode Op) {
  return (Op >= op::IFEQ && Op <= op::IF_ACMPNE) || Op == op::IFNULL ||
         Op == op::IFNONNULL;
}

/// A frame is at \p Here, or another mark, in front of super(): it is a frame
/// alone, with nothing on the stack.
bool PatchLifter::passBeforeSuper(uint32_t Here, bool Falls) {
  ++NumMarks.Passed;
  if (Next == Frames.Frames.data() + Frames.NumBeforeSuper ||
      Next->BCI != Here || Marks[Here] != Frame || FrameStack(*Next).Count)
    return false;
  (Next++)->FallsIn = Falls;
  return true;
}

/// The call of super() or this(). No object of these classes is made before it,
/// so that the first constructor of theirs that is called is called on `this`.
/// Code in front of it may branch forward, and throw, while nothing is on the
/// stack: `if (outer == null) throw null;`, as Scala has it.
bool PatchLifter::findSuperCall() {
  auto IsOwner = [&](llvm::StringRef Name) {
    return Name == Class.name() || Name == Class.superName();
  };
  DecodedInst D;
  Opcode Before = op::NOP;
  uint32_t Farthest = 0; ///< where control goes
  // Of the block at work.
  uint32_t Begin = 0;
  bool Throws = false;
  auto EndBlock = [&](uint32_t Here) {
    auto &[From, To] = S.ThrowsBeforeSuper;
    if (std::exchange(Throws, false)) {
      if (To && To != Begin)
        return false; // it takes two ranges
      From = To ? From : Begin;
      To = Here;
    }
    Begin = Here;
    return true;
  };
  // How many instructions ago the stack was empty, and whether that which loads
  // `this` then is the only one since.
  unsigned Since = 0;
  bool TakesAll = false;
  for (uint32_t Now = 0; decodeInst(Code, Now, D);
       Now = D.end(), Before = D.Op) {
    const bool IsThis = D.info().Canonical == op::ALOAD && D.Index == 0;
    TakesAll = Since++ ? TakesAll && !IsThis : IsThis;
    if (D.Op == op::PUTFIELD && Since == 3 && TakesAll)
      Since = 0;
    const OpcodeFacts O = Facts[D.Op];
    const bool Falls = Before != op::ATHROW;
    if (Marks[Now] ? !Now || !passBeforeSuper(Now, Falls) : !Falls)
      return false;
    if ((Marks[Now] || isShortTest(Before)) && !EndBlock(Now))
      return false;
    if (!Falls && Farthest < Now)
      return false; // nothing comes there
    At = Now;
    if (isShortTest(D.Op)) {
      if (D.Value <= int32_t(Now) || !target(D.Value))
        return false;
      S.Jumps.push_back({Now, uint32_t(D.Value)});
      Farthest = std::max(Farthest, uint32_t(D.Value));
      continue;
    }
    if (D.end() == Size || D.info().Branches ||
        (D.info().EndsBlock && D.Op != op::ATHROW) ||
        (O.flags() & OpcodeFacts::StoresThis) ||
        ((O.flags() & OpcodeFacts::Stores) && D.Index == 0))
      return false;
    if (isInitCall(Class.Pool, D.Op, D.Index) &&
        IsOwner(Class.Pool.member(D.Index).Owner)) {
      S.SuperCall = Now;
      S.SuperEnd = D.end();
      // Nothing may stay on the stack below, as lifting would drop it.
      return Farthest < Now && NumMarks.Passed == Frames.NumBeforeSuper &&
             EndBlock(Now) &&
             (TakesAll ||
              OriginalDepths(Class, Code, Frames.Frames).at(S.SuperEnd) == 0u);
    }
    if (D.Op == op::NEW && IsOwner(Class.Pool.className(D.Index)))
      return false;
    Throws |= (O.flags() & OpcodeFacts::Throws) || D.Op == op::ATHROW;
  }
  return false;
}

/// A frame or a border is at At.
bool PatchLifter::passMark(const State &Now) {
  ++NumMarks.Passed;
  const unsigned Are = Marks[At];
  if (Are & Frame)
    (Next++)->FallsIn = Now.Falls && At;
  if (Are & Border) {
    // The value that an advice gets depends on where it was loaded.
    S.LoadsBeforeBorder |= !(Are & Frame) && Now.loads() &&
                           Code[At] >= op::IRETURN && Code[At] < op::RETURN;
  }
  return true;
}

/// The instruction at At, which does what \p Of says, loads what may be
/// returned. \p Index is the slot or pool index that it names.
bool PatchLifter::noteStraight(unsigned Of, uint32_t Index) {
  if (Of & (OpcodeFacts::StoresThis | OpcodeFacts::Stores))
    S.KeepsThis &= !(Of & OpcodeFacts::StoresThis) && Index != 0;
  return (Of & OpcodeFacts::Loads) && (!(Of & OpcodeFacts::OfPool) ||
                                       isPlainConstant(Class.Pool[Index].Tag));
}

inline bool PatchLifter::target(int32_t To) {
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

/// Passes over an instruction that is in no table, and no return, athrow or
/// short branch. Returns where it ends, 0 if a patched body cannot have it.
uint32_t PatchLifter::rare(State &Now) {
  DecodedInst D;
  if (!decodeInst(Code, At, D))
    return 0;
  if (!D.info().Branches) {
    if (D.info().EndsBlock) // ret
      return 0;
    const unsigned Of = Facts[D.Op].flags();
    Now.setLoad(noteStraight(Of, D.Index), D.end() - At);
    Now.BeforeLoad = Now.Seen;
    Now.Seen |= Of << 8;
    Now.Falls = true;
    return D.end();
  }
  if (!getIROp(D.Op) || !target(D.Value)) // jsr
    return 0;
  for (uint32_t C = 0; C < D.NumCases; ++C)
    if (!target(D.caseTarget(C)))
      return 0;
  if (D.Table)
    S.Switches.push_back(At);
  else
    S.Jumps.push_back({At, uint32_t(D.Value)});
  Now.Last = 0;
  Now.Falls = !D.info().EndsBlock;
  return D.end();
}

/// The return at At, which \p Gives a value: perhaps what is loaded before.
inline void PatchLifter::addReturn(bool Gives, const State &Now) {
  const uint32_t Length = Gives && Now.loads() ? Now.Last & 255 : 0;
  S.Returns.push_back({At - Length, At});
  // A long load stays in its range, and is made again behind the advice.
  if (Length > 1)
    S.LoadsBeforeBorder |=
        llvm::any_of(S.Code.Handlers, [&](const CodeView::Handler &H) {
          return H.Start <= At && At < H.End;
        });
}

/// Passes over \p Op, at At, which ends a block, or is in no table.
inline bool PatchLifter::passEnd(Opcode Op, State &Now, size_t &Here) {
  if (Op >= op::IRETURN && Op <= op::RETURN) {
    addReturn(Op != op::RETURN, Now);
    if (Op != op::RETURN && Now.loads())
      Now.Seen = Now.BeforeLoad;
    Now.Falls = false;
    ++Here;
  } else if (Op == op::ATHROW) {
    Now.Seen |= OpcodeFacts::Throws << 8;
    Now.Falls = false;
    ++Here;
  } else if (((Op >= op::IFEQ && Op <= op::GOTO) ||
              (Op >= op::IFNULL && Op <= op::IFNONNULL)) &&
             Size - At > 2) {
    const int32_t To = int32_t(At) + int16_t(readU2(Code.data() + At + 1));
    if (!target(To))
      return false;
    S.Jumps.push_back({At, uint32_t(To)});
    Now.Falls = Op != op::GOTO;
    Here += 3;
  } else {
    State Then = Now; // so that the one of the loop has no address
    Here = rare(Then);
    Now = Then;
    return Here != 0;
  }
  Now.Last = 0;
  return true;
}

/// Most instructions at most throw or load, and one look at a table is enough.
/// Marks behind the code show when an instruction goes beyond it.
bool PatchLifter::scan() {
  const uint8_t *const P = Code.data(), *const M = Marks.data();
  const OpcodeFacts *const Table = Facts;
  State Now;
  for (size_t Here = At; Here < Size;) {
    At = uint32_t(Here);
    if (M[Here]) {
      if (!passMark(Now))
        return false;
      Now.Last = 0;
    }
    unsigned Packed, Last = 0;
    for (;;) {
      Packed = Table[P[Here]].Packed;
      if (Packed & OpcodeFacts::NotPlain << 8)
        break;
      Last = Packed;
      Now.Seen |= Packed;
      Here += Packed & 255;
      if (M[Here])
        break;
    }
    if (Last) {
      Now.Last = Last;
      Now.BeforeLoad = Now.Seen;
      Now.Falls = true;
      if (M[Here])
        continue;
      At = uint32_t(Here);
    }
    const Opcode Op = P[Here];
    if (const uint32_t Length = Packed & 255) {
      if (Length > Size - Here)
        return false;
      const bool Long = Op == op::LDC_W || Op == op::LDC2_W;
      const uint32_t Index = Length == 1 ? 0
                             : Long      ? readU2(P + Here + 1)
                                         : P[Here + 1];
      Now.setLoad(noteStraight(Packed >> 8, Index), Length);
      Now.BeforeLoad = Now.Seen;
      Now.Seen |= Packed;
      Now.Falls = true;
      Here += Length;
      continue;
    }
    if (!passEnd(Op, Now, Here))
      return false;
    // Nothing falls in there: it must say what it expects.
    if (!Now.Falls && Here != Size && !(M[Here] & Frame))
      return false;
  }
  S.MayThrow = Now.Seen >> 8 & OpcodeFacts::Throws;
  S.HasMonitors = Now.Seen >> 8 & OpcodeFacts::Monitor;
  return !Now.Falls && NumMarks.Passed == NumMarks.All;
}

bool PatchLifter::run() {
  const Attribute *StackMap = nullptr;
  for (const Attribute &A : S.Code.Attributes) {
    if (A.NameIndex == S.LinesName)
      continue;
    const bool IsKnown = A.NameIndex == S.TableName;
    const llvm::StringRef Name =
        IsKnown ? "StackMapTable" : Class.Pool.utf8(A.NameIndex);
    if (IsKnown || Name == "StackMapTable") {
      if (std::exchange(StackMap, &A))
        return false; // there may be one
      S.TableName = A.NameIndex;
    } else if (Name == "LineNumberTable") {
      S.LinesName = A.NameIndex;
    } else if (Name != "LocalVariableTable" &&
               Name != "LocalVariableTypeTable") {
      return false;
    }
  }
  if (!Frames.run(Class, M, StackMap ? StackMap->Data : Bytes()) ||
      Frames.NumEntrySlots > S.Code.MaxLocals || !mark())
    return false;
  if (Frames.OfConstructor) {
    // Its frames say which fields are unset.
    if (llvm::any_of(Class.Fields,
                     [&](const Field &F) { return Class.isStrict(F); }))
      return false;
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
  return true;
}

static void clearFacts(CodePatch &S) {
  S.Jumps.clear();
  S.Switches.clear();
  S.Returns.clear();
  S.SuperCall = S.SuperEnd = 0;
  S.ThrowsBeforeSuper = {};
  S.MayThrow = S.HasMonitors = false;
  S.Loops = S.LoopsToBegin = S.LoopsToReturn = S.LoadsBeforeBorder = false;
  S.Steps.clear();
  S.KeepsThis = true;
  S.HandlerLocals.clear();
  S.LastLocals.clear();
}

static void clearSnippets(CodePatch &S) {
  S.Entry = nullptr;
  S.AllWritten = S.Lowered = false;
  S.Sites.clear();
  S.Locals.clear();
  S.Detours.clear();
  S.Handlers.clear();
  S.Slots.clear();
  S.Scratch = 0;
  S.Records = false;
  S.NumOwnSnippets = 0;
  S.Made.clear();
}

/// Notes the facts about the original code of \p M.
static bool noteFacts(ClassFile &Class, Method &M, CodePatch &S) {
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
  clearFacts(S);
  PooledObject<PatchScratch> Scratch;
  return PatchLifter(Class, M, S, *Scratch).run();
}

bool jopt::liftPatched(ClassFile &Class, Method &M, CodePatch &S) {
  clearSnippets(S);
  if (!noteFacts(Class, M, S))
    return false;
  M.IR = std::make_unique<Body>(Class, M);
  M.IR->Patch = &S;
  M.IR->setNumSlots(S.Code.MaxLocals);
  M.IR->OriginalMaxStack = S.Code.MaxStack;
  M.IR->OriginalMaxLocals = S.Code.MaxLocals;
  M.IR->OriginalCodeLength = unsigned(S.Code.Code.size());
  ++NumPatched;
  return true;
}

llvm::Error jopt::notePatchFacts(ClassFile &Class) {
  for (Method &M : Class.Methods) {
    if (!M.IR || !M.IR->Patch)
      continue;
    CodePatch &S = *M.IR->Patch;
    if (!noteFacts(Class, M, S))
      return makeError(Class.displayName(M) +
                       ": its original code cannot be that of a patched body");
    if (llvm::any_of(S.Handlers, [](const SyntheticHandler &H) {
          return H.Declares == SyntheticHandler::Listed;
        }))
      noteLocals(Class, M, S);
  }
  return llvm::Error::success();
}

bool jopt::liftReturn(const CodePatch &S, const OriginalReturn &R, Block *B,
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
  PooledObject<LiftState> State;
  BlockLifter Lifter(F, S.Code.Code, {/*Anchors=*/false, KeepRaw::Straight},
                     *State);
  Lifter.Stack.clear();
  // The value that an aload loads is the one that is returned.
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
