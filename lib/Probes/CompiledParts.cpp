//===- CompiledParts.cpp - Probes that came compiled ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledParts.h"
#include "Java/JavaNames.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace jopt;
using llvm::StringRef;

StringRef jopt::outerClass(StringRef Class) {
  size_t Simple = Class.rfind('/') + 1; // 0 if there is none
  return Class.take_front(Class.find('$', Simple));
}

llvm::Error jopt::checkCalls(const ProbePart &P, StringRef File) {
  llvm::StringMap<std::unique_ptr<ClassFile>> Read;
  llvm::Error Errors = llvm::Error::success();
  for (const auto &[Path, Content] : P.Classes) {
    auto C = readClass(Content);
    StringRef Name = StringRef(Path).drop_back(6);
    if (C && java::isInternalName(Name) && (*C)->name() == Name)
      Read[Name] = std::move(*C);
    else if (C)
      Errors = llvm::joinErrors(
          std::move(Errors), makeError(Location(File.str() + "!/" + Path),
                                       "the path is not that of its class '" +
                                           (*C)->name() + "'"));
    else
      Errors = llvm::joinErrors(
          std::move(Errors), inFile(C.takeError(), File.str() + "!/" + Path));
  }
  for (const Advice &A : P.Advices.Advices) {
    const AdviceBody &B = A.Body;
    auto At = Read.find(B.Owner);
    bool Found = At != Read.end() &&
                 llvm::any_of(At->second->Methods, [&](const Method &M) {
                   return At->second->name(M) == B.Name &&
                          At->second->descriptor(M) == B.Descriptor &&
                          (M.Access & ACC_STATIC) && (M.Access & ACC_PUBLIC);
                 });
    bool Assumed = llvm::none_of(P.Classes, [&](auto &C) {
      return outerClass(StringRef(C.first).drop_back(6)) == outerClass(B.Owner);
    });
    if (!Found && !Assumed)
      Errors = llvm::joinErrors(
          std::move(Errors),
          makeError(P.Advices.Probes[A.Probe].Where,
                    At == Read.end() ? "there is no class '" + B.Owner + "'"
                                     : "class '" + B.Owner +
                                           "' has no public static method '" +
                                           B.Name + B.Descriptor + "'"));
  }
  return Errors;
}
