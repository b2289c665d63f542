//===- Encoder.cpp - Instructions into code bytes -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Encoder.h"

using namespace jopt;

bool jopt::encodeInst(const DecodedInst &I,
                      llvm::SmallVectorImpl<uint8_t> &Code) {
  const OpcodeInfo *Info = getOpcodeInfo(I.Op);
  if (!Info)
    return false;
  auto Put = [&](std::initializer_list<uint32_t> Operands) {
    if (I.Wide)
      Code.push_back(op::WIDE);
    Code.push_back(I.Op);
    for (uint32_t Byte : Operands)
      Code.push_back(uint8_t(Byte));
    return true;
  };
  uint32_t Index = I.Index, Value = uint32_t(I.Value);
  switch (Info->Fmt) {
  case op::FmtNone:
    return Put({});
  case op::FmtS1:
    return Put({Value});
  case op::FmtS2:
    return Put({Value >> 8, Value});
  case op::FmtCP1:
  case op::FmtNewArray:
    return Put({Index});
  case op::FmtCP2:
    return Put({Index >> 8, Index});
  case op::FmtLocal:
    return I.Wide ? Put({Index >> 8, Index}) : Put({Index});
  case op::FmtIinc:
    return I.Wide ? Put({Index >> 8, Index, Value >> 8, Value})
                  : Put({Index, Value});
  case op::FmtInvokeInterface:
  case op::FmtInvokeDynamic:
    return Put({Index >> 8, Index, Value, 0});
  case op::FmtMultiANewArray:
    return Put({Index >> 8, Index, Value});
  case op::FmtBranch2:
  case op::FmtBranch4:
  case op::FmtTableSwitch:
  case op::FmtLookupSwitch:
  case op::FmtWide:
  case op::FmtUndefined:
    return false;
  }
  return false;
}
