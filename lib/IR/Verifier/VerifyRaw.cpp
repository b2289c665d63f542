//===- VerifyRaw.cpp - Raw code is what its instruction says --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierImpl.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Model/OpcodeSemantics.h"

using namespace jopt;
using llvm::Twine;

namespace {

/// Runs raw code over a stack of kinds: a letter for each slot (letterOf),
/// '2' for the second of a long or double. Types of references are those that
/// the instruction declares.
class RawVerifier {
public:
  RawVerifier(const Body &B, const Instruction &Raw, Findings &F)
      : B(B), Raw(Raw), F(F), Stores(Raw.raw().Stores) {}

  void run();

  /// \name For shuffleStack
  /// @{
  size_t entries(size_t Above, size_t Slots) const;
  void copied(char) {}
  void dropped(char) {}
  /// @}

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
    if (isWideLetter(Kind))
      Stack.push_back('2');
  }
  bool pop(char Kind);
  bool instruction(const DecodedInst &I);
  bool slot(const DecodedInst &I, IROp Kind);
  void results();

  const Body &B;
  const Instruction &Raw;
  Findings &F;
  llvm::ArrayRef<RawCode::Store> Stores; ///< that are still to come
  llvm::SmallVector<char, 32> Stack;
};

bool RawVerifier::pop(char Kind) {
  bool Wide = isWideLetter(Kind);
  if (Stack.size() < (Wide ? 2 : 1) || (Stack.back() == '2') != Wide)
    return false;
  Stack.truncate(Stack.size() - Wide);
  return Stack.pop_back_val() == Kind;
}

/// A border between values: a long or double takes two entries.
size_t RawVerifier::entries(size_t Above, size_t Slots) const {
  const size_t N = Above + Slots;
  return Stack.size() >= N && Stack[Stack.size() - N] != '2' ? Slots : 0;
}

/// Checks what \p I, of kind \p Kind, does to its slot.
bool RawVerifier::slot(const DecodedInst &I, IROp Kind) {
  OperandShape Shape;
  operandShape(B.pool(), {I.Op, I.Index, I.Value}, Shape);
  char Letter = Kind == irop::LocalSet ? Shape.Operands[0] : Shape.Result;
  unsigned Width = isWideLetter(Letter) ? 2 : 1;
  if (uint64_t(I.Index) + Width > B.numSlots())
    return bad(I, "names slot " + Twine(I.Index) + ", but the method has " +
                      Twine(B.numSlots()));
  if (Kind != irop::LocalSet)
    return true;
  if (I.Index == 0 && !isStatic(B.classFile(), B.method()))
    return bad(I, "stores over `this`");
  if (Stores.empty() || Stores[0].Slot != I.Index ||
      letterOf(Stores[0].Ty) != Letter || Stores[0].Ty.is(Type::Uninit))
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
    return shuffleStack(stackShuffle(Info), Stack, *this) ||
           bad(I, "does not fit the operand stack");
  if (Info.PoolTags && (!Info.mayName(B.pool()[I.Index].Tag) ||
                        !PoolSymbols::wellFormed(B.pool(), I.Index)))
    return bad(I, "names entry #" + Twine(I.Index) +
                      ", which is not of a right kind, or malformed");
  if (*Kind == irop::NewArray && arrayTypeName(I.Index).empty())
    return bad(I, "names no primitive type");
  if (*Kind == irop::LocalGet || *Kind == irop::LocalSet ||
      *Kind == irop::LocalInc)
    if (!slot(I, *Kind))
      return false;
  OperandShape Shape;
  if (!operandShape(B.pool(), {I.Op, I.Index, I.Value}, Shape))
    return bad(I, "has a malformed descriptor");
  if (*Kind == irop::Const && Info.PoolTags &&
      isWideLetter(Shape.Result) != (Info.result() == 'w'))
    return bad(I, "names an entry of the wrong size");
  for (char Letter : llvm::reverse(Shape.Operands))
    if (!pop(Letter))
      return bad(I, "does not fit the operand stack");
  if (*Kind != irop::Invoke || !isInitCall(B.pool(), I.Op, I.Index))
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
    push(letterOf(I->type()));
  if (Stack != Left)
    F.add(IRRule::RawCode, Raw,
          "the values behind it are not those that it leaves: " +
              Twine(Stack.size()) + " slots and " + Twine(Left.size()) +
              " slots of other kinds");
}

void RawVerifier::run() {
  const RawCode &Code = Raw.raw();
  for (const Value *V : Raw.operands())
    push(letterOf(V->type()));
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
