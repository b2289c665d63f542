//===- Descriptor.cpp - Field and method descriptors ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Descriptor.h"

using namespace jopt;
using llvm::StringRef;

size_t jopt::fieldDescriptorLength(StringRef S) {
  size_t Dims = 0;
  while (Dims < S.size() && S[Dims] == '[')
    ++Dims;
  if (Dims == S.size() || Dims > 255)
    return 0;
  switch (S[Dims]) {
  case 'B':
  case 'C':
  case 'D':
  case 'F':
  case 'I':
  case 'J':
  case 'S':
  case 'Z':
    return Dims + 1;
  case 'L': {
    size_t End = S.find(';', Dims);
    return End == StringRef::npos || End == Dims + 1 ? 0 : End + 1;
  }
  default:
    return 0;
  }
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

bool jopt::isMethodDescriptor(StringRef S) {
  MethodDescriptor D(S);
  while (!D.nextParameter().empty())
    ;
  return D.valid();
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
