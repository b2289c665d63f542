//===- InfoCalls.cpp - Who may call info methods --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InfoCalls.h"
#include "jopt/Bytecode/Decoder.h"
#include "llvm/ADT/StringSet.h"

using namespace jopt;
using namespace jopt::tf;

bool tf::isEmptyBody(const ClassFile &Class, const Method &M) {
  if (M.codeAttribute(Class.Pool) < 0)
    return true;
  Bytes Code = M.code(Class.Pool);
  while (!Code.empty() && Code.front() == op::NOP)
    Code = Code.drop_front();
  return Code.size() == 1 && Code.front() == op::RETURN;
}

namespace {
class InfoCalls {
public:
  InfoCalls(const ClassFile &Class, const ClassData &Data) : Class(Class) {
    for (size_t I = 0; I < Data.Methods.size(); ++I)
      if (Data.Methods[I].Kind == MethodKind::Info)
        Info.insert(key(Class.name(Class.Methods[I]),
                        Class.descriptor(Class.Methods[I])));
  }
  bool any() const { return !Info.empty(); }

  /// Whether pool entry \p Index is a method reference to an info method.
  bool names(unsigned Index) const {
    MemberRef R = Class.Pool.member(Index);
    return R.valid() && Class.Pool.has(Index, CPTag::Methodref) &&
           R.Owner == Class.name() && Info.contains(key(R.Name, R.Descriptor));
  }

  bool areIn(Bytes Code) const {
    DecodedInst I;
    // Code that cannot be decoded is somebody else's to complain about.
    for (uint32_t At = 0; decodeInst(Code, At, I); At = I.end())
      if ((I.Op == op::INVOKESPECIAL || I.Op == op::INVOKEVIRTUAL) &&
          names(I.Index))
        return true;
    return false;
  }

private:
  static std::string key(llvm::StringRef Name, llvm::StringRef Descriptor) {
    return (Name + Descriptor).str();
  }

  const ClassFile &Class;
  llvm::StringSet<> Info;
};
} // namespace

void tf::findIllegalInfoCalls(const ClassFile &Class, const ClassData &Data,
                              llvm::function_ref<void(const Method *)> Report) {
  InfoCalls Calls(Class, Data);
  if (!Calls.any())
    return;
  for (size_t I = 0; I < Data.Methods.size(); ++I)
    if (Data.Methods[I].Kind != MethodKind::Monitored &&
        Calls.areIn(Class.Methods[I].code(Class.Pool)))
      Report(&Class.Methods[I]);
  for (unsigned I = 1; I < Class.Pool.size(); ++I)
    if (Class.Pool.has(I, CPTag::MethodHandle) &&
        Calls.names(Class.Pool[I].B)) {
      Report(nullptr);
      return;
    }
}
