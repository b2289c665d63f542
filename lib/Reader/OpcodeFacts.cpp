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
      OpcodeFacts &O = T[Info.Encoding];
      const bool Local = Info.Cat == op::CatLocal;
      const bool Store = Local && !Info.result() && !Info.operands().empty();
      O.Length = Info.Length;
      O.Flags = Info.Length ? 0 : OpcodeFacts::Other;
      if (Info.MayThrow)
        O.Flags |= OpcodeFacts::Throws;
      if (Info.Cat == op::CatMonitor)
        O.Flags |= OpcodeFacts::Monitor;
      if ((Local || Info.Cat == op::CatConstant) && Info.result())
        O.Flags |= OpcodeFacts::Loads;
      if (Info.Cat == op::CatConstant && Info.PoolTags)
        O.Flags |= OpcodeFacts::OfPool;
      if (Store && Info.IndexBytes)
        O.Flags |= OpcodeFacts::Stores;
      else if (Store && Info.Slot == 0)
        O.Flags |= OpcodeFacts::StoresThis;
    }
    return T;
  }();
  return Table.data();
}

bool jopt::isConstructor(const ClassFile &Class, const Method &M) {
  return !M.is(ACC_STATIC) && Class.name(M) == "<init>" &&
         Class.name() != "java/lang/Object";
}
