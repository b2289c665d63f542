//===- ProbekitFrontEnd.cpp - Probekit XML as probes ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FrontEnds.h"
#include "jopt/Probes/Probekit/ProbeInfo.h"
#include "jopt/Probes/Probekit/Reader.h"

using namespace jopt;

/// What no other front-end takes is meant to be XML.
static bool recognises(const ProbeInput &In) { return !In.IsFolder; }

static llvm::Expected<ProbePart>
read(const ProbeInput &In, const ProbeOptions &, DiagnosticEngine &Diags) {
  auto Doc = probekit::readDocument(In.Content, In.Path, Diags);
  if (!Doc)
    return Doc.takeError();
  ProbePart P;
  P.Info = probekit::writeProbeInfo(*Doc);
  P.Fragments = probekit::makeFragments(*Doc);
  return P;
}

const FrontEnd jopt::ProbekitFrontEnd = {recognises, read};
