//===- DoctorVerb.h - jopt doctor -------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_DOCTORVERB_H
#define JOPT_TOOLS_JOPT_DOCTORVERB_H

#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"

namespace jopt {

/// Prints what is to know before an attach; 1 if that would fail.
int runDoctor(llvm::ArrayRef<const char *> Arguments, bool AsJson,
              DiagnosticEngine &Diags);

} // namespace jopt

#endif
