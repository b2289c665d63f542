//===- DirectCalls.cpp - Fragments that need no wrapper -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectCalls.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/ClassReader.h"

using namespace jopt;
using namespace jopt::java;
using llvm::StringRef;

/// The code of \p M calls nothing, and throws nothing: it computes, and uses
/// static fields of its class, which has no initialiser.
static bool isHarmless(const ClassFile &Class, const Method &M) {
  const Bytes Code = M.code(Class.Pool);
  DecodedInst I;
  for (uint32_t BCI = 0; BCI < Code.size(); BCI = I.end()) {
    if (!decodeInst(Code, BCI, I))
      return false;
    const bool IsOwnField = (I.Op == op::GETSTATIC || I.Op == op::PUTSTATIC) &&
                            Class.Pool.member(I.Index).Owner == Class.name();
    // It takes no lock, so none can be held at its end.
    if ((I.info().Failures & ~unsigned(op::OfMonitor)) && !IsOwnField)
      return false;
  }
  return !Code.empty();
}

/// All fragments of \p P, whose class is \p Class, are harmless, and their
/// wrappers do nothing but call them.
static bool areHarmless(const GeneratedClass &P, const ClassFile &Class) {
  auto Find = [&](StringRef Name) {
    return llvm::find_if(
        Class.Methods, [&](const Method &M) { return Class.name(M) == Name; });
  };
  return !P.Control && Find("<clinit>") == Class.Methods.end() &&
         llvm::all_of(P.Fragments, [&](const Fragment &F) {
           const auto M = Find(F.method());
           return !F.isConditional() && F.Result != ResultUse::ReplaceValue &&
                  F.Result != ResultUse::Return && M != Class.Methods.end() &&
                  isHarmless(Class, *M);
         });
}

/// The class \p Name of \p Classes; null if it cannot be read.
static std::unique_ptr<ClassFile> readCompiled(const CompiledClasses &Classes,
                                               StringRef Name) {
  for (const auto &[Path, Data] : Classes) {
    if (Path != (Name + ".class").str())
      continue;
    if (auto Class = readClass(Data))
      return std::move(*Class);
    else
      llvm::consumeError(Class.takeError());
  }
  return nullptr;
}

void java::callDirectly(AdviceSet &Set, llvm::ArrayRef<SourceFile> Files,
                        const CompiledClasses &Classes,
                        const JavaOptions &Java) {
  if (!Java.wraps() || Java.CountEvents)
    return;
  llvm::DenseMap<unsigned, StringRef> Ours; // names of probes' classes
  for (const SourceFile &F : Files)
    for (const GeneratedClass &P : F.Probes) {
      const auto Class = readCompiled(Classes, P.Name);
      if (!Class || !areHarmless(P, *Class))
        return;
      Ours[P.Index] = P.Name;
    }
  for (Advice &A : Set.Advices)
    if (auto At = Ours.find(A.Probe); At != Ours.end())
      A.Body.Owner = At->second.str();
}
