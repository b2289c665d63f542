//===- TraceFilter.cpp - Which events are wanted --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/TraceFilter.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/Wildcards.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

std::string data::displayName(const TracedClass &C, uint32_t Method) {
  std::string Name = toDisplayUTF8(C.Declared.Name);
  std::replace(Name.begin(), Name.end(), '/', '.');
  const trace::MethodDeclaration &M = C.Declared.Methods[Method];
  return Name + "." + toDisplayUTF8(C.Declared.Strings[M.Name]);
}

/// Marks what \p Matches one of \p Wanted; \p Seen are the latter.
static llvm::BitVector
choose(llvm::ArrayRef<std::string> Wanted, size_t Size, llvm::BitVector &Seen,
       llvm::function_ref<bool(StringRef, uint32_t)> Matches) {
  llvm::BitVector Chosen{unsigned(Size)};
  for (uint32_t I = 0; I < Size; ++I)
    for (unsigned W = 0; W < Wanted.size(); ++W)
      if (Matches(Wanted[W], I)) {
        Chosen.set(I);
        Seen.set(W);
      }
  return Chosen;
}

/// An error if some of \p Wanted are not \p Seen.
static Error checkAll(llvm::ArrayRef<std::string> Wanted,
                      const llvm::BitVector &Seen, const char *What) {
  for (unsigned W = 0; W < Wanted.size(); ++W)
    if (!Seen.test(W))
      return makeError("the trace has no " + llvm::Twine(What) + " '" +
                       Wanted[W] + "'");
  return Error::success();
}

/// Types of lines about arguments, and the letters that ask for them.
static constexpr std::pair<StringRef, StringRef> ArgumentTypes[] = {
    {ArgumentType, "E"}, {CallArgumentType, "I"}};

static bool isNamed(StringRef Wanted, StringRef Type) {
  return Wanted == Type || Wanted == Type.trim('$');
}

bool TraceFilter::isType(StringRef Type) const {
  return Options.Types.empty() || llvm::any_of(Options.Types, [&](StringRef W) {
           return isNamed(W, Type);
         });
}

Expected<TraceFilter> TraceFilter::make(const Traces &T,
                                        TraceFilterOptions Options) {
  TraceFilter F(std::move(Options));
  const TraceFilterOptions &O = F.Options;
  llvm::BitVector Methods(unsigned(O.Methods.size())),
      Types(unsigned(O.Types.size()));
  for (const TracedClass &C : T.classes()) {
    F.Methods.push_back(choose(O.Methods, C.Declared.Methods.size(), Methods,
                               [&](StringRef Pattern, uint32_t I) {
                                 return matchesWildcard(Pattern,
                                                        displayName(C, I));
                               }));
    F.Kinds.push_back(choose(O.Types, C.Declared.Kinds.size(), Types,
                             [&](StringRef Type, uint32_t I) {
                               return isNamed(Type,
                                              C.Declared.Kinds[I].Executed);
                             }));
    for (unsigned W = 0; W < O.Types.size(); ++W)
      for (const auto &[Type, Letter] : ArgumentTypes)
        if (isNamed(O.Types[W], Type) &&
            StringRef(C.Declared.letters()).contains(Letter))
          Types.set(W);
  }
  F.Seen.resize(unsigned(O.Threads.size()));
  if (Error E = checkAll(O.Methods, Methods, "method"))
    return E;
  if (Error E = checkAll(O.Types, Types, "type of event"))
    return E;
  return F;
}

bool TraceFilter::isWanted(const TracedThread &T) {
  auto [I, IsNew] = Threads.try_emplace(T.Number, false);
  if (!IsNew)
    return I->second;
  for (unsigned W = 0; W < Options.Threads.size(); ++W)
    if (Options.Threads[W] == T.Name ||
        Options.Threads[W] == std::to_string(T.Id)) {
      I->second = true;
      Seen.set(W);
    }
  return I->second;
}

Error TraceFilter::finish() const {
  return checkAll(Options.Threads, Seen, "thread");
}
