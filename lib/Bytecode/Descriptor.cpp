//===- Descriptor.cpp - Field and method descriptors ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Descriptor.h"
#include <cstring>

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
  const char *P = S.begin(), *const End = S.end();
  while (P != End && *P == '[')
    ++P;
  if (P == End || P - S.begin() > 255)
    return 0;
  if (*P != 'L')
    return isBaseType(*P) ? size_t(P + 1 - S.begin()) : 0;
  const auto *Last =
      static_cast<const char *>(std::memchr(P, ';', size_t(End - P)));
  return !Last || Last == P + 1 ? 0 : size_t(Last + 1 - S.begin());
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
    ++Of.Slots;
    if (*P == 'L') {
      const char *Name = P + 1;
      P = static_cast<const char *>(std::memchr(P, ';', size_t(End - P)));
      if (!P || P++ == Name)
        return std::nullopt;
      continue;
    }
    const size_t Length = fieldDescriptorLength({P, size_t(End - P)});
    if (!Length)
      return std::nullopt;
    P += Length;
  }
  if (P++ == End || P == End)
    return std::nullopt;
  const StringRef Result(P, size_t(End - P));
  const bool IsShort = Result.size() == 1 && (*P == 'V' || isBaseType(*P));
  if (!IsShort && !isFieldDescriptor(Result))
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
