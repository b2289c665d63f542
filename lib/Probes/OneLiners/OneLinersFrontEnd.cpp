//===- OneLinersFrontEnd.cpp - One-liners as probes -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FrontEnds.h"
#include "OneLinerText.h"

using namespace jopt;
using llvm::StringRef;

static bool recognises(const ProbeInput &In) { return isOneLiner(In.Path); }

/// What `--show` prints, read as the file that it is.
static llvm::Expected<ProbePart>
read(const ProbeInput &In, const ProbeOptions &O, DiagnosticEngine &Diags) {
  auto Xml = makeOneLiner(In.Path);
  if (!Xml)
    return Xml.takeError();
  ProbeInput File;
  File.Path = StringRef(In.Path).split(':').first.str() + ".xml";
  File.Content = std::move(*Xml);
  return ProbekitFrontEnd.Read(File, O, Diags);
}

const FrontEnd jopt::OneLinersFrontEnd = {recognises, read};
