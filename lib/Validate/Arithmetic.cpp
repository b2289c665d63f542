//===- Arithmetic.cpp - What opcodes compute ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <limits>

using namespace jopt;
using namespace jopt::validate;

namespace {
/// An operand as each of the four types.
struct Number {
  uint64_t Bits;
  int32_t i() const { return int32_t(uint32_t(Bits)); }
  uint32_t u() const { return uint32_t(Bits); }
  int64_t j() const { return int64_t(Bits); }
  float f() const { return llvm::bit_cast<float>(uint32_t(Bits)); }
  double d() const { return llvm::bit_cast<double>(Bits); }
};
} // namespace

/// Java's conversion of a floating-point number to an integer.
template <typename Int> static Int saturate(double V) {
  if (std::isnan(V))
    return 0;
  if (V <= double(std::numeric_limits<Int>::min()))
    return std::numeric_limits<Int>::min();
  if (V >= double(std::numeric_limits<Int>::max()))
    return std::numeric_limits<Int>::max();
  return Int(V);
}

template <typename Int> static Int divide(Int A, Int B) {
  return B == -1 ? Int(0 - std::make_unsigned_t<Int>(A)) : Int(A / B);
}
template <typename Int> static Int remainder(Int A, Int B) {
  return B == -1 ? 0 : Int(A % B);
}

static int32_t order(double A, double B, int32_t Unordered) {
  if (std::isnan(A) || std::isnan(B))
    return Unordered;
  return A < B ? -1 : A > B;
}

namespace {
/// Where a result goes.
struct Result {
  char &Letter;
  uint64_t &Bits;

  bool I(int64_t V) {
    Letter = 'I';
    Bits = uint32_t(V);
    return true;
  }
  bool J(uint64_t V) {
    Letter = 'J';
    Bits = V;
    return true;
  }
  // The bits of NaN depend on the processor.
  bool F(float V) {
    Letter = 'F';
    Bits = llvm::bit_cast<uint32_t>(V);
    return !std::isnan(V);
  }
  bool D(double V) {
    Letter = 'D';
    Bits = llvm::bit_cast<uint64_t>(V);
    return !std::isnan(V);
  }
};
} // namespace

/// On ints.
static bool ofInts(Opcode Op, Number A, Number B, Result R) {
  switch (Op) {
  case op::IADD:
    return R.I(A.u() + B.u());
  case op::ISUB:
    return R.I(A.u() - B.u());
  case op::IMUL:
    return R.I(A.u() * B.u());
  case op::IDIV:
    return B.i() && R.I(divide(A.i(), B.i()));
  case op::IREM:
    return B.i() && R.I(remainder(A.i(), B.i()));
  case op::INEG:
    return R.I(0 - A.u());
  case op::ISHL:
    return R.I(A.u() << (B.u() & 31));
  case op::ISHR:
    return R.I(A.i() >> (B.u() & 31));
  case op::IUSHR:
    return R.I(A.u() >> (B.u() & 31));
  case op::IAND:
    return R.I(A.u() & B.u());
  case op::IOR:
    return R.I(A.u() | B.u());
  case op::IXOR:
    return R.I(A.u() ^ B.u());
  case op::I2B:
    return R.I(int8_t(A.u()));
  case op::I2C:
    return R.I(uint16_t(A.u()));
  case op::I2S:
    return R.I(int16_t(A.u()));
  default:
    return false;
  }
}

/// On longs.
static bool ofLongs(Opcode Op, Number A, Number B, Result R) {
  switch (Op) {
  case op::LADD:
    return R.J(A.Bits + B.Bits);
  case op::LSUB:
    return R.J(A.Bits - B.Bits);
  case op::LMUL:
    return R.J(A.Bits * B.Bits);
  case op::LDIV:
    return B.j() && R.J(uint64_t(divide(A.j(), B.j())));
  case op::LREM:
    return B.j() && R.J(uint64_t(remainder(A.j(), B.j())));
  case op::LNEG:
    return R.J(0 - A.Bits);
  case op::LSHL:
    return R.J(A.Bits << (B.u() & 63));
  case op::LSHR:
    return R.J(uint64_t(A.j() >> (B.u() & 63)));
  case op::LUSHR:
    return R.J(A.Bits >> (B.u() & 63));
  case op::LAND:
    return R.J(A.Bits & B.Bits);
  case op::LOR:
    return R.J(A.Bits | B.Bits);
  case op::LXOR:
    return R.J(A.Bits ^ B.Bits);
  case op::LCMP:
    return R.I(A.j() < B.j() ? -1 : A.j() > B.j());
  default:
    return false;
  }
}

/// On floating-point numbers.
static bool ofFloats(Opcode Op, Number A, Number B, Result R) {
  switch (Op) {
  case op::FADD:
    return R.F(A.f() + B.f());
  case op::FSUB:
    return R.F(A.f() - B.f());
  case op::FMUL:
    return R.F(A.f() * B.f());
  case op::FDIV:
    return R.F(A.f() / B.f());
  case op::FREM:
    return R.F(std::fmod(A.f(), B.f()));
  case op::FNEG:
    return R.F(-A.f());
  case op::DADD:
    return R.D(A.d() + B.d());
  case op::DSUB:
    return R.D(A.d() - B.d());
  case op::DMUL:
    return R.D(A.d() * B.d());
  case op::DDIV:
    return R.D(A.d() / B.d());
  case op::DREM:
    return R.D(std::fmod(A.d(), B.d()));
  case op::DNEG:
    return R.D(-A.d());
  case op::FCMPL:
    return R.I(order(A.f(), B.f(), -1));
  case op::FCMPG:
    return R.I(order(A.f(), B.f(), 1));
  case op::DCMPL:
    return R.I(order(A.d(), B.d(), -1));
  case op::DCMPG:
    return R.I(order(A.d(), B.d(), 1));
  default:
    return false;
  }
}

/// Between types.
static bool convert(Opcode Op, Number A, Number B, Result R) {
  switch (Op) {
  case op::I2L:
    return R.J(uint64_t(int64_t(A.i())));
  case op::I2F:
    return R.F(float(A.i()));
  case op::I2D:
    return R.D(double(A.i()));
  case op::L2I:
    return R.I(A.i());
  case op::L2F:
    return R.F(float(A.j()));
  case op::L2D:
    return R.D(double(A.j()));
  case op::F2I:
    return R.I(saturate<int32_t>(A.f()));
  case op::F2L:
    return R.J(uint64_t(saturate<int64_t>(A.f())));
  case op::F2D:
    return R.D(double(A.f()));
  case op::D2I:
    return R.I(saturate<int32_t>(A.d()));
  case op::D2L:
    return R.J(uint64_t(saturate<int64_t>(A.d())));
  case op::D2F:
    return R.F(float(A.d()));
  default:
    return false;
  }
}

bool jopt::validate::evaluate(Opcode Op, llvm::ArrayRef<TermRef> Args,
                              char &Letter, uint64_t &Bits) {
  if (Args.empty() || Args.size() > 2 ||
      llvm::any_of(Args, [](TermRef T) { return !T->is(TermKind::Constant); }))
    return false;
  const Number A{Args[0]->Bits}, B{Args.back()->Bits};
  const Result R{Letter, Bits};
  return ofInts(Op, A, B, R) || ofLongs(Op, A, B, R) || ofFloats(Op, A, B, R) ||
         convert(Op, A, B, R);
}
