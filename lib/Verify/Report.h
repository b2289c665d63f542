//===- Report.h - Collecting findings ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_REPORT_H
#define JOPT_LIB_VERIFY_REPORT_H

#include "jopt/Verify/ClassVerifier.h"
#include "llvm/ADT/Twine.h"

namespace jopt::verify {

/// Where findings go, with the class and method they belong to.
class FindingLog {
public:
  FindingLog(std::vector<Finding> &Out, unsigned Max) : Out(Out), Max(Max) {}

  void setClass(llvm::StringRef Name) { Class = Name; }
  /// Findings from now on are of this method; empty: of the class.
  void setMethod(llvm::StringRef Name, llvm::StringRef Descriptor) {
    MethodName = Name;
    MethodDescriptor = Descriptor;
  }

  /// Adds a finding. \returns false, for `return R.add(...)`.
  bool add(FindingKind K, const llvm::Twine &Message, const char *Section,
           std::optional<uint32_t> BCI = std::nullopt);
  bool format(const llvm::Twine &Message, const char *Section) {
    return add(FindingKind::ClassFormat, Message, Section);
  }

  size_t count() const { return Out.size(); }
  bool full() const { return Out.size() >= Max; }

private:
  std::vector<Finding> &Out;
  unsigned Max;
  llvm::StringRef Class, MethodName, MethodDescriptor;
};

} // namespace jopt::verify

#endif
