//===- Help.cpp - jopt help -----------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Help.h"
#include "VerbTable.h"
#include "jopt/Agent/Attach/Options.h"
#include "jopt/Probes/OneLiner.h"
#include "llvm/Support/FileSystem.h"

using namespace jopt;
using llvm::StringRef;

static void printScreen() {
  llvm::outs()
      << "jopt puts probes, coverage and traces into Java class files.\n\n"
         "Into files (classes, folders, jars): jopt OPTION... INPUT... -o "
         "OUT\n"
         "  -probes=FILE     probes: Probekit XML, scripts, probe classes\n"
         "  -coverage=once   record which code runs; report by jopt-data\n"
         "  -trace=A         record what runs, instruction by instruction\n"
         "  -passes=LIST     any passes, as LLVM's opt runs them\n\n"
         "Into a running JVM, or about it: jopt VERB PID ...\n";
  printVerbs(llvm::outs(), Verbs);
  llvm::outs() << "jopt help VERB     usage, options and two examples\n"
                  "jopt help options  all options for files\n"
                  "jopt help agent    all options of attach and of the agent\n";
}

static void printVerbOf(const VerbHelp &V) {
  std::string Options;
  if (isOneLinerVerb(V.Name))
    Options = describeOneLinerOptions(V.Name);
  printVerb(llvm::outs(), "jopt", V, Options);
}

std::optional<int> jopt::takeHelp(int Argc, char **Argv) {
  auto IsVerb = [](StringRef Word) {
    return findVerb(Verbs, Word) && !llvm::sys::fs::exists(Word);
  };
  const llvm::ArrayRef<char *> Words(Argv + 1, size_t(Argc - 1));
  if (Words.size() == 1 &&
      (isHelpOption(Words[0]) ||
       (StringRef(Words[0]) == "help" && IsVerb("help")))) {
    printScreen();
    return 0;
  }
  if (Words.empty() || !IsVerb(Words[0]))
    return std::nullopt;
  static char Help[] = "--help";
  if (StringRef(Words[0]) != "help") {
    if (llvm::none_of(Words.drop_front(), isHelpOption))
      return std::nullopt;
    printVerbOf(*findVerb(Verbs, Words[0]));
    return 0;
  }
  const StringRef Of = Words[1];
  if (Words.size() != 2)
    return std::nullopt;
  if (Of == "agent") {
    llvm::outs() << agent::describeOptions();
    return 0;
  }
  if (Of == "options") {
    Argv[1] = Argv[2] = Help;
    return std::nullopt;
  }
  if (Of == "verbs") { // for scripts: a line each
    for (const VerbHelp &V : Verbs)
      llvm::outs() << V.Name << '\t' << V.Arguments << '\t' << V.Short << '\n';
    return 0;
  }
  if (const VerbHelp *V = findVerb(Verbs, isHelpOption(Of) ? "help" : Of)) {
    printVerbOf(*V);
    return 0;
  }
  const StringRef Near = nearestName(
      Of, llvm::map_range(
              Verbs, [](const VerbHelp &V) -> StringRef { return V.Name; }));
  llvm::errs() << "jopt: error: help knows no verb '" << Of << "'"
               << (Near.empty() ? "" : "; did you mean '" + Near.str() + "'?")
               << '\n';
  return 1;
}
