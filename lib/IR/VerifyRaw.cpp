//===- VerifyRaw.cpp - Raw code is what its instruction says --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shape.h"
#include "VerifierImpl.h"
#include "jopt/Bytecode/Decoder.h"

using namespace jopt;
using llvm::Twine;

namespace {

/// Runs raw code over a stack of kinds: a letter for each slot (kindLetter),
/// '2' for the second of a long or double. Types of references are those that
/// the instruction declares.
class RawVerifier {
public:
  RawVerifier(const Body &B, const Instruction &Raw, Findings &F)
      : B(B), Raw(Raw), F(F), Stores(Raw.raw().Stores) {}

  void run();

private:
  bool bad(const DecodedInst &I, const Twine &What) {
    F.add(IRRule::RawCode, Raw,
          Twine(getMnemonic(I.Op)) + " at " + Twine(Raw.raw().BCI + I.BCI) +
              " " + What);
    return false;
  }
  void push(char Kind) {
    if (Kind == 'V')
      return;
    Stack.push_back(Kind);
    if (Kind == 'J' || Kind == 'D')
      Stack.push_back('2');
  }
  bool pop(char Kind);
  bool instruction(const DecodedInst &I);
  bool slot(const DecodedInst &I, IROp Kind);
  bool stackOp(Opcode Op);
  void results();

  const Body &B;
  const Instruction &Raw;
  Findings &F;
  llvm::ArrayRef<RawCode::Store> Stores; ///< that are still to come
  llvm::SmallVector<char, 32> Stack;
};

bool RawVerifier::pop(char Kind) {
  bool Wide = Kind == 'J' || Kind == 'D';
  if (Stack.size() < (Wide ? 2 : 1) || (Stack.back() == '2') != Wide)
    return false;
  Stack.truncate(Stack.size() - Wide);
  return Stack.pop_back_val() == Kind;
}

/// dup, swap and pop; false if the stack is too small, or half a value would
/// be moved.
bool RawVerifier::stackOp(Opcode Op) {
  auto IsBorder = [&](size_t N) {
    return Stack.size() >= N && Stack[Stack.size() - N] != '2';
  };
  auto Copy = [&](size_t Group, size_t Under) {
    if (!IsBorder(Group) || !IsBorder(Group + Under))
      return false;
    llvm::SmallVector<char, 2> Top(Stack.end() - Group, Stack.end());
    Stack.insert(Stack.end() - Group - Under, Top.begin(), Top.end());
    return true;
  };
  switch (Op) {
  case op::POP:
  case op::POP2: {
    size_t Group = Op == op::POP ? 1 : 2;
    if (!IsBorder(Group))
      return false;
    Stack.truncate(Stack.size() - Group);
    return true;
  }
  case op::DUP:
  case op::DUP_X1:
  case op::DUP_X2:
    return Copy(1, Op - op::DUP);
  case op::DUP2:
  case op::DUP2_X1:
  case op::DUP2_X2:
    return Copy(2, Op - op::DUP2);
  case op::SWAP:
    if (!IsBorder(1) || !IsBorder(2))
      return false;
    std::swap(Stack.end()[-1], Stack.end()[-2]);
    return true;
  default:
    return false;
  }
}

/// What \p I does to slots is what the instruction says.
bool RawVerifier::slot(const DecodedInst &I, IROp Kind) {
  OperandShape Shape;
  operandShape(B, {Kind, I.info().Canonical, I.Index, I.Value}, Shape);
  char Letter = Kind == irop::LocalSet ? Shape.Operands[0] : Shape.Result;
  unsigned Width = Letter == 'J' || Letter == 'D' ? 2 : 1;
  if (uint64_t(I.Index) + Width > B.numSlots())
    return bad(I, "names slot " + Twine(I.Index) + ", but the method has " +
                      Twine(B.numSlots()));
  if (Kind != irop::LocalSet)
    return true;
  if (I.Index == 0 && !B.method().is(ACC_STATIC))
    return bad(I, "stores over `this`");
  if (Stores.empty() || Stores[0].Slot != I.Index ||
      kindLetter(Stores[0].Ty) != Letter || Stores[0].Ty.is(Type::Uninit))
    return bad(I, "is not the next of the stores");
  Stores = Stores.drop_front();
  return true;
}

bool RawVerifier::instruction(const DecodedInst &I) {
  const OpcodeInfo &Info = I.info();
  std::optional<IROp> Kind = getIROp(I.Op);
  if (B.classFile().Major < Info.Since || B.classFile().Major > Info.Until)
    return bad(I, "does not exist in version " + Twine(B.classFile().Major));
  if (Info.Branches || Info.EndsBlock)
    return bad(I, "is never raw");
  if (!Kind)
    return stackOp(I.Op) || bad(I, "does not fit the operand stack");
  uint32_t Tags = shape::poolTags(*Kind, I.Op);
  const bool Pool = *Kind != irop::Const || Info.Effect[0] == '*';
  if (Tags && Pool &&
      (!(Tags >> unsigned(B.pool()[I.Index].Tag) & 1) ||
       !PoolSymbols::wellFormed(B.pool(), I.Index)))
    return bad(I, "names entry #" + Twine(I.Index) +
                      ", which is not of a right kind, or malformed");
  if (*Kind == irop::NewArray && shape::arrayTypeName(I.Index).empty())
    return bad(I, "names no primitive type");
  if (*Kind == irop::LocalGet || *Kind == irop::LocalSet ||
      *Kind == irop::LocalInc)
    if (!slot(I, *Kind))
      return false;
  OperandShape Shape;
  if (!operandShape(B, {*Kind, Info.Canonical, I.Index, I.Value}, Shape))
    return bad(I, "has a malformed descriptor");
  bool Wide = Shape.Result == 'J' || Shape.Result == 'D';
  if (*Kind == irop::Const && Tags && Pool && Wide != (I.Op == op::LDC2_W))
    return bad(I, "names an entry of the wrong size");
  for (char Letter : llvm::reverse(Shape.Operands))
    if (!pop(Letter))
      return bad(I, "does not fit the operand stack");
  if (*Kind != irop::Invoke || !shape::isInitCall(B.pool(), I.Op, I.Index))
    push(Shape.Result);
  return true;
}

/// The values behind the code are those that it leaves.
void RawVerifier::results() {
  llvm::SmallVector<char, 32> Left = std::move(Stack);
  Stack.clear();
  const Block::InstList &List = Raw.block()->instructions();
  for (auto I = std::next(Raw.getIterator());
       I != List.end() && I->op() == irop::RawValue; ++I)
    push(kindLetter(I->type()));
  if (Stack != Left)
    F.add(IRRule::RawCode, Raw,
          "the values behind it are not those that it leaves: " +
              Twine(Stack.size()) + " slots and " + Twine(Left.size()) +
              " slots of other kinds");
}

void RawVerifier::run() {
  const RawCode &Code = Raw.raw();
  for (const Value *V : Raw.operands())
    push(kindLetter(V->type()));
  size_t Max = Stack.size();
  DecodedInst I;
  for (uint32_t At = 0; At < Code.Code.size(); At = I.end()) {
    if (!decodeInst(Code.Code, At, I)) {
      F.add(IRRule::RawCode, Raw,
            "no instruction at " + Twine(Code.BCI + At) + " of the original");
      return;
    }
    if (!instruction(I))
      return;
    Max = std::max(Max, Stack.size());
  }
  if (!Stores.empty())
    F.add(IRRule::RawCode, Raw, Twine(Stores.size()) + " stores too many");
  if (Max != Code.MaxStack)
    F.add(IRRule::RawCode, Raw,
          "the stack gets " + Twine(Max) + " slots deep, not " +
              Twine(Code.MaxStack));
  results();
}

} // namespace

void jopt::verifyRaw(const Body &B, const Instruction &Raw, Findings &F) {
  RawVerifier(B, Raw, F).run();
}
