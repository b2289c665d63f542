//===- ClassData.h - What TF knows of a class ----------------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The traced members of a class and the names for them: all that both stages
/// of the enhancer need, and the checks of which members may have which
/// annotations.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TF_CLASSDATA_H
#define JOPT_TF_CLASSDATA_H

#include "jopt/TF/AnnotationSet.h"
#include "jopt/TF/Marker.h"

namespace jopt::tf {

enum class MethodKind { Normal, StaticInitializer, Info, Monitored };

/// In the order of the library's TimingPointType.
enum class TimingType { None, Both, Enter, Exit };

/// The name of a constant of TimingPointType.
llvm::StringRef timingTypeName(TimingType T);

/// An entry of the list of names, whose index is the identifier of a method.
struct NameEntry {
  std::string Name;
  TimingType Type = TimingType::None;
  std::string TimingName; ///< what its timer is called, class apart
  std::string Description;
  int Holder = -1; ///< of a monitored method; -1 for info methods

  bool operator<(const NameEntry &O) const { return Name < O.Name; }
};

/// A method, in the order of the class file.
struct MethodData {
  MethodKind Kind = MethodKind::Normal;
  /// Index in ClassData::Names; of info and monitored methods.
  unsigned Identifier = 0;
  /// Index in ClassData::Annotations; of monitored methods.
  unsigned Holder = 0;
};

struct Program;

struct ClassData {
  std::string Name; ///< internal
  Level Enhanced = Level::None;
  /// The TF annotations on the class, sorted: number k has the holder k. None
  /// if the class is not traced. Internal names.
  std::vector<std::string> Annotations;
  std::vector<NameEntry> Names;
  std::vector<MethodData> Methods; ///< empty for interfaces, which are skipped
  /// Problems that the rules of PFL let through.
  std::vector<std::string> Warnings;

  bool traced() const { return !Annotations.empty(); }
  static constexpr llvm::StringLiteral HolderPrefix = "__$mm$__";
  /// `__$mm$__k`
  static std::string holderField(unsigned K);
};

/// Reads \p Class, which is not changed. All errors of the class are returned,
/// joined, each with method and class; then the class must be left as it is.
/// Classes that are not traced are checked too. Thread-safe.
llvm::Expected<ClassData> collectClass(const ClassFile &Class,
                                       const Program &P);

} // namespace jopt::tf

#endif
