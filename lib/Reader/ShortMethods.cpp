//===- ShortMethods.cpp - Methods as short as a call ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Reader/ShortMethods.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/Reader/CodeFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using llvm::StringRef;

/// Of an invokestatic, an invokespecial, an invokevirtual.
static constexpr unsigned BytesOfCall = 3;

namespace {

/// Follows the code of one method.
class ShortCode {
public:
  ShortCode(const ClassFile &F, const ShortMethods &Known, ShortMethod &M)
      : F(F), Known(Known), M(M), IsStatic(M.Of->is(ACC_STATIC)) {}

  bool read(Bytes Code);

private:
  /// A value on the stack: the letter of its type, and where it is from.
  struct Value {
    char Letter;
    bool IsThis = false;
    StringRef Descriptor; ///< of the parameter or field that it was read from
    std::optional<int32_t> Constant;
  };

  static unsigned slotsOf(char Letter) {
    return Letter == 'J' || Letter == 'D' ? 2 : 1;
  }
  void push(const Value &V) {
    Depth += slotsOf(V.Letter);
    MostDepth = std::max(MostDepth, Depth);
    Stack.push_back(V);
  }
  Value pop() {
    Depth -= slotsOf(Stack.back().Letter);
    return Stack.pop_back_val();
  }
  bool load(const DecodedInst &I);
  bool step(const DecodedInst &I);
  bool call(const DecodedInst &I);
  bool access(const DecodedInst &I, llvm::ArrayRef<Value> Operands);
  bool returns(const DecodedInst &I) const;

  const ClassFile &F;
  const ShortMethods &Known;
  ShortMethod &M;
  const bool IsStatic;
  llvm::SmallVector<StringRef, 4> Parameters; ///< descriptors, `this` first
  StringRef Result;
  unsigned NextSlot = 0; ///< of the next parameter
  unsigned Depth = 0, MostDepth = 0;
  llvm::SmallVector<Value, 4> Stack;
};

} // namespace

/// The next parameter, before all else.
bool ShortCode::load(const DecodedInst &I) {
  if (!M.Steps.empty() || M.NumLoaded == Parameters.size() ||
      I.Index != NextSlot || I.Op == op::IINC)
    return false;
  const StringRef Descriptor = Parameters[M.NumLoaded];
  const char Letter = letterOf(Descriptor);
  if (I.info().result() != Letter)
    return false;
  push({Letter, !IsStatic && M.NumLoaded == 0, Descriptor, {}});
  NextSlot += slotsOf(Letter);
  ++M.NumLoaded;
  return true;
}

/// An access of a field of the class: of `this` or, in a static method, a
/// static one.
bool ShortCode::access(const DecodedInst &I, llvm::ArrayRef<Value> Operands) {
  const bool OfStatic = I.Op == op::GETSTATIC || I.Op == op::PUTSTATIC;
  if (OfStatic != IsStatic || !isOwnField(F, I) ||
      (!OfStatic && !Operands.front().IsThis))
    return false;
  (OfStatic ? M.UsesStatic : M.UsesThis) = true;
  // The verifier may load a class to compare another type.
  return I.info().result() || Operands.back().Letter != 'A' ||
         Operands.back().Descriptor == F.Pool.member(I.Index).Descriptor;
}

/// An instruction that cannot throw and is no way to another one.
bool ShortCode::step(const DecodedInst &I) {
  const OpcodeInfo &Info = I.info();
  const bool IsField = Info.Cat == op::CatField;
  const bool IsConstant = Info.Cat == op::CatConstant;
  if (!IsField && !IsConstant && Info.Cat != op::CatArithmetic &&
      Info.Cat != op::CatConversion && Info.Cat != op::CatComparison)
    return false;
  OperandShape Shape;
  if (Info.Branches || (!IsField && mayThrow(F, I, false)) ||
      !operandShape(F.Pool, {I.Op, I.Index}, Shape))
    return false;
  llvm::SmallVector<Value, 4> Operands(Shape.Operands.size());
  for (size_t N = Operands.size(); N--;) {
    if (Stack.empty() || Stack.back().Letter != Shape.Operands[N])
      return false;
    Operands[N] = pop();
  }
  if (IsField && !access(I, Operands))
    return false;
  if (Shape.Result == 'V') {
    M.Steps.push_back(I);
    M.Size += I.Length;
    return IsField;
  }
  Value V{Shape.Result, false, {}, {}};
  if (IsField)
    V.Descriptor = F.Pool.member(I.Index).Descriptor;
  else if (IsConstant)
    V.Constant = immediateInt(I.Op, I.Value);
  if (IsConstant && V.Letter == 'A')
    return false;
  push(V);
  M.Steps.push_back(I);
  M.Size += I.Length;
  return true;
}

/// A call of a short method that needs all that it is given.
bool ShortCode::call(const DecodedInst &I) {
  const ShortMethod *Of = Known.calledBy(I.Op, I.Index, IsStatic);
  OperandShape Shape;
  return Of && operandShape(F.Pool, {I.Op, I.Index}, Shape) &&
         Of->NumLoaded == Shape.Operands.size() &&
         llvm::all_of(Of->Steps, [&](const DecodedInst &S) { return step(S); });
}

/// The stack holds the result alone, whose type is that of the method.
bool ShortCode::returns(const DecodedInst &I) const {
  if (I.Op == op::RETURN)
    return Result == "V" && Stack.empty();
  if (I.Op < op::IRETURN || I.Op > op::ARETURN || Stack.size() != 1 ||
      Stack[0].Letter != letterOf(Result))
    return false;
  const Value &V = Stack[0];
  switch (Result[0]) {
  case 'L':
  case '[':
    return V.Descriptor == Result;
  case 'Z':
    return V.Descriptor == Result || V.Constant == 0 || V.Constant == 1;
  case 'B':
  case 'C':
  case 'S':
    return (V.Descriptor == Result && !M.Steps.empty()) ||
           (V.Constant && *V.Constant >= 0 && *V.Constant <= INT8_MAX);
  default:
    return true;
  }
}

bool ShortCode::read(Bytes Code) {
  MethodDescriptor D(F.descriptor(*M.Of));
  unsigned Arguments = 0; // slots
  if (!IsStatic)
    Parameters.push_back("Ljava/lang/Object;"), ++Arguments;
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    Parameters.push_back(P);
    Arguments += jopt::slotsOf(P);
  }
  if (!D.valid())
    return false;
  Result = D.returnType();
  DecodedInst I;
  for (uint32_t BCI = 0; decodeInst(Code, BCI, I); BCI = I.end()) {
    if (I.info().Cat == op::CatLocal) {
      if (!load(I))
        return false;
    } else if (I.info().Cat == op::CatControl) {
      // All that is loaded was checked for null then, as a call does.
      return I.end() == Code.size() && returns(I) &&
             (IsStatic || M.UsesThis || !M.NumLoaded) &&
             MostDepth <= std::max(Arguments, Depth) && M.Size <= BytesOfCall;
    } else if (!(I.info().Cat == op::CatInvoke ? call(I) : step(I))) {
      return false;
    }
  }
  return false;
}

/// No other method is called in the place of \p M, which has code to run at
/// once.
static bool isFixed(const ClassFile &F, const Method &M) {
  constexpr uint16_t Others =
      ACC_NATIVE | ACC_ABSTRACT | ACC_SYNCHRONIZED | ACC_STRICT;
  return !(M.Access & Others) && !F.name(M).starts_with("<") &&
         ((F.Access & ACC_FINAL) ||
          (M.Access & (ACC_STATIC | ACC_PRIVATE | ACC_FINAL)));
}

ShortMethods::ShortMethods(const ClassFile &F)
    : F(F), InitializesQuietly(F.superName() == "java/lang/Object" &&
                               F.Interfaces.empty() &&
                               llvm::none_of(F.Methods, [&](const Method &M) {
                                 return F.name(M) == "<clinit>";
                               })) {
  constexpr size_t MostCode = 24; // loads of some parameters, wide ones too
  llvm::SmallVector<const Method *, 8> Rest;
  for (const Method &M : F.Methods)
    if (isFixed(F, M) && !M.code(F.Pool).empty() &&
        M.code(F.Pool).size() <= MostCode)
      Rest.push_back(&M);
  // Those that call others come after them.
  constexpr unsigned MostCalls = 4;
  for (unsigned Calls = 0; Calls <= MostCalls; ++Calls) {
    const size_t Before = Methods.size();
    llvm::erase_if(Rest, [&](const Method *M) {
      ShortMethod Short;
      Short.Of = M;
      const bool Is = ShortCode(F, *this, Short).read(M->code(F.Pool));
      if (Is)
        Methods.push_back(std::move(Short));
      return Is;
    });
    if (Methods.size() == Before)
      break;
  }
}

const ShortMethod *ShortMethods::find(StringRef Name,
                                      StringRef Descriptor) const {
  const auto *S = llvm::find_if(Methods, [&](const ShortMethod &M) {
    return F.name(*M.Of) == Name && F.descriptor(*M.Of) == Descriptor;
  });
  return S == Methods.end() ? nullptr : S;
}

void ShortMethods::intersect(const ShortMethods &Others) {
  llvm::erase_if(Methods, [&](const ShortMethod &M) {
    return !Others.find(F.name(*M.Of), F.descriptor(*M.Of));
  });
}

const ShortMethod *ShortMethods::calledBy(Opcode Op, unsigned Index,
                                          bool IsInitialized) const {
  const CPEntry &E = F.Pool[Index];
  if (Methods.empty() || E.A != F.ThisIndex ||
      E.Tag != (F.isInterface() ? CPTag::InterfaceMethodref : CPTag::Methodref))
    return nullptr;
  const MemberRef R = F.Pool.member(Index);
  const ShortMethod *S = find(R.Name, R.Descriptor);
  if (!S)
    return nullptr;
  const bool IsPrivate = S->Of->is(ACC_PRIVATE);
  bool Finds = false;
  switch (Op) {
  case op::INVOKESTATIC:
    Finds = S->Of->is(ACC_STATIC) &&
            (IsInitialized || S->UsesStatic || InitializesQuietly);
    break;
  case op::INVOKESPECIAL:
    Finds = IsPrivate && !S->Of->is(ACC_STATIC);
    break;
  case op::INVOKEVIRTUAL: {
    // Such calls find private methods since then (JVM specification, 5.4.6).
    constexpr unsigned Java11 = 55;
    Finds = !S->Of->is(ACC_STATIC) && (!IsPrivate || F.Major >= Java11);
    break;
  }
  default:
    break;
  }
  return Finds ? S : nullptr;
}
