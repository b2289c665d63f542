//===- main.cpp - A program with jopt in it -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: relower IN.class OUT.class [PIPELINE]
///
/// Runs a pipeline of passes over a class file, with jopt's verifier before and
/// after. See docs/Embedding.md.
///
//===----------------------------------------------------------------------===//

#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "jopt/Weave/ClassWork.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace jopt;

/// Why the class \p Name was left as it was, if it was.
static llvm::Error whyLeft(const ClassOutcome &Done, const char *Name) {
  llvm::Error Failed = llvm::Error::success();
  auto Add = [&](const llvm::Twine &Message) {
    Failed =
        llvm::joinErrors(std::move(Failed), makeError(Location(Name), Message));
  };
  for (const Diagnostic &D : Done.Left)
    Add(D.text());
  for (const auto *Findings : {&Done.InputFindings, &Done.OutputFindings})
    for (const Finding &F : *Findings)
      Add(F.str());
  return Failed;
}

static llvm::Error run(const char *In, const char *Out, const char *Passes) {
  PassRegistry Registry;
  llvm::Expected<Pipeline> P = Pipeline::parse(Passes, Registry);
  if (!P)
    return P.takeError();
  auto Input = llvm::MemoryBuffer::getFile(In);
  if (!Input)
    return makeError(Location(In), Input.getError().message());

  ClassWork Work;
  Work.Passes = &*P;
  Work.VerifyInput = true;
  Work.Output = ClassWork::OutputCheck::Everything;
  const llvm::StringRef Content = (*Input)->getBuffer();
  llvm::Expected<ClassOutcome> Done = workOnClass(Work, toBytes(Content));
  if (!Done)
    return inFile(Done.takeError(), In);
  if (llvm::Error E = whyLeft(*Done, In))
    return E;
  return writeFile(Out, Done->Changed ? toStringRef(Done->Data) : Content);
}

int main(int Argc, char **Argv) {
  if (Argc < 3) {
    llvm::errs() << "usage: relower IN.class OUT.class [PIPELINE]\n";
    return 1;
  }
  llvm::Error Failed = run(Argv[1], Argv[2], Argc > 3 ? Argv[3] : "relower");
  if (!Failed)
    return 0;
  for (const Diagnostic &D : toDiagnostics(std::move(Failed))) {
    D.print(llvm::errs());
    llvm::errs() << '\n';
  }
  return 1;
}
