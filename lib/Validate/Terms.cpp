//===- Terms.cpp - Symbolic values ----------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::validate;
using llvm::ArrayRef;

uint32_t Terms::key(llvm::StringRef Text) {
  auto [It, New] = Keys.try_emplace(Text, uint32_t(Texts.size()));
  if (New)
    Texts.push_back(It->getKey());
  return It->second;
}

TermRef Terms::raw(TermKind K, uint32_t Code, uint64_t Bits,
                   ArrayRef<TermRef> Args) {
  llvm::FoldingSetNodeID ID;
  Term::profile(ID, K, Code, Bits, Args);
  void *At;
  if (Term *T = Set.FindNodeOrInsertPos(ID, At))
    return T;
  auto *Storage = Alloc.Allocate<TermRef>(Args.size());
  std::uninitialized_copy(Args.begin(), Args.end(), Storage);
  auto *T = new (Alloc.Allocate<Term>())
      Term(K, Code, Bits, ArrayRef<TermRef>(Storage, Args.size()), ++NumTerms);
  Set.InsertNode(T, At);
  return T;
}

/// x Op C is x.
static bool isNeutral(Opcode Op, TermRef C) {
  if (!C->is(TermKind::Constant))
    return false;
  const int64_t V = C->Code == 'J' ? int64_t(C->Bits) : C->i();
  switch (Op) {
  case op::IADD:
  case op::LADD:
  case op::IOR:
  case op::LOR:
  case op::IXOR:
  case op::LXOR:
    return V == 0;
  case op::ISHL:
  case op::ISHR:
  case op::IUSHR:
    return (V & 31) == 0;
  case op::LSHL:
  case op::LSHR:
  case op::LUSHR:
    return (V & 63) == 0;
  case op::IMUL:
  case op::LMUL:
  case op::IDIV:
  case op::LDIV:
    return V == 1;
  case op::IAND:
  case op::LAND:
    return V == -1;
  // By 1.0, which is exact; NaN stays NaN.
  case op::FMUL:
  case op::FDIV:
    return C->Bits == 0x3f800000;
  case op::DMUL:
  case op::DDIV:
    return C->Bits == 0x3ff0000000000000;
  // x - 0.0 is x, also for x = -0.0; x + 0.0 is not.
  case op::FSUB:
  case op::DSUB:
    return C->Bits == 0;
  default:
    return false;
  }
}

TermRef Terms::simplify(Opcode Op, ArrayRef<TermRef> Args) {
  char Letter;
  uint64_t Bits;
  if (evaluate(Op, Args, Letter, Bits))
    return constant(Letter, Bits);
  if (Args.size() == 1) {
    TermRef A = Args[0];
    const bool Undoes = (Op == op::INEG && A->isApply(op::INEG)) ||
                        (Op == op::LNEG && A->isApply(op::LNEG)) ||
                        (Op == op::L2I && A->isApply(op::I2L));
    if (Undoes)
      return A->Args[0];
    auto Fits = [&](int64_t Low, int64_t High) {
      const IntRange R = rangeOf(A);
      return R.Low >= Low && R.High <= High;
    };
    if ((Op == op::I2B && Fits(INT8_MIN, INT8_MAX)) ||
        (Op == op::I2C && Fits(0, UINT16_MAX)) ||
        (Op == op::I2S && Fits(INT16_MIN, INT16_MAX)))
      return A;
    if (Op == op::ARRAYLENGTH && A->is(TermKind::Object) && A->Args.size() == 2)
      return A->Args[1];
    return nullptr;
  }
  if (Args.size() != 2)
    return nullptr;
  TermRef A = Args[0], B = Args[1];
  // A difference is a sum, and a sum has its constant at the right.
  if (Op == op::ISUB && B->isConstant('I'))
    return apply(op::IADD, {A, ofInt(-int64_t(B->i()))});
  if (Op == op::LSUB && B->isConstant('J'))
    return apply(op::LADD, {A, constant('J', 0 - B->Bits)});
  if (commutes(Op)) {
    const bool Swaps = A->is(TermKind::Constant) ||
                       (!B->is(TermKind::Constant) && B->Id < A->Id);
    if (Swaps)
      return apply(Op, {B, A});
    if (Op == op::IADD || Op == op::LADD) {
      auto HasConstant = [&](TermRef V) {
        return V->isApply(Op) && V->Args[1]->is(TermKind::Constant);
      };
      if (B->is(TermKind::Constant) && HasConstant(A))
        return apply(Op, {A->Args[0], apply(Op, {A->Args[1], B})});
      // The constant comes last.
      if (!B->is(TermKind::Constant) && HasConstant(A))
        return apply(Op, {apply(Op, {A->Args[0], B}), A->Args[1]});
      if (HasConstant(B))
        return apply(Op, {apply(Op, {A, B->Args[0]}), B->Args[1]});
    }
  }
  return isNeutral(Op, B) ? A : nullptr;
}

/// Two terms that cannot be the same object.
static bool areDistinct(TermRef A, TermRef B) {
  auto IsMade = [](TermRef T) {
    return T->is(TermKind::Object) || T->is(TermKind::Exception);
  };
  if (A == B)
    return false;
  if (A->is(TermKind::Null) || B->is(TermKind::Null))
    return IsMade(A) || IsMade(B) || A->is(TermKind::Loaded) ||
           B->is(TermKind::Loaded);
  if (A->is(TermKind::Loaded) || B->is(TermKind::Loaded))
    return IsMade(A) || IsMade(B);
  return IsMade(A) && IsMade(B) && (A->Kind != B->Kind || A->Code != B->Code);
}

/// Finds what a store in front has put there.
TermRef Terms::read(uint32_t Code, ArrayRef<TermRef> Args) {
  TermRef Memory = Args[0];
  const auto Place = Args.drop_front();
  while (Memory->is(TermKind::Store)) {
    const auto Stored = Memory->Args.drop_front().drop_back();
    if (Memory->Code == Code) {
      if (Stored == Place)
        return Memory->Args.back();
      const bool IsElse = Place.size() == 2 && Stored[0] == Place[0] &&
                          Stored[1]->is(TermKind::Constant) &&
                          Place[1]->is(TermKind::Constant);
      if (!IsElse)
        break;
    }
    Memory = Memory->Args[0];
  }
  llvm::SmallVector<TermRef, 3> Of{Memory};
  Of.append(Place.begin(), Place.end());
  return raw(TermKind::Read, Code, 0, Of);
}

TermRef Terms::compare(TermKind K, ArrayRef<TermRef> Args) {
  TermRef A = Args[0], B = Args[1];
  if (K == TermKind::EqualRefs) {
    if (A == B)
      return ofInt(1);
    if (areDistinct(A, B))
      return ofInt(0);
    const bool Swaps =
        A->is(TermKind::Null) || (!B->is(TermKind::Null) && B->Id < A->Id);
    return Swaps ? raw(K, 0, 0, {B, A}) : raw(K, 0, 0, {A, B});
  }
  if (A == B)
    return ofInt(K == TermKind::EqualInts);
  const IntRange L = rangeOf(A), R = rangeOf(B);
  if (K == TermKind::EqualInts) {
    if (A->is(TermKind::Constant) && B->is(TermKind::Constant))
      return ofInt(A->i() == B->i());
    if (L.High < R.Low || R.High < L.Low)
      return ofInt(0);
    if (A->is(TermKind::Constant) ||
        (!B->is(TermKind::Constant) && B->Id < A->Id))
      return raw(K, 0, 0, {B, A});
  } else if (K == TermKind::Less) {
    if (L.High < R.Low)
      return ofInt(1);
    if (L.Low >= R.High)
      return ofInt(0);
  } else if (A->is(TermKind::Constant) && B->is(TermKind::Constant)) {
    return ofInt(uint32_t(A->i()) < uint32_t(B->i()));
  }
  return raw(K, 0, 0, Args);
}

TermRef Terms::make(TermKind K, uint32_t Code, ArrayRef<TermRef> Args,
                    uint64_t Bits) {
  switch (K) {
  case TermKind::Apply:
    if (TermRef T = simplify(Opcode(Code), Args))
      return T;
    break;
  case TermKind::Read:
    return read(Code, Args);
  case TermKind::EqualInts:
  case TermKind::Less:
  case TermKind::Below:
  case TermKind::EqualRefs:
    return compare(K, Args);
  case TermKind::InstanceOf:
  case TermKind::CastFails:
  case TermKind::StoreFails:
    if (Args.back()->is(TermKind::Null))
      return ofInt(0);
    break;
  default:
    break;
  }
  return raw(K, Code, Bits, Args);
}

IntRange Terms::rangeOf(TermRef T) const {
  if (T->is(TermKind::Constant))
    return {T->i(), T->i()};
  if (T->is(TermKind::InstanceOf))
    return {0, 1};
  if (T->is(TermKind::Read)) {
    const llvm::StringRef Of = text(T->Code);
    if (Of.ends_with(":B"))
      return {INT8_MIN, INT8_MAX};
    if (Of.ends_with(":C"))
      return {0, UINT16_MAX};
    if (Of.ends_with(":S"))
      return {INT16_MIN, INT16_MAX};
    return {};
  }
  if (!T->is(TermKind::Apply))
    return {};
  switch (T->Code) {
  case op::ARRAYLENGTH:
    return {0, INT32_MAX};
  case op::I2B:
    return {INT8_MIN, INT8_MAX};
  case op::I2C:
    return {0, UINT16_MAX};
  case op::I2S:
    return {INT16_MIN, INT16_MAX};
  case op::LCMP:
  case op::FCMPL:
  case op::FCMPG:
  case op::DCMPL:
  case op::DCMPG:
    return {-1, 1};
  case op::IAND:
    if (T->Args[1]->is(TermKind::Constant) && T->Args[1]->i() >= 0)
      return {0, T->Args[1]->i()};
    return {};
  default:
    return {};
  }
}

uint32_t Terms::classOf(TermRef T) const {
  switch (T->Kind) {
  case TermKind::Symbol:
  case TermKind::Object:
  case TermKind::Exception:
    return T->Code;
  case TermKind::Read:
    return Declared.lookup(T->Code);
  default:
    return 0;
  }
}

std::string Terms::print(TermRef T, unsigned Depth) const {
  std::string S;
  llvm::raw_string_ostream OS(S);
  switch (T->Kind) {
  case TermKind::Constant:
    if (T->Code == 'I')
      OS << T->i();
    else if (T->Code == 'J')
      OS << int64_t(T->Bits) << 'L';
    else
      OS << char(T->Code) << '#' << llvm::utohexstr(T->Bits);
    return S;
  case TermKind::Null:
    return "null";
  case TermKind::Symbol:
    OS << 'x' << T->Bits;
    return S;
  case TermKind::Apply:
    OS << getMnemonic(Opcode(T->Code));
    break;
  case TermKind::Read:
    OS << "read " << text(T->Code);
    break;
  case TermKind::Exception:
    // A question mark: or another class, which the loader decides.
    OS << text(T->Code).ltrim('?');
    if (T->Bits)
      OS << " of line " << T->Bits;
    return S;
  case TermKind::Object:
    OS << "new " << text(T->Code);
    return S;
  case TermKind::Loaded:
    OS << text(T->Code).split(' ').second;
    return S;
  default:
    OS << text(T->Code);
    break;
  }
  if (T->Args.empty())
    return S;
  OS << '(';
  if (!Depth)
    OS << "...";
  else
    for (size_t N = 0; N < T->Args.size(); ++N)
      OS << (N ? ", " : "") << print(T->Args[N], Depth - 1);
  OS << ')';
  return S;
}
