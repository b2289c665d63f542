//===- DoctorVerb.cpp - jopt doctor ---------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoctorVerb.h"
#include "jopt/Client/Doctor.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using llvm::StringRef;

int jopt::runDoctor(llvm::ArrayRef<const char *> Arguments, bool AsJson,
                    DiagnosticEngine &Diags) {
  pid_t Pid = 0;
  if (Arguments.size() != 1 || !llvm::to_integer(Arguments[0], Pid, 10) ||
      Pid <= 0) {
    Diags.report(Severity::Error, Location(),
                 "jopt doctor wants the number of a process, which 'jopt ps' "
                 "lists");
    return 1;
  }
  int Status = 0;
  for (const client::AttachFinding &F : client::examine(Pid)) {
    const bool Fails = F.Is == client::AttachFinding::Problem;
    const StringRef Is = Fails                                 ? "problem"
                         : F.Is == client::AttachFinding::Note ? "note"
                                                               : "ok";
    if (AsJson)
      llvm::outs() << llvm::formatv(
          "{0}\n", llvm::json::Value(llvm::json::Object{
                       {"is", Is}, {"what", llvm::json::fixUTF8(F.What)}}));
    else
      safeOuts() << llvm::left_justify(Is, 9) << F.What << '\n';
    Status |= Fails;
  }
  return Status;
}
