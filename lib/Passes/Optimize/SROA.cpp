//===- SROA.cpp - Replace boxes and arrays of advice by their contents ----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "DebugRows.h"
#include "Unreachable.h"
#include "ValueHomes.h"
#include "jopt/Passes/Analysis/SlotSSA.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::StringRef;

#define GET_STATISTICS_SROA
#include "jopt/Passes/Passes.inc"

//===----------------------------------------------------------------------===//
// Classes of java.lang
//===----------------------------------------------------------------------===//

namespace {
struct BoxClass {
  StringRef Name;
  StringRef ValueOf; ///< descriptor of the factory
  bool IsNumber;
};
} // namespace

static const BoxClass BoxClasses[] = {
    {"java/lang/Boolean", "(Z)Ljava/lang/Boolean;", false},
    {"java/lang/Byte", "(B)Ljava/lang/Byte;", true},
    {"java/lang/Character", "(C)Ljava/lang/Character;", false},
    {"java/lang/Double", "(D)Ljava/lang/Double;", true},
    {"java/lang/Float", "(F)Ljava/lang/Float;", true},
    {"java/lang/Integer", "(I)Ljava/lang/Integer;", true},
    {"java/lang/Long", "(J)Ljava/lang/Long;", true},
    {"java/lang/Short", "(S)Ljava/lang/Short;", true},
};

static const BoxClass *findBoxClass(StringRef Name) {
  for (const BoxClass &B : BoxClasses)
    if (B.Name == Name)
      return &B;
  return nullptr;
}

/// Whether a \p Box, an Object[] if that is null, is a \p Class; none: that is
/// not known here.
static std::optional<bool> isA(const BoxClass *Box, StringRef Class) {
  if (Class == "java/lang/Object" || Class == "java/io/Serializable" ||
      Class == (Box ? Box->Name : "[Ljava/lang/Object;"))
    return true;
  if (Class == "java/lang/Cloneable" || Class == "java/lang/Comparable")
    return (Class == "java/lang/Cloneable") == !Box;
  if (Class == "java/lang/Number")
    return Box && Box->IsNumber;
  if (Class == "java/lang/String" || findBoxClass(Class))
    return false;
  if (Class.starts_with("[") && Box)
    return false;
  return std::nullopt;
}

/// The type of the number that \p Method of a box yields; 0: it is no such
/// method.
static char unboxes(const MemberRef &Method) {
  return llvm::StringSwitch<char>(Method.Name)
      .Case("booleanValue", Method.Descriptor == "()Z" ? 'Z' : 0)
      .Case("byteValue", Method.Descriptor == "()B" ? 'B' : 0)
      .Case("charValue", Method.Descriptor == "()C" ? 'C' : 0)
      .Case("doubleValue", Method.Descriptor == "()D" ? 'D' : 0)
      .Case("floatValue", Method.Descriptor == "()F" ? 'F' : 0)
      .Case("intValue", Method.Descriptor == "()I" ? 'I' : 0)
      .Case("longValue", Method.Descriptor == "()J" ? 'J' : 0)
      .Case("shortValue", Method.Descriptor == "()S" ? 'S' : 0)
      .Default(0);
}

/// The opcode that makes a \p To of what a box of a \p From has; nop: none is
/// needed; none: there is none of one step. A narrow number may come from a
/// caller that did not narrow it, which the box does.
static std::optional<Opcode> conversion(char From, char To) {
  static constexpr struct {
    char From, To;
    Opcode Op;
  } Steps[] = {
      {'B', 'B', op::I2B}, {'S', 'S', op::I2S}, {'C', 'C', op::I2C},
      {'I', 'B', op::I2B}, {'I', 'S', op::I2S}, {'I', 'J', op::I2L},
      {'I', 'F', op::I2F}, {'I', 'D', op::I2D}, {'J', 'I', op::L2I},
      {'J', 'F', op::L2F}, {'J', 'D', op::L2D}, {'F', 'I', op::F2I},
      {'F', 'J', op::F2L}, {'F', 'D', op::F2D}, {'D', 'I', op::D2I},
      {'D', 'J', op::D2L}, {'D', 'F', op::D2F},
  };
  for (const auto &S : Steps)
    if (S.From == From && S.To == To)
      return S.Op;
  return From == To ? std::optional<Opcode>(op::NOP) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

namespace {

/// A box or an array that an advice makes.
struct Object {
  Instruction *Made;
  const BoxClass *Box = nullptr; ///< null: an array
  /// Of an array: what stores each element, in the block where it is made.
  llvm::SmallVector<Instruction *, 8> Elements = {};
  /// What goes with the object: stores, reads and casts of references to it.
  llvm::SmallVector<Instruction *, 8> References = {};
  /// Calls and tests whose results follow from the object; they are replaced.
  llvm::SmallVector<Instruction *, 8> Uses = {};
  /// It goes to where others see it, or something here cannot be replaced.
  bool Leaves = false;
};

class ScalarReplacer {
public:
  ScalarReplacer(Body &F, PassContext &C, const SlotSSA &S)
      : F(F), C(C), S(S), Homes(F) {}

  bool findObjects();
  void replace();

private:
  void findReaders();
  void follow(Object &O);
  bool isReference(Object &O, Value *V, Instruction &I);
  bool isElement(Object &O, Instruction &I);
  bool isUse(Object &O, Value *V, Instruction &I);
  bool findHomes(Object &O);
  Object *objectOf(const Value *V);
  Value *contentOf(Builder &B, Object &O, Instruction &Use);
  void replaceUse(Object &O, Instruction &Use, DeadCode &D);
  void erase(Object &O, DeadCode &D);

  const BoxClass *boxOf(const Instruction &I) const;
  std::optional<unsigned> lengthOf(const Instruction &I) const;
  MemberRef member(const Instruction &I) const {
    return F.pool().member(uint16_t(I.index()));
  }
  StringRef className(const Instruction &I) const {
    return F.pool().className(uint16_t(I.index()));
  }

  Body &F;
  PassContext &C;
  const SlotSSA &S;
  ValueHomes Homes;
  std::vector<Object> Objects;
  llvm::DenseMap<const Value *, unsigned> Numbers; ///< of those that are made
  std::vector<llvm::SmallVector<Instruction *, 2>> Users; ///< by Value::id()
  llvm::BitVector Exits; ///< by Value::id(): another block gets it
  /// By definition of a slot: what reads it alone; and whether others are read
  /// at the same place.
  std::vector<llvm::SmallVector<Instruction *, 2>> Readers;
  llvm::BitVector Merged;
};

} // namespace

const BoxClass *ScalarReplacer::boxOf(const Instruction &I) const {
  if (I.op() != irop::Invoke || I.opcode() != op::INVOKESTATIC)
    return nullptr;
  const MemberRef Of = member(I);
  const BoxClass *Box = Of.Name == "valueOf" ? findBoxClass(Of.Owner) : nullptr;
  return Box && Of.Descriptor == Box->ValueOf ? Box : nullptr;
}

/// How many elements the array has that \p I makes, if these are few.
std::optional<unsigned> ScalarReplacer::lengthOf(const Instruction &I) const {
  constexpr int32_t MostElements = 16;
  if (I.op() != irop::ClassOp || I.opcode() != op::ANEWARRAY ||
      className(I) != "java/lang/Object")
    return std::nullopt;
  const auto Length = intConstant(*I.operand(0));
  if (!Length || *Length < 0 || *Length > MostElements)
    return std::nullopt;
  return unsigned(*Length);
}

void ScalarReplacer::findReaders() {
  Users.resize(F.numValues());
  Exits.resize(F.numValues());
  Readers.resize(S.defs().size());
  Merged.resize(unsigned(S.defs().size()));
  llvm::SmallVector<unsigned, 16> Work;
  llvm::BitVector Read(unsigned(S.defs().size()));
  for (Block &B : F.blocks()) {
    for (const Value *V : B.exitValues())
      Exits.set(V->id());
    for (Instruction &I : B) {
      for (const Value *V : I.operands())
        Users[V->id()].push_back(&I);
      if (I.op() != irop::LocalGet && I.op() != irop::LocalInc)
        continue;
      const unsigned D = S.seenBy(I);
      if (D == SlotSSA::None)
        continue;
      Readers[D].push_back(&I);
      if (!Read.test(D))
        Work.push_back(D);
      Read.set(D);
    }
  }
  while (!Work.empty())
    for (auto [Of, From] : S.defs()[Work.pop_back_val()].Operands) {
      if (Of == SlotSSA::None || Merged.test(Of))
        continue;
      Merged.set(Of);
      Work.push_back(Of);
    }
}

Object *ScalarReplacer::objectOf(const Value *V) {
  auto It = Numbers.find(V);
  return It == Numbers.end() || Objects[It->second].Leaves
             ? nullptr
             : &Objects[It->second];
}

/// \p I, which uses the reference \p V, only passes it on.
bool ScalarReplacer::isReference(Object &O, Value *V, Instruction &I) {
  if (I.op() == irop::Drop || I.op() == irop::LocalSet)
    return true;
  if (I.opcode() == op::CHECKCAST && I.op() == irop::ClassOp)
    return isA(O.Box, className(I)) == true;
  // Into an array that goes, too.
  return I.opcode() == op::AASTORE && I.op() == irop::Plain && O.Box &&
         I.operand(2) == V && I.operand(0) != V && objectOf(I.operand(0));
}

/// \p I gives an element of the array \p O its first value, before anything
/// else can see the array.
bool ScalarReplacer::isElement(Object &O, Instruction &I) {
  if (O.Box || I.op() != irop::Plain || I.opcode() != op::AASTORE ||
      I.operand(0) != O.Made || I.operand(2) == O.Made)
    return false;
  const auto Index = intConstant(*I.operand(1));
  if (!Index || *Index < 0 || size_t(*Index) >= O.Elements.size() ||
      O.Elements[size_t(*Index)])
    return false;
  O.Elements[size_t(*Index)] = &I;
  return true;
}

/// \p I asks the object, which is \p V, for something that is known.
bool ScalarReplacer::isUse(Object &O, Value *V, Instruction &I) {
  switch (I.op()) {
  case irop::If:
    return I.opcode() == op::IFNULL || I.opcode() == op::IFNONNULL;
  case irop::ClassOp:
    return I.opcode() == op::INSTANCEOF && isA(O.Box, className(I));
  case irop::Invoke: {
    if (!O.Box || I.opcode() != op::INVOKEVIRTUAL)
      return false;
    const MemberRef Of = member(I);
    return (Of.Owner == O.Box->Name ||
            (O.Box->IsNumber && Of.Owner == "java/lang/Number")) &&
           unboxes(Of) && conversion(O.Box->ValueOf[1], unboxes(Of));
  }
  case irop::Plain: {
    if (O.Box || I.operand(0) != V)
      return false;
    if (I.opcode() == op::ARRAYLENGTH)
      return true;
    const auto Index =
        I.opcode() == op::AALOAD ? intConstant(*I.operand(1)) : std::nullopt;
    return Index && *Index >= 0 && size_t(*Index) < O.Elements.size() &&
           O.Elements[size_t(*Index)];
  }
  default:
    return false;
  }
}

/// Finds all that is done with \p O.
void ScalarReplacer::follow(Object &O) {
  O.References.clear();
  O.Uses.clear();
  if (!O.Box)
    O.Elements.assign(*lengthOf(*O.Made), nullptr);
  llvm::SmallVector<Value *, 8> Work{O.Made};
  // Stores of elements come first, as they are in the block of the array.
  if (!O.Box)
    for (Instruction *I : Users[O.Made->id()])
      if (!isElement(O, *I))
        break;
  for (size_t N = 0; N < Work.size() && !O.Leaves; ++N) {
    Value *V = Work[N];
    O.Leaves |= Exits.test(V->id());
    for (Instruction *I : Users[V->id()]) {
      if (llvm::is_contained(O.Elements, I) && V == O.Made)
        continue;
      if (isUse(O, V, *I)) {
        O.Uses.push_back(I);
        continue;
      }
      if (!isReference(O, V, *I)) {
        O.Leaves = true;
        return;
      }
      if (I->opcode() == op::AASTORE && I->op() == irop::Plain) {
        // It is also what is read there.
        Object &Of = *objectOf(I->operand(0));
        for (Instruction *Read : Of.Uses)
          if (Read->opcode() == op::AALOAD &&
              Of.Elements[size_t(*intConstant(*Read->operand(1)))] == I)
            Work.push_back(Read);
        continue;
      }
      O.References.push_back(I);
      if (I->op() == irop::ClassOp)
        Work.push_back(I);
      if (I->op() != irop::LocalSet)
        continue;
      const unsigned D = S.madeBy(*I);
      O.Leaves |= D == SlotSSA::None || Merged.test(D);
      if (O.Leaves)
        return;
      for (Instruction *Read : Readers[D]) {
        O.References.push_back(Read);
        Work.push_back(Read);
      }
    }
  }
}

/// Whether all that \p O contains can be had where it is asked for.
bool ScalarReplacer::findHomes(Object &O) {
  for (Instruction *I : O.Uses) {
    Value *Content = nullptr;
    if (I->op() == irop::Invoke)
      Content = O.Made->operand(0);
    else if (I->opcode() == op::AALOAD && I->op() == irop::Plain)
      Content = O.Elements[size_t(*intConstant(*I->operand(1)))]->operand(2);
    if (Content && !objectOf(Content) && !Homes.find(Content, I))
      return false;
  }
  return true;
}

/// Finds what can be replaced. False if there is nothing.
bool ScalarReplacer::findObjects() {
  for (Block &B : F.blocks())
    for (Instruction &I : B) {
      if (I.advice() < 0)
        continue;
      const BoxClass *Box = boxOf(I);
      if (!Box && !lengthOf(I))
        continue;
      Numbers[&I] = unsigned(Objects.size());
      Objects.push_back({&I, Box});
    }
  if (Objects.empty())
    return false;
  findReaders();
  // What leaves takes others with it. Arrays come before what is in them.
  for (bool Again = true; Again;) {
    Again = false;
    for (bool Boxes : {false, true})
      for (Object &O : Objects) {
        if (O.Leaves || !O.Box == Boxes)
          continue;
        follow(O);
        Again |= O.Leaves;
      }
    if (Again)
      continue;
    for (Object &O : Objects)
      if (!O.Leaves && !findHomes(O))
        Again = O.Leaves = true;
  }
  return llvm::any_of(Objects, [](const Object &O) { return !O.Leaves; });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// What \p Use yields; null if that is a reference to another object that goes.
Value *ScalarReplacer::contentOf(Builder &B, Object &O, Instruction &Use) {
  if (Use.op() == irop::ClassOp)
    return B.constant(*isA(O.Box, className(Use)));
  if (Use.op() == irop::Invoke) {
    Value *Of = Homes.take(B, O.Made->operand(0), &Use);
    const Opcode Op = *conversion(O.Box->ValueOf[1], unboxes(member(Use)));
    return Op == op::NOP ? Of : B.make(irop::Plain, Op, Use.type(), Of);
  }
  if (Use.opcode() == op::ARRAYLENGTH)
    return B.constant(int32_t(O.Elements.size()));
  Value *Of = O.Elements[size_t(*intConstant(*Use.operand(1)))]->operand(2);
  return objectOf(Of) ? nullptr : Homes.take(B, Of, &Use);
}

void ScalarReplacer::replaceUse(Object &O, Instruction &Use, DeadCode &D) {
  Block &In = *Use.block();
  if (Use.op() == irop::If) {
    D.goOneWay(In, Use.opcode() == op::IFNULL);
    return;
  }
  Builder B(F, &Use);
  B.setAdvice(Use.advice());
  if (Value *New = contentOf(B, O, Use)) {
    for (unsigned N = In.countUses(&Use); N; --N)
      D.replaced(Use, *New);
    In.replaceUses(&Use, New);
  }
}

/// Takes away what is left of \p O.
void ScalarReplacer::erase(Object &O, DeadCode &D) {
  auto Erase = [&](Instruction *I) {
    if (I->block()) // It may have gone with what used it.
      D.lines().erase(I);
  };
  llvm::for_each(O.Uses, Erase);
  llvm::for_each(O.References, Erase);
}

void ScalarReplacer::replace() {
  StoreSet Gone;
  llvm::BitVector Slots(F.numSlots());
  unsigned Boxes = 0, Arrays = 0, Branches = 0;
  for (Object &O : Objects) {
    if (O.Leaves)
      continue;
    ++(O.Box ? Boxes : Arrays);
    for (Instruction *I : O.References)
      if (I->op() == irop::LocalSet) {
        Gone.insert(I);
        Slots.set(I->index());
      }
    for (Instruction *I : O.Uses)
      Branches += I->op() == irop::If;
  }
  dropStaleRows(F, C, Gone);
  DeadCode D(F, C);
  for (Object &O : Objects)
    if (!O.Leaves)
      for (Instruction *I : O.Uses)
        replaceUse(O, *I, D);
  for (Object &O : Objects)
    if (!O.Leaves)
      erase(O, D);
  // Arrays go with their elements before the boxes that are in them.
  for (bool Boxes : {false, true})
    for (Object &O : Objects) {
      if (O.Leaves || !O.Box == Boxes)
        continue;
      for (Instruction *I : O.Elements)
        if (I)
          D.lines().erase(I);
      D.lines().erase(O.Made);
    }
  if (Branches)
    removeUnreachable(F, D.lines());
  // A slot that is declared everywhere, and that nobody reads or writes now.
  llvm::erase_if(F.PinnedLocals, [&](const Body::PinnedLocal &P) {
    return P.Slot < Slots.size() && Slots.test(P.Slot);
  });
  C.invalidate(F, PreservedAnalyses::none());
  pruneFrames(F, C.analysis<SlotLiveness>(F), Slots);
  NumBoxes += Boxes;
  NumArrays += Arrays;
  C.remark(F.method(), "replaced " + llvm::Twine(Boxes) + " boxes and " +
                           llvm::Twine(Arrays) +
                           " arrays of probes by what they contain");
}

llvm::Expected<PreservedAnalyses> SROAPass::run(Body &F, PassContext &C) const {
  if (F.Inferred || F.Inlined || llvm::none_of(F.blocks(), [](const Block &B) {
        return llvm::any_of(B.instructions(), [](const Instruction &I) {
          return I.advice() >= 0 && (I.opcode() == op::ANEWARRAY ||
                                     I.opcode() == op::INVOKESTATIC);
        });
      }))
    return PreservedAnalyses::all();
  const auto &S = C.analysis<SlotSSA>(F);
  if (!S.isKnown())
    return PreservedAnalyses::all();
  ScalarReplacer R(F, C, S);
  if (!R.findObjects())
    return PreservedAnalyses::all();
  R.replace();
  return PreservedAnalyses::none();
}
