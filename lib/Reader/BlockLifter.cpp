//===- BlockLifter.cpp - One block of code into IR ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockLifter.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using llvm::Error;

unsigned jopt::newIndex(const Body &F, Bytes Code,
                        llvm::ArrayRef<uint32_t> SiteAt, uint32_t Site) {
  if (const Instruction *New = F.NewSites[Site])
    return New->index();
  for (uint32_t At = 0; At < SiteAt.size(); ++At)
    if (SiteAt[At] == Site && At + 2 < Code.size() && Code[At] == op::NEW)
      return readU2(&Code[At + 1]);
  return 0;
}

BlockLifter::BlockLifter(Body &B, Bytes Code, const LiftOptions &O,
                         LiftState &S)
    : Stack(S.Stack), Slots(S.Slots), SiteAt(S.SiteAt), F(B),
      Class(B.classFile()), Code(Code), Options(O) {}

Error BlockLifter::bad(const llvm::Twine &What) const {
  return makeError(
      llvm::formatv("bytecode {0} ({1}): ", D.BCI, getMnemonic(D.Op)).str() +
      What);
}

Type BlockLifter::typeOf(const Value *V) const {
  Type T = V->type();
  if (T.is(Type::Uninit) || T.is(Type::UninitThis))
    for (const auto &[From, To] : Initialized)
      if (From == T)
        return To;
  return T;
}

/// The letters in front of the '>'.
static unsigned numOperands(const char *Effect) {
  unsigned N = 0;
  while (Effect[N] != '>')
    ++N;
  return N;
}

/// Takes \p NumOps values off the stack (the caller checked the depth), and
/// pushes the result, if there is one.
Instruction *BlockLifter::emit(IROp Op, Type Ty, unsigned NumOps) {
  llvm::ArrayRef<Value *> Ops(Stack.data() + Stack.size() - NumOps, NumOps);
  if (!InitResults.empty())
    for (Value *V : Ops)
      if (auto *I = llvm::dyn_cast<Instruction>(V); I && I->isInit())
        UsedInits.insert(V);
  Instruction *I = F.create(Op, D.info().Canonical, Ty, Ops, int32_t(D.BCI));
  Stack.resize(Stack.size() - NumOps);
  if (!Ty.isVoid())
    Stack.push_back(I);
  F.append(I, B);
  return I;
}

void BlockLifter::setSlot(unsigned Slot, Type Ty) {
  Slots.store(Slot, Ty, [&](size_t S, Type T) {
    Slots.set(S, T);
    // A handler sees the slots before or after, and nothing between.
    if (HandlerSlots)
      (*HandlerSlots)[S] = F.types().merge((*HandlerSlots)[S], T);
  });
}

void BlockLifter::anchor() {
  if (!Options.Anchors)
    return;
  Instruction *I =
      F.create(irop::Anchor, op::NOP, Type::Void, {}, int32_t(D.BCI));
  I->setIndex(D.Op);
  F.append(I, B);
}

/// dup, swap and pop: values are copied, exchanged or dropped; the shape bits
/// remember it. False if the stack does not fit.
bool BlockLifter::liftStackOp() {
  size_t N = Stack.size();
  auto Cat2 = [&](size_t Depth) { // 1 = top
    return Stack[N - Depth]->type().isCategory2();
  };
  auto CopyTop = [&](size_t Group, size_t Under) {
    for (size_t I = N - Group; I < N; ++I)
      Stack[I]->setKeep(true);
    llvm::SmallVector<Value *, 2> Copy(Stack.end() - Group, Stack.end());
    Stack.insert(Stack.end() - Group - Under, Copy.begin(), Copy.end());
  };
  if (N == 0)
    return false;
  switch (D.Op) {
  case op::POP:
    if (Cat2(1))
      return false;
    Stack.back()->setPopped(true);
    Stack.pop_back();
    return true;
  case op::POP2:
    if (!Cat2(1)) {
      if (N < 2 || Cat2(2))
        return false;
      Stack.back()->setPopped(true);
      Stack.pop_back();
    }
    Stack.back()->setPopped(true);
    Stack.pop_back();
    return true;
  case op::SWAP:
    if (N < 2 || Cat2(1) || Cat2(2))
      return false;
    std::swap(Stack[N - 1], Stack[N - 2]);
    return true;
  case op::DUP:
    if (Cat2(1))
      return false;
    CopyTop(1, 0);
    return true;
  case op::DUP_X1:
    if (N < 2 || Cat2(1) || Cat2(2))
      return false;
    CopyTop(1, 1);
    return true;
  case op::DUP_X2:
    if (N < 2 || Cat2(1) || (!Cat2(2) && (N < 3 || Cat2(3))))
      return false;
    CopyTop(1, Cat2(2) ? 1 : 2);
    return true;
  case op::DUP2:
  case op::DUP2_X1:
  case op::DUP2_X2: {
    size_t Group = Cat2(1) ? 1 : 2;
    if (Group == 2 && (N < 2 || Cat2(2)))
      return false;
    size_t Under = 0;
    if (D.Op != op::DUP2) {
      if (N < Group + 1)
        return false;
      bool Below2 = Cat2(Group + 1);
      if (D.Op == op::DUP2_X1) {
        if (Below2)
          return false;
        Under = 1;
      } else if (Below2) {
        Under = 1;
      } else {
        if (N < Group + 2 || Cat2(Group + 2))
          return false;
        Under = 2;
      }
    }
    CopyTop(Group, Under);
    return true;
  }
  default:
    return false;
  }
}

Error BlockLifter::liftLocal() {
  static constexpr Type::Kind Kinds[] = {Type::Int, Type::Long, Type::Float,
                                         Type::Double, Type::Top};
  const OpcodeInfo &Info = D.info();
  IROp Kind = *getIROp(D.Op);
  bool Get = Kind == irop::LocalGet, Inc = Kind == irop::LocalInc;
  Type Ty =
      Inc ? Type::Int : Kinds[Info.Canonical - (Get ? op::ILOAD : op::ISTORE)];
  unsigned Width = Ty.is(Type::Top) ? 1 : Ty.slots();
  if (D.Index + Width > Slots.size())
    return bad("slot " + llvm::Twine(D.Index) + " is beyond max_locals");
  bool Reference = Ty.is(Type::Top);
  Instruction *I;
  if (Inc) {
    I = emit(Kind, Type::Void, 0);
    I->setImm(D.Value);
    I->setLongForm(D.Wide && D.Index < 256 && D.Value == int8_t(D.Value));
  } else {
    if (Get) {
      if (Reference) {
        Ty = Slots[D.Index];
        if (!Ty.isReference())
          return bad("slot " + llvm::Twine(D.Index) + " holds " +
                     F.types().toString(Ty) + ", not a reference");
      }
      I = emit(Kind, Ty, 0);
    } else {
      if (Stack.empty())
        return bad("operand stack is empty");
      Value *V = Stack.back();
      if (V->type().slots() != Width)
        return bad("operand has the wrong size");
      if (Reference) {
        Ty = typeOf(V);
        if (!Ty.isReference() && !Ty.is(Type::RetAddr))
          return bad("operand is " + F.types().toString(Ty) +
                     ", not a reference");
      }
      I = emit(Kind, Type::Void, 1);
      setSlot(D.Index, Ty);
    }
    bool Short = D.Op != Info.Canonical;
    I->setLongForm(!Short && (D.Index < 4 || (D.Wide && D.Index < 256)));
    I->setImm(I->longForm() && D.Wide);
  }
  I->setIndex(D.Index);
  return Error::success();
}

Error BlockLifter::liftConst() {
  Type Ty;
  int32_t Imm = 0;
  switch (D.Op) {
  case op::ACONST_NULL:
    Ty = Type::Null;
    break;
  case op::BIPUSH:
  case op::SIPUSH:
    Ty = Type::Int;
    Imm = D.Value;
    break;
  case op::LDC:
  case op::LDC_W:
  case op::LDC2_W: {
    Ty = constantType(Class, D.Index);
    if (Ty.isVoid())
      return bad("pool entry " + llvm::Twine(D.Index) + " is not loadable");
    if (Ty.isCategory2() != (D.Op == op::LDC2_W))
      return bad("pool entry " + llvm::Twine(D.Index) +
                 " is of the wrong kind");
    break;
  }
  default: {
    // iconst_m1 ... dconst_1: the result letter of the table's effect.
    Ty = typeOfLetter(D.info().Effect[1]);
    if (Ty.is(Type::Int))
      Imm = int32_t(D.Op) - op::ICONST_0;
  }
  }
  Instruction *I = emit(irop::Const, Ty, 0);
  I->setImm(Imm);
  if (D.Op == op::LDC || D.Op == op::LDC_W || D.Op == op::LDC2_W) {
    I->setIndex(D.Index);
    if (D.Op == op::LDC_W)
      F.setOpcode(I, op::LDC);
    I->setLongForm(D.Op == op::LDC_W && D.Index < 256);
  }
  return Error::success();
}

Error BlockLifter::liftPlain() {
  const char *Effect = D.info().Effect;
  unsigned NumOps = numOperands(Effect);
  if (Stack.size() < NumOps)
    return bad("operand stack is too small");
  // Long and double operands are where the effect says so: the scheduler
  // counts slots by types.
  for (unsigned I = 0; I < NumOps; ++I) {
    bool Want2 = Effect[I] == 'J' || Effect[I] == 'D';
    if (Stack[Stack.size() - NumOps + I]->type().isCategory2() != Want2)
      return bad("operand has the wrong size");
  }
  Type Ty = Type::Void;
  if (Effect[NumOps + 1])
    Ty = typeOfLetter(Effect[NumOps + 1]);
  if (Ty.is(Type::Top)) { // aaload
    Type Array = Stack[Stack.size() - 2]->type();
    Ty = elementOf(F.types(), Array);
    if (!Ty.isReference())
      return bad("operand is " + F.types().toString(Array) +
                 ", not an array of references");
  }
  emit(irop::Plain, Ty, NumOps);
  return Error::success();
}

Error BlockLifter::liftMember() {
  const CPEntry &E = F.pool()[D.Index];
  if (E.Tag != CPTag::Fieldref)
    return bad("pool entry " + llvm::Twine(D.Index) + " is not a Fieldref");
  Type Ty = Class.fieldType(E.B);
  if (Ty.isVoid())
    return bad("malformed field descriptor");
  bool Put = D.Op == op::PUTFIELD || D.Op == op::PUTSTATIC;
  bool Instance = D.Op == op::GETFIELD || D.Op == op::PUTFIELD;
  unsigned NumOps = Put + Instance;
  if (Stack.size() < NumOps)
    return bad("operand stack is too small");
  if ((Put && Stack.back()->type().slots() != Ty.slots()) ||
      (Instance && Stack[Stack.size() - NumOps]->type().isCategory2()))
    return bad("operand has the wrong size");
  emit(irop::FieldAccess, Put ? Type(Type::Void) : Ty, NumOps)
      ->setIndex(D.Index);
  return Error::success();
}

/// After \p Call, an <init>: its object is initialised wherever it is.
void BlockLifter::initialize(Instruction *Call) {
  Value *Object = Call->operand(0);
  Type From = Object->type(), To = Call->type();
  Initialized.emplace_back(From, To);
  Slots.forEachHolding(From, [&](uint32_t S) {
    Slots.set(S, To);
    if (HandlerSlots)
      (*HandlerSlots)[S] = F.types().merge((*HandlerSlots)[S], To);
  });
  bool Remains = false;
  for (Value *&V : Stack)
    if (V == Object) {
      V = Call;
      Remains = true;
    }
  if (Remains)
    InitResults.push_back(Call);
}

Error BlockLifter::liftInvoke() {
  const CPEntry &E = F.pool()[D.Index];
  bool Dynamic = D.Op == op::INVOKEDYNAMIC;
  bool Ok =
      Dynamic ? E.Tag == CPTag::InvokeDynamic
      : D.Op == op::INVOKEINTERFACE
          ? E.Tag == CPTag::InterfaceMethodref
          : E.Tag == CPTag::Methodref || (E.Tag == CPTag::InterfaceMethodref &&
                                          D.Op != op::INVOKEVIRTUAL);
  if (!Ok)
    return bad("pool entry " + llvm::Twine(D.Index) + " is of the wrong kind");
  const ClassFile::CallShape &Shape = Class.callShape(E.B);
  if (Shape.NumArgs == ClassFile::CallShape::Invalid)
    return bad("malformed method descriptor");
  bool Receiver = !Dynamic && D.Op != op::INVOKESTATIC;
  unsigned NumOps = Shape.NumArgs + Receiver;
  if (Stack.size() < NumOps)
    return bad("operand stack is too small");
  Type Ty = Shape.Result;
  llvm::StringRef Name = F.pool().utf8(F.pool()[E.B].A);
  bool Init = D.Op == op::INVOKESPECIAL && Name == "<init>";
  if (!Init) {
    emit(irop::Invoke, Ty, NumOps)->setIndex(D.Index);
    return Error::success();
  }
  Value *Object = Stack[Stack.size() - NumOps];
  switch (Object->type().kind()) {
  case Type::UninitThis:
    Ty = F.types().ref(Class.name());
    break;
  case Type::Uninit:
    Ty = Class.classType(newIndex(F, Code, SiteAt, Object->type().payload()));
    break;
  default:
    return bad("constructor called on " + F.types().toString(Object->type()));
  }
  if (typeOf(Object) != Object->type())
    return bad("constructor called on an initialised object");
  // The result is not pushed: the copies that are left on the stack become it.
  Instruction *I = emit(irop::Invoke, Ty, NumOps);
  Stack.pop_back();
  I->setIndex(D.Index);
  F.setInit(I);
  initialize(I);
  return Error::success();
}

Error BlockLifter::liftObject() {
  Type Named = Type::Top;
  if (D.Op != op::NEWARRAY) {
    Named = Class.classType(D.Index);
    if (Named.is(Type::Top))
      return bad("pool entry " + llvm::Twine(D.Index) + " is not a Class");
  }
  unsigned NumOps = D.Op == op::NEW              ? 0
                    : D.Op == op::MULTIANEWARRAY ? unsigned(D.Value)
                                                 : 1;
  if (Stack.size() < NumOps)
    return bad("operand stack is too small");
  for (unsigned I = 0; I < NumOps; ++I)
    if (Stack[Stack.size() - 1 - I]->type().isCategory2())
      return bad("operand has the wrong size");
  Type Ty;
  switch (D.Op) {
  case op::NEW: {
    uint32_t &Site = SiteAt[D.BCI];
    Instruction *I = emit(irop::New, Type::Top, 0);
    I->setIndex(D.Index);
    if (Site == NoSite)
      Site = F.addNewSite(I).payload();
    else
      F.NewSites[Site] = I;
    I->setType(Type(Type::Uninit, Site));
    // What is left of an object of this site from an earlier round is dead:
    // the specification forbids it on the stack, and clears the slots.
    Slots.forEachHolding(I->type(), [&](uint32_t S) { setSlot(S, Type::Top); });
    for (size_t K = 0; K + 1 < Stack.size(); ++K)
      if (typeOf(Stack[K]) == I->type())
        return bad("an uninitialised object of the same instruction is on the "
                   "stack");
    llvm::erase_if(Initialized,
                   [&](const auto &P) { return P.first == I->type(); });
    return Error::success();
  }
  case op::NEWARRAY: {
    if (D.Index < 4 || D.Index > 11)
      return bad("unknown array type code");
    Ty = primitiveArray(F.types(), D.Index);
    break;
  }
  case op::ANEWARRAY:
    Ty = arrayOf(F.types(), F.types().name(Named));
    break;
  case op::CHECKCAST:
  case op::MULTIANEWARRAY:
    Ty = Named;
    break;
  default: // instanceof
    Ty = Type::Int;
  }
  Instruction *I = emit(*getIROp(D.Op), Ty, NumOps);
  I->setIndex(D.Index);
  if (D.Op == op::MULTIANEWARRAY)
    I->setImm(D.Value);
  return Error::success();
}

/// `new X; dup; <init>; pop`: the result of the call was on the stack and
/// nothing used it. A drop keeps the shape; a pass may delete it.
void BlockLifter::keepShapeOfDiscardedObjects() {
  for (Value *V : Stack)
    UsedInits.insert(V);
  for (Instruction *I : InitResults) {
    if (UsedInits.contains(I))
      continue;
    Value *Op = I;
    Instruction *Drop = F.create(irop::Drop, op::NOP, Type::Void, Op, I->bci());
    F.insert(Drop, B, std::next(I->getIterator()));
  }
}

llvm::Expected<BlockEnd> BlockLifter::lift(Block *Into, uint32_t From,
                                           uint32_t To) {
  B = Into;
  Initialized.clear();
  InitResults.clear();
  if (!UsedInits.empty())
    UsedInits.clear();
  BlockEnd End{BlockEnd::FallThrough, nullptr, {}, 0};
  for (uint32_t At = From;
       At < To && End.K == BlockEnd::FallThrough && !End.Terminator;
       At = D.end()) {
    if (!decodeInst(Code, At - Base, D))
      return bad("cannot be decoded");
    D.BCI += Base;
    std::optional<IROp> Kind = getIROp(D.Op);
    if (!Kind) {
      if (D.Op == op::JSR || D.Op == op::JSR_W) {
        if (!EnterSubroutine)
          return bad("subroutines cannot be described by frames");
        // The return address becomes a null: something must be on the stack.
        anchor();
        Instruction *Null = F.create(irop::Const, op::ACONST_NULL,
                                     Type(Type::RetAddr, EnterSubroutine(D)),
                                     {}, int32_t(D.BCI));
        F.append(Null, B);
        Stack.push_back(Null);
        End.K = BlockEnd::Subroutine;
      } else if (D.Op == op::RET) {
        anchor();
        if (D.Index >= Slots.size() || !Slots[D.Index].is(Type::RetAddr))
          return bad("slot holds no return address");
        End.K = BlockEnd::SubroutineReturn;
        End.Context = Slots[D.Index].payload();
      } else if (liftStackOp()) {
        anchor();
      } else {
        return bad("operand stack does not fit");
      }
      continue;
    }
    Error E = Error::success();
    switch (*Kind) {
    case irop::Nop:
      emit(irop::Nop, Type::Void, 0);
      break;
    case irop::Const:
      E = liftConst();
      break;
    case irop::LocalGet:
    case irop::LocalSet:
    case irop::LocalInc:
      E = liftLocal();
      break;
    case irop::FieldAccess:
      E = liftMember();
      break;
    case irop::Invoke:
      E = liftInvoke();
      break;
    case irop::New:
    case irop::NewArray:
    case irop::ClassOp:
    case irop::MultiNewArray:
      E = liftObject();
      break;
    case irop::Goto:
    case irop::If:
    case irop::TableSwitch:
    case irop::LookupSwitch:
    case irop::Return:
    case irop::Throw: {
      const char *Effect = D.info().Effect;
      unsigned NumOps = numOperands(Effect);
      if (Stack.size() < NumOps)
        return bad("operand stack is too small");
      for (unsigned I = 0; I < NumOps; ++I)
        if (Stack[Stack.size() - 1 - I]->type().isCategory2() !=
            (Effect[0] == 'J' || Effect[0] == 'D'))
          return bad("operand has the wrong size");
      End.K = BlockEnd::Branch;
      End.Terminator = emit(*Kind, Type::Void, NumOps);
      End.Terminator->setLongForm(D.Op == op::GOTO_W);
      if (D.Op == op::GOTO_W)
        F.setOpcode(End.Terminator, op::GOTO);
      break;
    }
    default:
      E = liftPlain();
    }
    if (E)
      return E;
  }
  End.Last = D;
  if (!InitResults.empty())
    keepShapeOfDiscardedObjects();
  return End;
}
