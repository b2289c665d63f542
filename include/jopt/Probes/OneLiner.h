//===- OneLiner.h - Questions of a line -------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `jopt watch PID 'com.foo.Bar#baz(..)' --when 'durationMs > 20'`: a verb, the
/// methods that it is about, and options. It becomes a Probekit file, which is
/// read like any other. As a place of `-probes=` it is one text,
/// `watch:com.foo.Bar#baz(..) --when "durationMs > 20"`.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_ONELINER_H
#define JOPT_PROBES_ONELINER_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace jopt {

/// A verb, as the user writes it, and what it tells.
struct OneLinerVerb {
  llvm::StringLiteral Name, What;
};

constexpr OneLinerVerb OneLinerVerbs[] = {
#define ONE_LINER(NAME, WHAT) {#NAME, WHAT},
#include "jopt/Probes/OneLiners.def"
};

/// \p Word is one of these verbs.
inline bool isOneLinerVerb(llvm::StringRef Word) {
  for (const OneLinerVerb &V : OneLinerVerbs)
    if (Word == V.Name)
      return true;
  return false;
}

/// \p Given, as a place of `-probes=`, is such a text.
inline bool isOneLiner(llvm::StringRef Given) {
  return Given.contains(':') && isOneLinerVerb(Given.split(':').first);
}

/// The request that a command line makes.
struct OneLinerRequest {
  std::string Place;  ///< for `-probes=`
  bool Shows = false; ///< `--show`: only the file is asked for
  uint64_t Limit = 0; ///< so many events; 0: any number
  /// The rest of the command line: the process or the inputs, and options of
  /// others.
  std::vector<std::string> Rest;
};

/// Divides the words of a command line behind \p Verb. What is wrong with the
/// one-liner itself is only found when it is made.
llvm::Expected<OneLinerRequest>
readOneLiner(llvm::StringRef Verb, llvm::ArrayRef<const char *> Words);

/// The Probekit file of \p Place. The error says what is wrong with it.
llvm::Expected<std::string> makeOneLiner(llvm::StringRef Place);

/// Of `record`: the execution trace that \p Place needs beside its probe, as
/// `-trace=` has it; empty for other verbs.
llvm::Expected<std::string> oneLinerTrace(llvm::StringRef Place);

/// \name Of `line`, whose expressions name the variables of a class.
/// @{
/// The class that \p Place is about, with dots, perhaps without its package.
llvm::Expected<std::string> lineClass(llvm::StringRef Place);
/// The Probekit file of \p Place, where \p ClassFiles are those of the class,
/// or of classes nested in it. The error says what is wrong with the place, or
/// that no code begins in these lines, and which ones are near.
llvm::Expected<std::string> makeLineProbe(llvm::StringRef Place,
                                          llvm::ArrayRef<Bytes> ClassFiles);
/// @}

/// For people: the options of \p Verb, a line each.
std::string describeOneLinerOptions(llvm::StringRef Verb);

} // namespace jopt

#endif
