//===- Validator.cpp - Two versions of a class do the same ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Validate/Validator.h"
#include "Product.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using namespace jopt::validate;
using llvm::StringRef;
using llvm::Twine;

namespace {

class ClassValidator {
public:
  ClassValidator(ClassFile &Old, ClassFile &New, const ValidateLimits &Limits)
      : Old(Old), New(New), Limits(Limits), OldShort(Old), NewShort(New) {
    OldShort.intersect(NewShort);
    NewShort.intersect(OldShort);
  }

  std::vector<MethodVerdict> run();

private:
  void say(Verdict Found, StringRef Where, const Twine &Reason) {
    All.push_back({Found, Where.str(), Reason.str()});
  }
  void compareHeaders();
  void compareFields();
  void compareMethods();
  void compare(const Method &M, const Method &N);

  ClassFile &Old, &New;
  const ValidateLimits &Limits;
  ShortMethods OldShort, NewShort; ///< in both versions
  std::vector<MethodVerdict> All;
};

} // namespace

void ClassValidator::compareHeaders() {
  const StringRef Name = Old.name();
  auto Differs = [&](const Twine &What) {
    say(Verdict::Differs, Name, What + " differs");
  };
  if (Old.name() != New.name())
    Differs("its name");
  if (Old.superName() != New.superName())
    Differs("its superclass");
  if (Old.Access != New.Access)
    Differs("its flags");
  if (Old.Major != New.Major || Old.Minor != New.Minor)
    Differs("its version");
  if (Old.Interfaces.size() != New.Interfaces.size() ||
      !llvm::equal(Old.Interfaces, New.Interfaces, [&](unsigned A, unsigned B) {
        return Old.Pool.className(A) == New.Pool.className(B);
      }))
    Differs("its list of interfaces");
}

void ClassValidator::compareFields() {
  const bool Same =
      Old.Fields.size() == New.Fields.size() &&
      std::equal(Old.Fields.begin(), Old.Fields.end(), New.Fields.begin(),
                 [&](const Field &A, const Field &B) {
                   return Old.name(A) == New.name(B) &&
                          Old.descriptor(A) == New.descriptor(B) &&
                          A.Access == B.Access;
                 });
  if (!Same)
    say(Verdict::Differs, Old.name(), "its fields differ");
}

void ClassValidator::compare(const Method &M, const Method &N) {
  const std::string Where = Old.displayName(M);
  if (M.Access != N.Access)
    return say(Verdict::Differs, Where, "its flags differ");
  // Values of one method are of no use for the next.
  Terms T;
  ClassCode OldCode(Old, T, OldShort), NewCode(New, T, NewShort);
  auto A = decode(OldCode, M);
  auto B = decode(NewCode, N);
  if (!A || !B) {
    std::string Why;
    if (!A)
      Why = toMessage(A.takeError());
    if (!B)
      Why = toMessage(B.takeError());
    return say(Verdict::NotProved, Where, Why);
  }
  if (A->Insts.empty() != B->Insts.empty())
    return say(Verdict::Differs, Where, "only one of both has code");
  if (areEqual(*A, *B))
    return say(Verdict::Equal, Where, "");
  if (A->HasSubroutines || B->HasSubroutines)
    return say(Verdict::NotProved, Where, "it has subroutines");
  Product P(T, *A, *B, Limits);
  // More states of a place are more exact, and more work.
  constexpr unsigned MoreCopies = 6;
  if (P.prove(1))
    return say(Verdict::Proved, Where, "");
  const std::string Reason = P.reason();
  if (P.prove(MoreCopies))
    return say(Verdict::Proved, Where, "");
  if (P.refute())
    return say(Verdict::Differs, Where, P.reason());
  say(Verdict::NotProved, Where, Reason);
}

void ClassValidator::compareMethods() {
  auto Key = [](const ClassFile &F, const Method &M) {
    return (F.name(M) + F.descriptor(M)).str();
  };
  llvm::StringMap<const Method *> InNew;
  for (const Method &M : New.Methods)
    InNew.try_emplace(Key(New, M), &M);
  for (const Method &M : Old.Methods) {
    auto It = InNew.find(Key(Old, M));
    if (It == InNew.end()) {
      say(Verdict::Differs, Old.displayName(M), "it is gone");
      continue;
    }
    compare(M, *It->second);
    InNew.erase(It);
  }
  for (const Method &M : New.Methods)
    if (InNew.count(Key(New, M)))
      say(Verdict::Differs, New.displayName(M), "it was not there");
}

std::vector<MethodVerdict> ClassValidator::run() {
  compareHeaders();
  compareFields();
  compareMethods();
  return std::move(All);
}

llvm::Expected<std::vector<MethodVerdict>>
jopt::validateClass(Bytes Old, Bytes New, const ValidateLimits &Limits) {
  auto A = readClass(Old);
  if (!A)
    return A.takeError();
  auto B = readClass(New);
  if (!B)
    return B.takeError();
  return ClassValidator(**A, **B, Limits).run();
}
