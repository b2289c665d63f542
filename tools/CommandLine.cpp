//===- CommandLine.cpp - Reading a command line ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "jopt/Support/Files.h"
#include "jopt/Verify/ClassVerifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <zlib.h>
#include <zstd.h>
// What a tool has besides says its CMakeLists.txt.
#ifdef JOPT_HAS_ARCHIVES
#include <libdeflate.h>
#endif
#ifdef JOPT_HAS_PROBES
#include <expat.h>
#endif
#ifdef JOPT_HAS_DATA
#include <sqlite3.h>
#endif

using namespace jopt;
using llvm::StringRef;
namespace cl = llvm::cl;

/// The option in -help that \p Name is nearest to; null if none is near.
static const cl::Option *nearest(StringRef Name) {
  const cl::Option *Best = nullptr;
  unsigned Distance = std::max<unsigned>(1, unsigned(Name.size()) / 2) + 1;
  for (const auto &[Known, O] : cl::getRegisteredOptions()) {
    if (O->getOptionHiddenFlag() != cl::NotHidden || Known.empty())
      continue;
    // The beginning of a name is as good as the name.
    unsigned D = Name.size() > 1 && Known.starts_with(Name)
                     ? 0
                     : Known.edit_distance(Name, true, Distance);
    bool Shorter =
        Best && (Known.size() < Best->ArgStr.size() ||
                 (Known.size() == Best->ArgStr.size() && Known < Best->ArgStr));
    if (D < Distance || (D == Distance && Shorter)) {
      Best = O;
      Distance = D;
    }
  }
  return Best;
}

/// The error if \p Argument is an option that does not exist, or an existing
/// one with something behind its name; else empty.
static std::string unknownOption(StringRef Argument) {
  if (!Argument.starts_with("-") || Argument == "-")
    return {};
  StringRef Name = Argument.ltrim('-').split('=').first;
  const auto &Known = cl::getRegisteredOptions();
  if (Name.empty() || Known.count(Name))
    return {};
  // -j8: a name and its value.
  for (const auto &Option : Known)
    if (Option.second->getFormattingFlag() == cl::Prefix &&
        Name.starts_with(Option.first()))
      return {};
  std::string Text =
      ("unknown option '" + Argument.split('=').first + "'").str();
  // --out=x: the name of an option of one letter is no beginning.
  const cl::Option *Near = nearest(Name);
  if (!Near && Known.count(Name.take_front(1)))
    Near = Known.lookup(Name.take_front(1));
  return Text + (Near ? "; did you mean '-" + Near->ArgStr.str() + "'?"
                      : std::string("; -help lists all"));
}

/// "-emit=class|jir|none, not 'jar'" if \p Argument is such a thing;
/// else empty.
static std::string unknownValue(StringRef Argument,
                                llvm::ArrayRef<ValuesOf> Values) {
  auto [Name, Value] = Argument.split('=');
  for (const auto &[Option, Parser] : Values) {
    if (!Argument.contains('=') || Name.ltrim('-') != Option->ArgStr)
      continue;
    std::string All;
    for (unsigned I = 0; I < Parser->getNumOptions(); ++I) {
      StringRef One = Parser->getOption(I);
      if (One == Value)
        return {};
      All += (All.empty() || One.empty() ? "" : "|") + One.str();
    }
    // The one whose name suggests that it takes a file.
    return (Argument.split('=').first + "=" + All + ", not '" + Value + "'" +
            (Option->ArgStr == "probes-report" ? "; -report-file= names a file"
                                               : ""))
        .str();
  }
  return {};
}

/// Whether the argument behind \p Argument is its value.
static bool takesNext(StringRef Argument) {
  if (!Argument.starts_with("-") || Argument.contains('='))
    return false;
  const cl::Option *O = cl::getRegisteredOptions().lookup(Argument.ltrim('-'));
  return O && O->getValueExpectedFlag() == cl::ValueRequired;
}

/// What --version prints.
static void printVersion(llvm::raw_ostream &OS, StringRef Tool) {
  OS << Tool << " " JOPT_VERSION "\n"
     << "class files of Java 1.0 to " << NewestRelease << '\n'
     << "built in: LLVM " LLVM_VERSION_STRING ", zlib " ZLIB_VERSION
        ", zstd " ZSTD_VERSION_STRING;
#ifdef JOPT_HAS_ARCHIVES
  OS << ", libdeflate " LIBDEFLATE_VERSION_STRING;
#endif
#ifdef JOPT_HAS_PROBES
  OS << ", expat " << XML_MAJOR_VERSION << '.' << XML_MINOR_VERSION << '.'
     << XML_MICRO_VERSION;
#endif
#ifdef JOPT_HAS_DATA
  OS << ", SQLite " SQLITE_VERSION;
#endif
  OS << "\nbuilt by: " JOPT_COMPILER "\n";
#ifdef JOPT_HAS_AGENT
  const std::string Agent = jopt::findInstalled("lib/libjopt-agent.so");
  OS << "agent: " << (Agent.empty() ? "none beside it" : Agent) << '\n';
#endif
}

bool jopt::parseCommandLine(int Argc, char **Argv, StringRef Overview,
                            llvm::ArrayRef<ValuesOf> Values) {
  cl::SetVersionPrinter([Tool = Overview.split(':').first](
                            llvm::raw_ostream &OS) { printVersion(OS, Tool); });
  // llvm::cl prints what it finds at once, so this looks first.
  for (int I = 1; I < Argc && Argv[I] != StringRef("--");
       I += 1 + takesNext(Argv[I])) {
    std::string Wrong = unknownOption(Argv[I]);
    if (Wrong.empty())
      Wrong = unknownValue(Argv[I], Values);
    if (Wrong.empty())
      continue;
    llvm::errs() << llvm::sys::path::filename(Argv[0]) << ": error: " << Wrong
                 << '\n';
    return false;
  }
  return cl::ParseCommandLineOptions(Argc, Argv, Overview, &llvm::errs());
}
