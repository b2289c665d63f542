//===- VerbHelp.h - Help about the verbs of a tool --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rows of a tool's Verbs.def, and how `help` shows them: all on one
/// screen, and one verb with two examples.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_VERBHELP_H
#define JOPT_TOOLS_VERBHELP_H

#include "jopt/Support/Nearest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt {

/// A row of Verbs.def.
struct VerbHelp {
  llvm::StringLiteral Name;
  llvm::StringLiteral Arguments; ///< behind the name
  llvm::StringLiteral Short;     ///< for the list, at most 27 characters
  llvm::StringLiteral What;      ///< a sentence or more
  llvm::StringLiteral Examples[2];
};

/// \p Word is `-help` in any of its spellings.
inline bool isHelpOption(llvm::StringRef Word) {
  return Word == "-help" || Word == "--help" || Word == "-h";
}

/// Null if no row has that name.
inline const VerbHelp *findVerb(llvm::ArrayRef<VerbHelp> Verbs,
                                llvm::StringRef Name) {
  for (const VerbHelp &V : Verbs)
    if (V.Name == Name)
      return &V;
  return nullptr;
}

/// Prints the list of \p Verbs in two columns of 38 characters.
inline void printVerbs(llvm::raw_ostream &OS, llvm::ArrayRef<VerbHelp> Verbs) {
  const size_t Half = (Verbs.size() + 1) / 2;
  auto Column = [&](const VerbHelp &V, unsigned Width) {
    std::string Text = "  " + V.Name.str();
    Text.resize(std::max<size_t>(Text.size() + 1, 12), ' ');
    Text += V.Short;
    Text.resize(std::max<size_t>(Text.size(), Width), ' ');
    OS << Text;
  };
  for (size_t N = 0; N < Half; ++N) {
    const bool IsAlone = N + Half >= Verbs.size();
    Column(Verbs[N], IsAlone ? 0 : 40);
    if (!IsAlone)
      Column(Verbs[N + Half], 0);
    OS << '\n';
  }
}

/// Prints what \p V does. \p Options describes its options, a line each; it may
/// be empty.
inline void printVerb(llvm::raw_ostream &OS, llvm::StringRef Tool,
                      const VerbHelp &V, llvm::StringRef Options) {
  OS << "usage: " << Tool << ' ' << V.Name << ' ' << V.Arguments << "\n\n"
     << V.What << '\n';
  if (!Options.empty())
    OS << "\noptions:\n" << Options;
  OS << "\nexamples:\n";
  for (llvm::StringRef Example : V.Examples)
    OS << "  " << Tool << ' ' << V.Name << ' ' << Example << '\n';
}

} // namespace jopt

#endif
