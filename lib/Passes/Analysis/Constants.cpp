//===- Constants.cpp - Constants, and what opcodes make of them -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/Constants.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "llvm/Support/Casting.h"
#include <array>
#include <cmath>
#include <limits>

using namespace jopt;

std::optional<Constant> Constant::ofFloat(float V) {
  if (std::isnan(V))
    return std::nullopt;
  return Constant{Type::Float, llvm::bit_cast<uint32_t>(V)};
}

std::optional<Constant> Constant::ofDouble(double V) {
  if (std::isnan(V))
    return std::nullopt;
  return Constant{Type::Double, llvm::bit_cast<uint64_t>(V)};
}

template <typename T>
static std::optional<std::make_unsigned_t<T>> divide(T A, T B) {
  using Unsigned = std::make_unsigned_t<T>;
  if (!B)
    return std::nullopt;
  return B == -1 ? Unsigned(0 - Unsigned(A)) : Unsigned(A / B);
}

template <typename T>
static std::optional<std::make_unsigned_t<T>> remainder(T A, T B) {
  using Unsigned = std::make_unsigned_t<T>;
  if (!B)
    return std::nullopt;
  return B == -1 ? Unsigned(0) : Unsigned(A % B);
}

/// As the JVM converts: NaN is 0, what is too large the nearest value.
template <typename T, typename FloatT>
static std::make_unsigned_t<T> toInteger(FloatT V) {
  using Limits = std::numeric_limits<T>;
  using Unsigned = std::make_unsigned_t<T>;
  if (std::isnan(V))
    return 0;
  if (V >= -FloatT(Limits::min()))
    return Unsigned(Limits::max());
  if (V <= FloatT(Limits::min()))
    return Unsigned(Limits::min());
  return Unsigned(T(V));
}

template <typename T> static uint32_t compare(T A, T B, int IfUnordered) {
  return A > B ? 1 : A == B ? 0 : A < B ? uint32_t(-1) : uint32_t(IfUnordered);
}

namespace {
struct FoldRow {
  Opcode Encoding;
  std::optional<Constant> (*Function)(Constant A, Constant B);
};
struct NeutralRow {
  Opcode Encoding;
  int Right;
  bool Commutes;
};
#define GET_FoldTable_IMPL
#define GET_NeutralTable_IMPL
#include "jopt/Passes/Folding.inc"

/// For each opcode the row of \p Table, from 1 on.
template <typename Row, size_t N>
constexpr std::array<uint8_t, NumEncodings> rowsOf(const Row (&Table)[N]) {
  std::array<uint8_t, NumEncodings> Rows = {};
  for (size_t I = 0; I < N; ++I)
    Rows[Table[I].Encoding] = uint8_t(I + 1);
  return Rows;
}
constexpr std::array<uint8_t, NumEncodings> FoldOf = rowsOf(FoldTable),
                                            NeutralOf = rowsOf(NeutralTable);
} // namespace

std::optional<Constant> jopt::fold(Opcode Op, Constant A, Constant B) {
  return FoldOf[Op] ? FoldTable[FoldOf[Op] - 1].Function(A, B) : std::nullopt;
}

bool jopt::isNeutral(Opcode Op, Constant C, bool AtLeft) {
  if (!NeutralOf[Op])
    return false;
  const NeutralRow &Row = NeutralTable[NeutralOf[Op] - 1];
  return (!AtLeft || Row.Commutes) &&
         (C.Ty.is(Type::Int) ? C.i() == Row.Right : C.l() == Row.Right);
}

std::optional<Constant> jopt::constantOf(const Value &V) {
  const auto *I = llvm::dyn_cast<Instruction>(&V);
  if (!I || I->op() != irop::Const || !I->block())
    return std::nullopt;
  if (I->type().is(Type::Null))
    return Constant{Type::Null, 0};
  if (auto Small = immediateInt(I->opcode(), I->imm()))
    return Constant::ofInt(uint32_t(*Small));
  if (!I->opcodeInfo().PoolTags) {
    // lconst_0 and its like: the number is how far it is from the first.
    if (I->type().is(Type::Long))
      return Constant::ofLong(I->opcode() - op::LCONST_0);
    if (I->type().is(Type::Float))
      return Constant::ofFloat(float(I->opcode() - op::FCONST_0));
    return Constant::ofDouble(double(I->opcode() - op::DCONST_0));
  }
  const CPEntry &E = I->block()->body().pool()[I->index()];
  if (!isNumber(E.Tag))
    return std::nullopt;
  switch (I->type().kind()) {
  case Type::Int:
    return Constant::ofInt(uint32_t(E.Bits));
  case Type::Long:
    return Constant::ofLong(E.Bits);
  case Type::Float:
    return Constant::ofFloat(llvm::bit_cast<float>(uint32_t(E.Bits)));
  default:
    return Constant::ofDouble(llvm::bit_cast<double>(E.Bits));
  }
}

/// Numbers from 0 on for which there are short opcodes.
static Opcode shortOpcode(Constant C) {
  constexpr unsigned MostLong = 1, MostFloat = 2, MostDouble = 1;
  for (unsigned N = 0; N <= MostFloat; ++N) {
    if (C.Ty.is(Type::Long) && N <= MostLong && C.ul() == N)
      return Opcode(op::LCONST_0 + N);
    if (C.Ty.is(Type::Float) && C == *Constant::ofFloat(float(N)))
      return Opcode(op::FCONST_0 + N);
    if (C.Ty.is(Type::Double) && N <= MostDouble &&
        C == *Constant::ofDouble(double(N)))
      return Opcode(op::DCONST_0 + N);
  }
  return Opcode(C.Ty.is(Type::Float) ? op::LDC : op::LDC2_W);
}

Instruction *jopt::makeConstant(Body &F, Constant C, Instruction *Before) {
  const bool IsInt = C.Ty.is(Type::Int);
  const Opcode Op = C.Ty.is(Type::Null) ? Opcode(op::ACONST_NULL)
                    : IsInt             ? opcodeOfInt(C.i())
                                        : shortOpcode(C);
  unsigned Index = 0;
  if (detail::OpcodeRows[Op].PoolTags) {
    ConstantPool &Pool = F.pool();
    const auto Mark = Pool.mark();
    const size_t Size = Pool.size();
    Index = IsInt                  ? Pool.addInteger(C.i())
            : C.Ty.is(Type::Long)  ? Pool.addLong(C.l())
            : C.Ty.is(Type::Float) ? Pool.addFloat(C.f())
                                   : Pool.addDouble(C.d());
    if (Pool.size() != Size) {
      Pool.rollback(Mark);
      return nullptr;
    }
  }
  // A longer one has no room where the original has an instruction of one byte.
  const int32_t BCI = detail::OpcodeRows[Op].Length == 1 ? Before->bci() : -1;
  Instruction *I = F.create(irop::Const, Op, C.Ty, {}, BCI);
  if (Index)
    I->setIndex(Index);
  else if (IsInt)
    I->setImm(C.i());
  I->setFloating(true);
  I->setAdvice(Before->advice());
  F.insert(I, Before->block(), Before->getIterator());
  return I;
}
