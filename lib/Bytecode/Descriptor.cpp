//===- Descriptor.cpp - Field and method descriptors ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Descriptor.h"

using namespace jopt;
using llvm::StringRef;

/// \p C is the descriptor of a primitive type.
static bool isBaseType(char C) {
  constexpr uint32_t All = 1 << ('B' - 'A') | 1 << ('C' - 'A') |
                           1 << ('D' - 'A') | 1 << ('F' - 'A') |
                           1 << ('I' - 'A') | 1 << ('J' - 'A') |
                           1 << ('S' - 'A') | 1 << ('Z' - 'A');
  return C >= 'A' && C <= 'Z' && (All >> (C - 'A') & 1);
}

size_t jopt::fieldDescriptorLength(StringRef S) {
  size_t Dims = 0;
  while (Dims < S.size() && S[Dims] == '[')
    ++Dims;
  if (Dims == S.size() || Dims > 255)
    return 0;
  if (S[Dims] != 'L')
    return isBaseType(S[Dims]) ? Dims + 1 : 0;
  size_t End = S.find(';', Dims);
  return End == StringRef::npos || End == Dims + 1 ? 0 : End + 1;
}

StringRef MethodDescriptor::nextParameter() {
  if (!Ok || AtReturn)
    return {};
  if (Rest.consume_front(")")) {
    AtReturn = true;
    return {};
  }
  size_t Length = fieldDescriptorLength(Rest);
  if (!Length) {
    Ok = false;
    return {};
  }
  StringRef Result = Rest.take_front(Length);
  Rest = Rest.drop_front(Length);
  return Result;
}

std::optional<ParameterCount> jopt::countParameters(StringRef S) {
  ParameterCount Of;
  const char *P = S.begin(), *const End = S.end();
  if (P == End || *P++ != '(')
    return std::nullopt;
  for (; P != End && *P != ')'; ++Of.Count) {
    if (isBaseType(*P)) {
      Of.Slots += 1 + (*P == 'J' || *P == 'D');
      ++P;
      continue;
    }
    const size_t Length = fieldDescriptorLength({P, size_t(End - P)});
    if (!Length)
      return std::nullopt;
    ++Of.Slots;
    P += Length;
  }
  if (P++ == End || P == End)
    return std::nullopt;
  const StringRef Result(P, size_t(End - P));
  const bool IsVoid = *P == 'V' && Result.size() == 1;
  if (!IsVoid && !isFieldDescriptor(Result))
    return std::nullopt;
  return Of;
}

bool jopt::isMethodDescriptor(StringRef S) {
  return countParameters(S).has_value();
}

unsigned jopt::parameterSlots(StringRef S) {
  MethodDescriptor D(S);
  unsigned Slots = 0;
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
    Slots += slotsOf(P);
  return Slots;
}

StringRef jopt::returnDescriptor(StringRef S) {
  const size_t Last = S.rfind(')');
  if (Last == StringRef::npos)
    return {};
  // The name of a class may have one, too.
  if (!S.ends_with(";") || S.find(')') == Last)
    return S.drop_front(Last + 1);
  MethodDescriptor D(S);
  while (!D.nextParameter().empty())
    ;
  return D.valid() ? D.returnType() : S.drop_front(Last + 1);
}
