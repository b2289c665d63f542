//===- ClassFilter.cpp - Which classes are looked at ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/ClassFilter.h"
#include "jopt/Advice/Matcher.h"
#include "jopt/Passes/Dispatch.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Packages of the JDK, as internal names begin with them. What else its
/// modules have lies below org/, and is known by its loader.
static constexpr llvm::StringLiteral JdkPrefixes[] = {"java/", "javax/", "jdk/",
                                                      "sun/", "com/sun/"};

/// Those of them below com/sun/ that the system loader loads. Programs bring
/// others of that beginning: com.sun.jna, com.sun.mail.
static constexpr StringRef ToolPrefixes[] = {
    "com/sun/jarsigner/", "com/sun/java/", "com/sun/jdi/", "com/sun/source/",
    "com/sun/tools/"};

bool agent::isJdkClass(StringRef Name, LoaderKind Loader) {
  switch (Loader) {
  case LoaderKind::Boot:
  case LoaderKind::Platform:
    return true;
  case LoaderKind::System:
    return Name.starts_with("java/") || Name.starts_with("jdk/") ||
           Name.starts_with("sun/") ||
           llvm::any_of(ToolPrefixes,
                        [&](StringRef P) { return Name.starts_with(P); });
  case LoaderKind::Other:
    // What reflection makes has loaders of its own.
    return Name.starts_with("java/") || Name.starts_with("jdk/") ||
           Name.starts_with("sun/reflect/"); // on Java 8
  }
  return false;
}

/// The pattern by which \p R names a package or a class; one of another
/// beginning names none.
static StringRef namedBy(const TargetRule &R) {
  return R.Type.empty() ? R.Package : R.Type;
}

ClassFilter::ClassFilter(const AgentOptions &Options, const ProbeBundle &Bundle,
                         llvm::ArrayRef<std::string> Defined)
    : Advices(Bundle.Advices), Include(Options.Include),
      Exclude(Options.Exclude) {
  Own.insert(Defined.begin(), Defined.end());
  for (const auto &[Path, Data] : Bundle.Classes)
    Own.insert(StringRef(Path).drop_back(StringRef(".class").size()));
  const llvm::BitVector Calls = findCallProbes(Advices);
  for (unsigned P = 0; P < Advices.Probes.size(); ++P)
    for (const TargetRule &R :
         Calls.test(P) ? Advices.Probes[P].Callers : Advices.Probes[P].Rules)
      if (R.Include && !namedBy(R).empty() && !namedBy(R).starts_with("*"))
        Naming.push_back(&R);
}

bool ClassFilter::accepts(StringRef Name,
                          llvm::function_ref<LoaderKind()> Loader) const {
  if (Name.starts_with("jopt/probes/") || Name.starts_with("jopt/boot/") ||
      Name.starts_with("jopt/probe/") || Name.starts_with("com/yourkit/") ||
      Own.contains(Name) || matchesAnyWildcard(Exclude, Name))
    return false;
  if (!Include.empty())
    return matchesAnyWildcard(Include, Name);
  // Most classes of a starting JVM belong to the JDK whatever their loader is,
  // so this test comes first: it does not ask for the loader.
  return !(isJdkClass(Name, LoaderKind::Other) || isJdkClass(Name, Loader())) ||
         llvm::any_of(Naming, [&](const TargetRule *R) {
           return matchesClass(*R, Name);
         });
}

/// What \p Pattern matches may be in packages of \p Prefixes.
static bool mayBeIn(llvm::ArrayRef<llvm::StringLiteral> Prefixes,
                    StringRef Pattern) {
  return llvm::any_of(Prefixes, [&](StringRef Prefix) {
    StringRef Literal = Pattern.take_until([](char C) { return C == '*'; });
    return Literal.starts_with(Prefix) || (Literal + "/").str() == Prefix ||
           (Literal.size() < Pattern.size() && Prefix.starts_with(Literal));
  });
}

bool agent::mayNameJdk(const TargetRule &R) {
  return namedBy(R).empty() || mayBeIn(JdkPrefixes, namedBy(R));
}

bool ClassFilter::targets(llvm::ArrayRef<llvm::StringLiteral> Prefixes) const {
  return llvm::any_of(
             Include,
             [&](StringRef Pattern) { return mayBeIn(Prefixes, Pattern); }) ||
         llvm::any_of(Naming, [&](const TargetRule *R) {
           return mayBeIn(Prefixes, namedBy(*R));
         });
}

bool ClassFilter::targetsJdk() const { return targets(JdkPrefixes); }

bool ClassFilter::targetsCore() const { return targets(CorePackages); }
