//===- Decision.h - What is to be done with a class -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place that says whether a class gets anything of a session: asked by
/// the hook for classes that come, by the walk over loaded classes, and for
/// hidden ones. Knows no JVM.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_DECISION_H
#define JOPT_AGENT_HOOK_DECISION_H

#include "jopt/Advice/Matcher.h"
#include "jopt/Agent/Attach/Session.h"
#include <optional>

namespace jopt::agent {

/// The facts about a class that decide() uses. Some of them cost calls into the
/// JVM, or into Java, so each is queried only when needed. A fact that nobody
/// can know yet keeps no class from being looked at.
class ClassFacts {
public:
  virtual ~ClassFacts() = default;
  virtual llvm::StringRef name() const = 0; ///< internal
  virtual LoaderKind loaderKind() = 0;
  /// The internal name of its loader's class, `boot` for the boot loader.
  virtual std::string loaderName() = 0;
  /// The URL of its code source, empty if it has none; nullopt: not known.
  virtual std::optional<std::string> source() = 0;
  /// Its class file, or its constant pool alone; valid as long as this is.
  virtual Bytes pool() = 0;
  /// The class with its supers, and with its ancestors if \p Hierarchy;
  /// nullopt: not known. Valid as long as this is.
  virtual std::optional<MatchClass> supers(bool Hierarchy) = 0;
};

enum class Decision {
  Filtered,  ///< options, or what it is, say that it is not looked at
  Unmatched, ///< looked at, and nothing in it is selected
  Watch,     ///< it is the registry of the tracing facility: gets no probes
  Trace,     ///< the tracing facility alone may have something to do in it
  Cover,     ///< it records which code runs, and no probe selects anything
  Probe,     ///< probes may select something in it
};

/// How \p S treats a class. Filtered and Unmatched are certain.
Decision decide(const Session &S, ClassFacts &Class);

/// \p S may put into \p Class what the program registered.
bool mayHaveRegistered(const Session &S, ClassFacts &Class);

/// Whether the class is to go through the hook.
inline bool isMeant(Decision D) { return D >= Decision::Watch; }

} // namespace jopt::agent

#endif
