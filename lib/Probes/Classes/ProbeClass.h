//===- ProbeClass.h - Annotated classes -------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A class with `@MethodPattern` as its class file has it, with nothing checked
/// yet: annotations (JVMS 4.7.16 to 4.7.19), and the methods whose names are
/// those of callbacks, or that are for sites.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_CLASSES_PROBECLASS_H
#define JOPT_LIB_PROBES_CLASSES_PROBECLASS_H

#include "jopt/Advice/AdviceKinds.h"
#include "jopt/IR/Model/ClassFile.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt::classes {

/// The callbacks, in the order in which they are listed.
enum class CallbackKind : uint8_t {
  OnEnter,
  OnReturn,
  OnUncaughtException,
  OnUncaughtExceptionExt,
  OnExit,
  AtSite, ///< has another name, and the annotation of a kind of sites
};
constexpr unsigned NumCallbackKinds = 5; ///< that have their names
llvm::StringRef getCallbackName(CallbackKind K);

/// An annotation of the API.
struct Mark {
  std::string Name; ///< simple name
  /// Of `value`: texts, and a number.
  std::vector<std::string> Texts;
  std::optional<int32_t> Number;
  /// Other elements, which are texts or numbers, as text.
  std::vector<std::pair<std::string, std::string>> Elements;
};

struct CallbackParameter {
  std::string Type; ///< descriptor
  std::vector<Mark> Marks;
};

struct Callback {
  CallbackKind Kind;
  std::string Descriptor;
  uint16_t Access = 0;
  unsigned Line = 0; ///< its first in the source; 0: not known
  std::vector<CallbackParameter> Parameters;
  std::string Name;
  std::optional<AdviceKind> Site; ///< AtSite
  Mark SiteMark;                  ///< its annotation
  /// Of `@ReturnWhen`: the name of the method that says whether the probed
  /// method returns what this one gives; the methods that have that name, with
  /// the kind of this one.
  std::optional<std::string> When;
  std::vector<Callback> Deciders;

  /// It has the probed method return.
  bool ends() const {
    return When || Kind == CallbackKind::OnUncaughtExceptionExt;
  }
  llvm::StringRef name() const { return Name; }
  llvm::StringRef result() const;
};

struct ProbeClass {
  std::string Name; ///< internal name
  /// Of a nested class as it is declared, else as the class file says.
  uint16_t Access = 0;
  bool Nested = false;
  std::vector<Mark> Marks;
  std::vector<Callback> Callbacks; ///< in the order of the class file

  const Mark *find(llvm::StringRef MarkName) const;
  std::string displayName() const; ///< dotted
};

/// \p Class, if it has `@MethodPattern` of one of \p Packages (dotted), in
/// which the annotations of the API are.
std::optional<ProbeClass> readProbeClass(const ClassFile &Class,
                                         llvm::ArrayRef<std::string> Packages);

} // namespace jopt::classes

#endif
