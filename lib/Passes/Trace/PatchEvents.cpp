//===- PatchEvents.cpp - Events of a trace, put into original code --------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The code that records an event is made as bytes: a call with the number of
/// the event and its values. These are copied on the stack as a scheduler does
/// it where values stay in their places (LiftOptions::PinAccesses).
///
//===----------------------------------------------------------------------===//

#include "../AdviceCode/HostLink.h"
#include "../Snippets/SnippetAssembler.h"
#include "TraceCalls.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;
using Site = TracedEvents::Site;

namespace {

class EventPatcher {
public:
  EventPatcher(Body &F, PassContext &C, const TraceCalls &Calls,
               const TracedEvents::MethodEvents &Events, StringRef Letters)
      : F(F), C(C), S(*F.Patch), Calls(Calls), Events(Events), Letters(Letters),
        Bodies(C.get<AdviceCalls>()), Made(S), Kept(F.numSlots()),
        Static(isStatic(F.classFile(), F.method())) {}

  Error run();
  void report() const;
  unsigned NumEvents = 0;

private:
  using Begin = AdviceCalls::BeginCode;

  void count(unsigned Advice);
  void addNumbers();
  void placeEnter(const Begin &Code);
  Error makeBegin(Begin &Into);
  Error encode(const Value *V, const Value *Number, Begin &Into,
               unsigned Depth);
  unsigned begin(const Begin &Code);
  void addArguments(llvm::ArrayRef<unsigned> Slots);
  bool isPlainBeforeSuper() const;
  void place(llvm::ArrayRef<Site> Here, uint32_t BCI, bool Returns);
  void add(uint32_t BCI, Snippet *Code) {
    S.Sites.push_back({BCI, BCI, false, Code});
  }
  bool isBorder(uint32_t BCI) const;
  void goBehind(uint32_t BCI);
  void addBehind(uint32_t BCI, Snippet *Code);

  /// \name Code, with what it takes off the top of the stack
  /// @{
  void call(unsigned Advice, uint8_t Slots);
  void number(uint32_t N);
  void tell(uint32_t N);
  void tellOwner(uint32_t N);
  void tellValue();
  void tellIndex();
  /// @}
  /// \name Events about something; each gives how deep the stack gets above
  /// what is there
  /// @{
  bool isField(uint32_t BCI, bool Put) const;
  Type fieldType(uint32_t BCI) const;
  unsigned tellPut(uint32_t BCI, uint32_t N);
  unsigned tellGet(uint32_t BCI, uint32_t N);
  unsigned tellElement(Opcode Op, uint32_t N);
  /// @}

  Body &F;
  PassContext &C;
  CodePatch &S;
  const TraceCalls &Calls;
  const TracedEvents::MethodEvents &Events;
  const LetterSet Letters;
  AdviceCalls &Bodies;
  SnippetAssembler Made;
  const unsigned Kept; ///< the slot of the activation
  const bool Static;
  /// The placed events, for the report.
  struct {
    ClassAdvices &To;
    int32_t At; ///< where code is put now
    unsigned Count = 0;
    llvm::SmallVector<ReportRow::Site, 0> Sites;
  } Placed = {C.get<ClassAdvices>(), -1, 0, {}};
  /// Handlers that no event shows, still to come.
  llvm::ArrayRef<uint32_t> Handlers = Events.Handlers;
};

} // namespace

void EventPatcher::count(unsigned Advice) {
  ++Placed.Count;
  if (Placed.To.keepsSites())
    Placed.Sites.push_back({Bodies.set().Advices[Advice].Kind, Placed.At});
}

void EventPatcher::report() const {
  Placed.To.reportPlaced(F.method(), Bodies.set().Advices[Calls.Enter].Probe,
                         Placed.Count, Placed.Sites);
}

void EventPatcher::call(unsigned Advice, uint8_t Slots) {
  count(Advice);
  const uint16_t Index = Bodies.bodyMethod(Advice);
  Made.add(op::INVOKEINTERFACE, Index);
  Made.add({Slots, 0});
}

void EventPatcher::number(uint32_t N) {
  if (N <= SnippetAssembler::MostConstant)
    Made.constant(N);
  else
    Made.load(F.pool().addInteger(int32_t(N)));
}

void EventPatcher::tell(uint32_t N) {
  Made.slot(op::ALOAD, Kept);
  number(N);
  call(Calls.Event, 2);
}

void EventPatcher::tellOwner(uint32_t N) {
  Made.slot(op::ALOAD, Kept);
  Made.add(op::SWAP);
  number(N);
  call(Calls.EventOf, 3);
}

void EventPatcher::tellValue() {
  Made.slot(op::ALOAD, Kept);
  Made.add(op::SWAP);
  call(Calls.Value, 2);
}

void EventPatcher::tellIndex() {
  Made.add(op::I2L);
  Made.slot(op::ALOAD, Kept);
  Made.add({op::DUP_X2, op::POP});
  call(Calls.Index, 3);
}

Type EventPatcher::fieldType(uint32_t BCI) const {
  ClassFile &Class = F.classFile();
  return Class.fieldType(Class.Pool[readU2(S.Code.Code.data() + BCI + 1)].B);
}

/// In front of a store into a field.
unsigned EventPatcher::tellPut(uint32_t BCI, uint32_t N) {
  const Type Ty = fieldType(BCI);
  if (S.Code.Code[BCI] == op::PUTSTATIC) {
    if (Ty.isReference()) {
      Made.add(op::DUP);
      tellValue();
    }
    tell(N);
    return 2;
  }
  if (Ty.isReference()) {
    Made.add(op::DUP_X1);
    tellValue();
    Made.add(op::DUP_X1);
  } else if (Ty.isCategory2()) {
    Made.add({op::DUP2_X1, op::POP2, op::DUP_X2});
  } else {
    Made.add({op::SWAP, op::DUP_X1});
  }
  tellOwner(N);
  return 3;
}

/// Behind a read of a field, in front of which its owner was copied.
unsigned EventPatcher::tellGet(uint32_t BCI, uint32_t N) {
  if (S.Code.Code[BCI] == op::GETSTATIC) {
    tell(N);
    return 2;
  }
  // The swap is part of the read: a line that begins behind the read begins
  // behind the swap.
  if (fieldType(BCI).isCategory2())
    Made.add({op::DUP2_X1, op::POP2});
  else
    Made.add(op::SWAP);
  const uint32_t Next = BCI + getOpcodeInfo(op::GETFIELD)->Length;
  add(Next, Made.finish(3));
  S.Sites.back().BranchesSkip = S.Sites.back().AttachesToPrevious = true;
  tellOwner(N);
  return 3;
}

/// In front of an access of an element.
unsigned EventPatcher::tellElement(Opcode Op, uint32_t N) {
  if (Op == op::LASTORE || Op == op::DASTORE) {
    // No copy reaches below all of that: the index waits in a slot.
    const unsigned Index = Kept + unsigned(S.Slots.size());
    S.Scratch = 1;
    Made.add({op::DUP2_X2, op::POP2, op::DUP});
    Made.slot(op::ISTORE, Index);
    tellIndex();
    Made.add(op::DUP_X2);
    tellOwner(N);
    Made.slot(op::ILOAD, Index);
    Made.add({op::DUP_X2, op::POP});
    return 3;
  }
  const bool Loads = Op < op::IASTORE;
  const Opcode Copy = Loads ? op::DUP_X1 : op::DUP_X2;
  if (Op == op::AASTORE) {
    Made.add(op::DUP_X2);
    tellValue();
  } else if (!Loads) {
    Made.add({op::DUP_X2, op::POP});
  }
  Made.add(Copy);
  tellIndex();
  Made.add(Copy);
  tellOwner(N);
  return 4;
}

/// A block begins at \p BCI, where what stands in front of it goes on.
bool EventPatcher::isBorder(uint32_t BCI) const {
  const auto Frame = llvm::partition_point(
      S.Frames, [&](const OriginalFrame &Of) { return Of.BCI < BCI; });
  return (Frame != S.Frames.end() && Frame->BCI == BCI) ||
         llvm::any_of(S.Code.Handlers, [&](const CodeView::Handler &H) {
           return H.Start == BCI || H.End == BCI || H.Target == BCI;
         });
}

/// Code follows that is at the end of what stands in front of \p BCI.
void EventPatcher::goBehind(uint32_t BCI) {
  Placed.At = isBorder(BCI) ? -1 : int32_t(BCI);
}

void EventPatcher::addBehind(uint32_t BCI, Snippet *Code) {
  add(BCI, Code);
  S.Sites.back().BranchesSkip = S.Sites.back().AttachesToPrevious =
      Placed.At < 0;
}

/// The events \p Here of the instruction at \p BCI; \p Returns: those of a
/// handler end.
void EventPatcher::place(llvm::ArrayRef<Site> Here, uint32_t BCI,
                         bool Returns) {
  const Opcode Op = S.Code.Code[BCI];
  Placed.At = int32_t(BCI);
  unsigned Max = 0;
  const Site *About = nullptr; // is about values
  for (const Site &At : Here) {
    if (!At.isRecorded(Letters))
      continue;
    ++NumEvents;
    if (At.Info->Gives == trace::FieldValues ||
        At.Info->Gives == trace::ArrayValues) {
      About = &At;
    } else if (!At.Info->Behind) {
      Made.slot(op::ALOAD, Kept);
      number(At.Number);
      call(At.endsActivation() ? Calls.Leave : Calls.Event, 2);
      if (At.endsActivation())
        Made.add(op::POP);
      Max = 2;
    }
  }
  if (Returns) {
    Made.slot(op::ALOAD, Kept);
    call(Calls.Back, 1);
    Max = std::max(Max, 1u);
  }
  if (About && Op == op::GETFIELD) {
    Made.add(op::DUP);
    Max = std::max(Max, 1u);
  } else if (About && !About->Info->Behind) {
    Max = std::max(Max, About->Info->Gives == trace::ArrayValues
                            ? tellElement(Op, About->Number)
                            : tellPut(BCI, About->Number));
  }
  if (Max)
    add(BCI, Made.finish(Max));
  const uint32_t Next = BCI + getOpcodeInfo(Op)->Length;
  if (About && About->Info->Behind) {
    goBehind(Next);
    Max = tellGet(BCI, About->Number);
    return addBehind(Next, Made.finish(Max));
  }
  if (Here.empty() || !Here.back().Info->Behind ||
      !Here.back().isRecorded(Letters))
    return;
  goBehind(Next);
  tell(Here.back().Number);
  addBehind(Next, Made.finish(2));
}

/// Numbers that are entries of the pool come first there.
void EventPatcher::addNumbers() {
  auto Add = [&](uint32_t N) {
    if (N > SnippetAssembler::MostConstant)
      F.pool().addInteger(int32_t(N));
  };
  Add(Events.Enter);
  for (const Site &At : Events.Sites)
    if (At.isRecorded(Letters))
      Add(At.Number);
}

/// Appends the code of \p V, below which \p Depth slots are, to \p Into.
Error EventPatcher::encode(const Value *V, const Value *Number, Begin &Into,
                           unsigned Depth) {
  Into.MaxStack = std::max(Into.MaxStack, Depth + 1);
  const auto *I = llvm::cast<Instruction>(V);
  if (I == Number) {
    Into.HasNumber = true;
    return Error::success();
  }
  for (const Value *Of : I->operands())
    if (Error E = encode(Of, Number, Into, Depth++))
      return E;
  auto &To = Into.HasNumber ? Into.Behind : Into.Front;
  const auto Index = uint16_t(I->index());
  switch (I->op()) {
  case irop::LocalGet:
    To.push_back(op::ALOAD_0);
    return Error::success();
  case irop::Const:
    if (I->opcode() != op::LDC)
      To.push_back(I->opcode());
    else if (Index < 256)
      To.append({op::LDC, uint8_t(Index)});
    else
      To.append({op::LDC_W, uint8_t(Index >> 8), uint8_t(Index)});
    return Error::success();
  case irop::Invoke:
    // A text of several parts is joined first, and then below the class.
    if (I->opcode() == op::INVOKEVIRTUAL)
      return makeError("an activation begins with a text of several parts");
    To.append({I->opcode(), uint8_t(Index >> 8), uint8_t(Index)});
    if (I->opcode() == op::INVOKEDYNAMIC)
      To.append({0, 0});
    return Error::success();
  default:
    return makeError("an activation begins in an unusual way");
  }
}

/// Makes the code of which those of all such methods of the class are copies.
Error EventPatcher::makeBegin(Begin &Into) {
  Body Of(F.classFile(), F.method());
  Of.setNumSlots(1);
  Builder B(Of);
  B.setEnd(Of.createBlock());
  Value *This =
      Static ? B.null() : B.get(0, F.types().ref(F.classFile().name()));
  Value *Number = B.constant(0);
  auto V = emitTraceEnter(B, Of, C, F.method(), {This, Number});
  if (!V)
    return V.takeError();
  return encode(*V, Number, Into, 0);
}

/// The activation begins here.
unsigned EventPatcher::begin(const Begin &Code) {
  count(Calls.Enter);
  Made.add(Bytes(Code.Front));
  number(Events.Enter);
  Made.add(Bytes(Code.Behind));
  Made.slot(op::ASTORE, Kept);
  ++NumEvents;
  return Code.MaxStack;
}

/// Letter E: the types of the values in \p Slots.
void EventPatcher::addArguments(llvm::ArrayRef<unsigned> Slots) {
  for (unsigned Slot : Slots) {
    Made.slot(op::ALOAD, Kept);
    Made.slot(op::ALOAD, Slot);
    call(Calls.Argument, 2);
    Made.add(op::POP);
  }
}

/// Code in front of super(), which has no events, is as a scheduler leaves it:
/// nothing is copied but new objects, and nothing dropped. The object itself is
/// loaded as late as can be, so no line or variable begins in between.
bool EventPatcher::isPlainBeforeSuper() const {
  if (hasBorderAt(S.Code, F.pool(),
                  [&](uint32_t BCI) { return BCI && BCI < S.SuperEnd; }))
    return false;
  DecodedInst D;
  for (uint32_t At = 0; At < S.SuperEnd; At = D.end()) {
    const Opcode Before = D.Op;
    if (!decodeInst(S.Code.Code, At, D) ||
        (D.info().Cat == op::CatStack &&
         (D.Op != op::DUP || Before != op::NEW)))
      return false;
  }
  return true;
}

void EventPatcher::placeEnter(const Begin &Code) {
  S.Slots.push_back(F.types().ref("java/lang/Object"));
  llvm::SmallVector<unsigned, 8> Parameters;
  MethodDescriptor D(F.classFile().descriptor(F.method()));
  unsigned Slot = !Static, Copy = Kept + 1;
  if (S.SuperEnd) {
    Made.add(op::ACONST_NULL);
    Made.slot(op::ASTORE, Kept);
  }
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    const unsigned Of = std::exchange(Slot, Slot + slotsOf(P));
    if (P.size() == 1 || !Letters.contains('E'))
      continue;
    Parameters.push_back(S.SuperEnd ? Copy : Of);
    if (!S.SuperEnd)
      continue;
    // The code in front of super() may write them.
    Made.slot(op::ALOAD, Of);
    Made.slot(op::ASTORE, Copy++);
    S.Slots.push_back(F.types().fromDescriptor(P));
  }
  if (S.SuperEnd) {
    S.Entry = Made.finish(1);
    goBehind(S.SuperEnd);
  }
  const unsigned Max = std::max(begin(Code), Parameters.empty() ? 0u : 2u);
  addArguments(Parameters);
  Snippet *Done = Made.finish(Max);
  if (S.SuperEnd)
    addBehind(S.SuperEnd, Done);
  else
    S.Entry = Done;
}

Error EventPatcher::run() {
  if (F.classFile().name(F.method()) == "<init>" &&
      (!S.SuperEnd || !S.KeepsThis || !isPlainBeforeSuper()))
    return makeError("a constructor is unusual");
  S.Records = true;
  if (Events.Sites.empty()
          ? Events.Enter > SnippetAssembler::MostConstant
          : Events.Sites.back().Number > SnippetAssembler::MostConstant)
    addNumbers();
  Begin &Code = Bodies.beginOfActivation(Static);
  if (!Code.HasNumber)
    if (Error E = makeBegin(Code))
      return E;
  constexpr size_t OfEvent = 48, OfParameter = 24;
  Made.reserve((Events.Sites.size() + Events.Handlers.size() + 1) * OfEvent +
               Code.Front.size() + Code.Behind.size() +
               F.numSlots() * OfParameter);
  placeEnter(Code);
  llvm::ArrayRef<Site> Left = Events.Sites;
  while (!Left.empty() || !Handlers.empty()) {
    const uint32_t BCI = std::min(Left.empty() ? ~0u : Left.front().BCI,
                                  Handlers.empty() ? ~0u : Handlers.front());
    const auto Here =
        Left.take_while([&](const Site &At) { return At.BCI == BCI; });
    const bool Returns = !Handlers.empty() && Handlers.front() == BCI;
    place(Here, BCI, Returns);
    Left = Left.drop_front(Here.size());
    Handlers = Handlers.drop_front(Returns);
  }
  return Error::success();
}

llvm::Expected<unsigned>
jopt::patchEvents(Body &F, PassContext &C, const TraceCalls &Calls,
                  const TracedEvents::MethodEvents &Events, StringRef Letters) {
  EventPatcher Patcher(F, C, Calls, Events, Letters);
  if (Error E = Patcher.run())
    return E;
  Patcher.report();
  return Patcher.NumEvents;
}
