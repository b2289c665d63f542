//===- Linkage.cpp - Superclass and interfaces (5.3.5) --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Linkage.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;
using llvm::Twine;

void SelfInfo::fill(const ClassView &V) {
  Info.Name = V.thisName();
  Info.Super = V.superName();
  Info.Flags = V.Flags;
  for (uint16_t I : V.Interfaces)
    Interfaces.push_back(V.className(I));
  auto Fill = [&](std::vector<MemberInfo> &To,
                  const std::vector<MemberView> &From) {
    To.reserve(From.size());
    for (const MemberView &M : From)
      To.push_back({V.utf8(M.Name), V.utf8(M.Descriptor), M.Flags});
  };
  Fill(Fields, V.Fields);
  Fill(Methods, V.Methods);
  Info.Interfaces = Interfaces;
  Info.Fields = Fields;
  Info.Methods = Methods;
}

static void incompatible(FindingLog &R, const Twine &Message) {
  R.add(FindingKind::IncompatibleClassChange, Message, "5.3.5");
}

/// Whether \p Super is sealed against this class. The modules of the two are
/// taken to be the same.
static bool isSealedAgainst(const ClassInfo &Super, const ClassView &V) {
  if (!Super.Sealed)
    return false;
  if (!llvm::is_contained(Super.PermittedSubclasses, V.thisName()))
    return true;
  return !(V.Flags & ACC_PUBLIC) &&
         packageOf(Super.Name) != packageOf(V.thisName());
}

void verify::checkSuperinterface(const ClassView &V, StringRef Name,
                                 const TypeHierarchy *H, FindingLog &R) {
  const ClassInfo *I = H && Name != V.thisName() ? H->lookup(Name) : nullptr;
  if (!I)
    return;
  if (!I->isInterface())
    incompatible(R, "implements " + Name + ", which is no interface");
  else if (isSealedAgainst(*I, V))
    incompatible(R, "is not permitted by the sealed interface " + Name);
}

void verify::checkSuperclass(const ClassView &V, const TypeHierarchy *H,
                             FindingLog &R) {
  StringRef Name = V.superName();
  const ClassInfo *S = H && Name != V.thisName() ? H->lookup(Name) : nullptr;
  if (!S)
    return;
  if (S->isInterface())
    return incompatible(R, "extends " + Name + ", which is an interface");
  if (S->isFinal())
    return incompatible(R, "extends " + Name + ", which is final");
  if (isSealedAgainst(*S, V))
    return incompatible(R, "is not permitted by the sealed class " + Name);
  if (V.isValueClass() && S->Identity && Name != "java/lang/Object")
    return incompatible(R, "is a value class and extends " + Name +
                               ", which is none");
  if (V.isInterface())
    return;

  llvm::DenseMap<std::pair<StringRef, StringRef>, const MemberView *> Mine;
  for (const MemberView &M : V.Methods)
    if (!(M.Flags & (ACC_STATIC | ACC_PRIVATE)) &&
        !V.utf8(M.Name).starts_with("<"))
      Mine[{V.utf8(M.Name), V.utf8(M.Descriptor)}] = &M;
  // A chain longer than this is a cycle.
  for (unsigned Depth = 0; S && !Mine.empty() && Depth < 65536; ++Depth) {
    for (const MemberInfo &M : S->Methods) {
      if (!(M.Flags & ACC_FINAL) || (M.Flags & (ACC_STATIC | ACC_PRIVATE)) ||
          !Mine.count({M.Name, M.Descriptor}))
        continue;
      if ((M.Flags & (ACC_PUBLIC | ACC_PROTECTED)) ||
          packageOf(S->Name) == packageOf(V.thisName()))
        return incompatible(R, "overrides the final method " + S->Name + "." +
                                   M.Name + M.Descriptor);
    }
    S = S->Super.empty() || S->Super == V.thisName() ? nullptr
                                                     : H->lookup(S->Super);
  }
}
