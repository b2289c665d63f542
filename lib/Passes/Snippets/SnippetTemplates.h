//===- SnippetTemplates.h - Snippets for all classes of a run ---*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A snippet is made once for a class. Most snippets are the same in every
/// class but for the pool entries of the methods that they call, so that one
/// template per run is enough.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_SNIPPETS_SNIPPETTEMPLATES_H
#define JOPT_LIB_PASSES_SNIPPETS_SNIPPETTEMPLATES_H

#include "jopt/IR/Model/CodePatch.h"
#include "jopt/Passes/AdviceCalls.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"

namespace jopt {

/// Code that names no entries of the pool but the methods of advices.
struct SnippetTemplate {
  struct Call {
    uint32_t At; ///< of the two bytes that name the entry
    unsigned Advice;
  };
  llvm::SmallVector<uint8_t, 16> Code;
  llvm::SmallVector<Call, 2> Calls; ///< in their order
  std::optional<SnippetFixups> Fixups;
  unsigned NumGiven = 0, MaxStack = 0;
};

/// The templates of a run that were made by one thread at a time
/// (SnippetPlans). They do not change the output.
class SnippetTemplates {
public:
  /// The snippet of \p List depends on its class only by what it has fixups
  /// for, names and numbers, if it \p HasFixups. It names no entries of the
  /// pool but the methods of advices.
  static bool fits(const AdviceCalls &Calls, llvm::ArrayRef<unsigned> List,
                   bool HasFixups);
  /// Forgets those of other runs than \p Run (Matcher::id).
  void enter(uint64_t Run);
  /// The key of the snippet of \p List; \p Shape has what else it depends on.
  using Key = llvm::SmallString<64>;
  static Key key(std::pair<uint64_t, uint64_t> Shape,
                 llvm::ArrayRef<unsigned> List);
  /// Null if there is none. Lives as long as the run is the same.
  const SnippetTemplate *find(llvm::StringRef Key) const;
  /// Keeps \p Code, the written snippet of \p List, unless it names other
  /// entries than those of \p Calls.
  void add(llvm::StringRef Key, const Snippet &Code,
           llvm::ArrayRef<unsigned> List, const AdviceCalls &Calls);

private:
  uint64_t Run = 0;
  llvm::StringMap<SnippetTemplate> Known;
};

/// Gives \p Code, which has a template and is at sites of \p Class, its bytes.
void fillIn(Snippet &Code, ClassFile &Class, AdviceCalls &Calls,
            llvm::function_ref<void(SnippetFixups::Name)> AskName);

} // namespace jopt

#endif
