//===- SiteFilter.h - Which sites of a method are meant ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The targets of a probe select methods; a SiteFilter selects some of the
/// sites in them. Advice.td lists the selectors that each kind of advice may
/// have (AdviceKindInfo::Selectors).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ADVICE_SITEFILTER_H
#define JOPT_ADVICE_SITEFILTER_H

#include "jopt/Advice/AdviceKinds.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace jopt {

struct SiteFilter {
  /// Patterns for what the instruction names: a class (internal name), a
  /// member, the descriptor of a value. Empty: any.
  std::string Owner, Name, Descriptor;
  /// The how manieth, from 1, in the order of the code, of those that all else
  /// here selects; 0: all.
  unsigned Ordinal = 0;
  unsigned FirstLine = 0, LastLine = ~0u; ///< both included
  enum Place : uint8_t { Usual, Before, Behind } Where = Usual;

  /// It says something of \p S, a Selector.
  bool says(Selector S) const;
  /// Sites of kind \p K are placed behind their instructions.
  bool isBehind(AdviceKind K) const {
    return Where == Usual ? getInfo(K).Behind : Where == Behind;
  }
  bool takesLine(unsigned Line) const {
    return FirstLine <= Line && Line <= LastLine;
  }
  bool takesOwner(llvm::StringRef Text) const { return takes(Owner, Text); }
  bool takesName(llvm::StringRef Text) const { return takes(Name, Text); }
  bool takesDescriptor(llvm::StringRef Text) const {
    return takes(Descriptor, Text);
  }

  /// Sets what \p Key, one of getSelectorNames, says. Fails where \p Value
  /// cannot be meant; the message has neither of them.
  llvm::Error set(llvm::StringRef Key, llvm::StringRef Value);
  /// Calls \p Each with what set() would be given, for each key that is said.
  void forEach(
      llvm::function_ref<void(llvm::StringRef Key, const std::string &Value)>
          Each) const;

private:
  static bool takes(llvm::StringRef Pattern, llvm::StringRef Text);
};

/// "ordinal" and so on, each at the place of its bit in Selector.
llvm::ArrayRef<llvm::StringLiteral> getSelectorNames();

/// The kinds of fragments that may say \p S, for a message.
std::string kindsThatSay(Selector S);

} // namespace jopt

#endif
