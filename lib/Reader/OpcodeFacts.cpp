//===- OpcodeFacts.cpp - Code that is only looked over --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpcodeFacts.h"
#include "jopt/Bytecode/Opcodes.h"
#include <array>

using namespace jopt;

const OpcodeFacts *jopt::opcodeFacts() {
  static const auto Table = [] {
    std::array<OpcodeFacts, NumEncodings> T;
    for (const OpcodeInfo &Info : getOpcodeTable()) {
      if (Info.Branches || Info.EndsBlock || Info.Encoding == op::NOP)
        continue;
      const bool Local = Info.Cat == op::CatLocal;
      const bool Store = Local && !Info.result() && !Info.operands().empty();
      unsigned Flags = Info.Length ? 0 : OpcodeFacts::Other;
      if (Info.MayThrow)
        Flags |= OpcodeFacts::Throws;
      if (Info.Cat == op::CatMonitor)
        Flags |= OpcodeFacts::Monitor;
      if ((Local || Info.Cat == op::CatConstant) && Info.result())
        Flags |= OpcodeFacts::Loads;
      if (Info.Cat == op::CatConstant && Info.PoolTags)
        Flags |= OpcodeFacts::OfPool;
      if (Store && Info.IndexBytes)
        Flags |= OpcodeFacts::Stores;
      else if (Store && Info.Slot == 0)
        Flags |= OpcodeFacts::StoresThis;
      T[Info.Encoding].Packed = uint16_t(Flags << 8 | Info.Length);
    }
    return T;
  }();
  return Table.data();
}

bool jopt::isConstructor(const ClassFile &Class, const Method &M) {
  return !M.is(ACC_STATIC) && Class.name(M) == "<init>" &&
         Class.name() != "java/lang/Object";
}
