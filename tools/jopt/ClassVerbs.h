//===- ClassVerbs.h - jopt classes, methods ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_CLASSVERBS_H
#define JOPT_TOOLS_JOPT_CLASSVERBS_H

#include "jopt/Client/Loading.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt {

/// \p Word is `classes` or `methods`.
inline bool isClassVerb(llvm::StringRef Word) {
  return Word == "classes" || Word == "methods";
}

/// Asks the agent in process \p Pid, which is put in if it is not there, by an
/// option of Agent/Options.td. Its reply is an error if it says that it cannot.
using AskAgent = llvm::function_ref<llvm::Expected<client::AgentReply>(
    pid_t Pid, llvm::StringRef Question)>;

/// Carries out `classes PID PATTERN` or `methods PID CLASS`, with options. The
/// exit status: 0 done, 1 refused, 2 nothing matches, or there is more than the
/// default limit shows.
int runClassVerb(llvm::ArrayRef<const char *> Arguments, AskAgent Ask,
                 DiagnosticEngine &Diags);

} // namespace jopt

#endif
