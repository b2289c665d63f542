//===- OneLinersFrontEnd.cpp - One-liners as probes -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FrontEnds.h"
#include "OneLinerText.h"
#include "jopt/Probes/ProbeText.h"

using namespace jopt;
using llvm::StringRef;

static bool recognises(const ProbeInput &In) { return isOneLiner(In.Path); }

/// The fragment has only those names that its code has, so that no event pays
/// for others: javac knows of none that is near a wrong one.
static std::string remedy(StringRef Message, const java::Fragment *In) {
  StringRef Name = Message;
  if (Name.consume_front("cannot find symbol; symbol: variable ")) {
    Name = Name.take_until([](char C) { return C == ';'; });
    std::string Near = didYouMean(Name, oneliner::expressionNames());
    if (!Near.empty())
      return Near;
  }
  return ProbekitFormat.Remedy(Message, In);
}

/// What `--show` prints, read as the file that it is.
static llvm::Expected<ProbePart>
read(const ProbeInput &In, const ProbeOptions &O, DiagnosticEngine &Diags) {
  auto Xml = makeOneLiner(In.Path);
  if (!Xml)
    return Xml.takeError();
  ProbeInput File;
  File.Path = StringRef(In.Path).split(':').first.str() + ".xml";
  File.Content = std::move(*Xml);
  static const java::Format Own = {ProbekitFormat.Name, ProbekitFormat.Prefix,
                                   remedy};
  auto Part = ProbekitFrontEnd.Read(File, O, Diags);
  if (Part && Part->Fragments)
    Part->Fragments->Kind = &Own;
  return Part;
}

const FrontEnd jopt::OneLinersFrontEnd = {recognises, read};
