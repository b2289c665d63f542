//===- ClassVerifier.cpp - The class-file verifier ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Verify/ClassVerifier.h"
#include "CodeVerifier.h"
#include "FormatChecker.h"
#include "Linkage.h"
#include "TypeChecker.h"
#include "jopt/Support/ModifiedUTF8.h"
#include <bitset>
#include <utility>

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;
using llvm::Twine;

StringRef jopt::getErrorName(FindingKind K) {
  switch (K) {
  case FindingKind::ClassFormat:
    return "ClassFormatError";
  case FindingKind::UnsupportedVersion:
    return "UnsupportedClassVersionError";
  case FindingKind::IncompatibleClassChange:
    return "IncompatibleClassChangeError";
  case FindingKind::Verify:
    return "VerifyError";
  }
  return {};
}

std::string Finding::str() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << getErrorName(Kind) << ": ";
  if (!Class.empty()) {
    OS << Class;
    if (!Method.empty())
      OS << '.' << Method;
    if (BCI)
      OS << " @" << *BCI;
    OS << ": ";
  }
  OS << Message << " [" << Section << ']';
  return OS.str();
}

bool FindingLog::add(FindingKind K, const Twine &Message, const char *Section,
                     std::optional<uint32_t> BCI) {
  if (full())
    return false;
  Finding &F = Out.emplace_back();
  F.Kind = K;
  // Names may hold anything; a finding is one line of text.
  F.Class = escapeModifiedUTF8(Class);
  F.Method =
      escapeModifiedUTF8(MethodName) + escapeModifiedUTF8(MethodDescriptor);
  F.BCI = BCI;
  F.Message = escapeModifiedUTF8(Message.str());
  F.Section = Section;
  return false;
}

namespace {
/// The methods of a class whose code is type-checked.
class MethodChoice {
public:
  MethodChoice(const ClassView &V, const VerifyOptions &Options)
      : V(V), Patched(Options.Patched) {}

  /// To be asked for each method that has code to be checked, by its number.
  bool takes(unsigned Number, const MemberView &M) {
    if (!Patched || Number >= Patched->size() || !Patched->test(Number))
      return true;
    if (Seen.test(kind(M)))
      return false;
    Seen.set(kind(M));
    return true;
  }

private:
  /// By what the places and values of inserted code depend on.
  unsigned kind(const MemberView &M) const {
    static constexpr llvm::StringLiteral Results = "VJFDL[";
    const size_t Result =
        Results.find(V.utf8(M.Descriptor).split(')').second.take_front(1));
    const unsigned Bits = unsigned(M.isStatic()) |
                          unsigned(V.utf8(M.Name) == "<init>") << 1 |
                          unsigned(M.Code.numHandlers() != 0) << 2 |
                          unsigned(M.Code.StackMap.has_value()) << 3;
    return Bits << 3 | unsigned(std::min(Result, Results.size()));
  }

  const ClassView &V;
  const llvm::BitVector *Patched;
  std::bitset<128> Seen; ///< kinds
};
} // namespace

/// Verifies every method body in one way. \p Fatal as for TypeChecker.
static void verifyMethods(const ClassView &V, Machine &M, FindingLog &R,
                          const VerifyOptions &Options, bool Inference,
                          bool &Fatal) {
  TypeChecker Checker(M);
  MethodChoice Choice(V, Options);
  for (const MemberView &Method : V.Methods) {
    if (!Method.HasCode || R.full() ||
        !Choice.takes(unsigned(&Method - V.Methods.data()), Method))
      continue;
    R.setMethod(V.utf8(Method.Name), V.utf8(Method.Descriptor));
    if (!M.begin(Method, Inference))
      continue;
    if (Inference)
      inferTypes(M);
    else if (checkTables(M))
      Checker.check(Fatal);
  }
  R.setMethod({}, {});
}

/// A JVM accepts the frames of the class that this one was made from.
static bool hadRightFrames(VerifyOptions Options) {
  ClassView V;
  V.Data = std::exchange(Options.Original, {});
  Options.Patched = nullptr;
  std::vector<Finding> Findings;
  FindingLog R(Findings, 1);
  FormatChecker(V, R, Options).run();
  if (!Findings.empty())
    return false;
  SelfInfo Self;
  Self.fill(V);
  VTypeTable Types(Self.Info, Options.Hierarchy);
  Machine M(V, Types, R);
  bool Fatal = false;
  verifyMethods(V, M, R, Options, /*Inference=*/false, Fatal);
  return Findings.empty();
}

std::vector<Finding> jopt::verifyClass(Bytes ClassFile,
                                       const VerifyOptions &Options) {
  std::vector<Finding> Findings;
  FindingLog R(Findings, std::max(Options.MaxFindings, 1u));
  ClassView V;
  V.Data = ClassFile;
  if (ClassFile.size() > INT32_MAX) {
    R.format("larger than any class file", "4.8");
    return Findings;
  }
  FormatChecker(V, R, Options).run();
  for (const Finding &F : Findings)
    if (F.Kind != FindingKind::IncompatibleClassChange)
      return Findings;
  if (V.This == 0 || V.thisName().empty() || R.full() ||
      ((V.Flags & ACC_MODULE) && V.Major >= 53))
    return Findings;

  checkSuperclass(V, Options.Hierarchy, R);
  SelfInfo Self;
  Self.fill(V);
  VTypeTable Types(Self.Info, Options.Hierarchy);
  Machine M(V, Types, R);
  bool Fatal = false;
  size_t Before = R.count();
  verifyMethods(V, M, R, Options, /*Inference=*/V.Major < 50, Fatal);
  // A class of version 50 whose frames are wrong gets a second chance, but not
  // if it is this work that made them wrong.
  if (V.Major == 50 && R.count() != Before && !Fatal &&
      (Options.Original.empty() || !hadRightFrames(Options))) {
    Findings.resize(Before);
    verifyMethods(V, M, R, Options, /*Inference=*/true, Fatal);
  }
  return Findings;
}
