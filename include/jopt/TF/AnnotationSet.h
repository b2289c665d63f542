//===- AnnotationSet.h - The TF annotations of a run ---------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which annotations are TF annotations: collected from all inputs before any
/// class is enhanced.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TF_ANNOTATIONSET_H
#define JOPT_TF_ANNOTATIONSET_H

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/TF/Packages.h"
#include <map>
#include <optional>

namespace jopt::tf {

/// An annotation type that carries MethodMonitorGroup.
struct TFAnnotation {
  std::string Name;                   ///< internal
  std::string Description;            ///< of its timer group
  std::vector<std::string> SubGroups; ///< internal names, in order

  bool operator==(const TFAnnotation &O) const {
    return Name == O.Name && Description == O.Description &&
           SubGroups == O.SubGroups;
  }
};

/// The TF annotation that \p Class declares, if it is one. A MethodMonitorGroup
/// that is not visible at run time counts too, as for the original tool.
std::optional<TFAnnotation> readTFAnnotation(const ClassFile &Class,
                                             const Packages &P);

/// The libraries whose MethodMonitorGroup \p Class carries, by the package of
/// that annotation. What lies in no package `annotation` is of no library.
std::vector<Packages> librariesOf(const ClassFile &Class);

/// TF annotations by name. Filled by one thread.
class AnnotationSet {
public:
  /// Of several of one name the first stays; false if it differs from \p A.
  bool add(TFAnnotation A);

  bool contains(llvm::StringRef Name) const { return find(Name); }
  /// Null if there is none.
  const TFAnnotation *find(llvm::StringRef Name) const;
  /// Internal names, in the order of String.compareTo.
  std::vector<std::string> names() const;

private:
  std::map<std::string, TFAnnotation, std::less<>> ByName;
};

} // namespace jopt::tf

#endif
