//===- AnnotationValues.h - Annotations with their values ----- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The annotations of a class or member with the elements that the tracing
/// facility uses (JVM specification, 4.7.16).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_TF_ANNOTATIONVALUES_H
#define JOPT_LIB_TF_ANNOTATIONVALUES_H

#include "jopt/IR/Model/ClassFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt::tf {

/// One annotation. Text belongs to the pool.
struct AnnotationValues {
  struct Element {
    llvm::StringRef Name;
    /// A string, or the name of an enum constant; else empty.
    llvm::StringRef Text;
    /// The descriptors of an array of classes (or of a single one).
    llvm::SmallVector<llvm::StringRef, 2> Classes;
  };
  llvm::StringRef Type; ///< internal name
  llvm::SmallVector<Element, 2> Elements;

  /// The element of that name, or null.
  const Element *find(llvm::StringRef Name) const;
  /// The text of an element, empty if there is none.
  llvm::StringRef text(llvm::StringRef Name) const;
};

/// Calls \p Visit for each annotation in \p Attributes that is visible at run
/// time, and with \p Invisible for the others too, in order. Of a malformed
/// attribute what stands before the defect.
void readAnnotations(const ConstantPool &Pool,
                     llvm::ArrayRef<Attribute> Attributes, bool Invisible,
                     llvm::function_ref<void(const AnnotationValues &)> Visit);

} // namespace jopt::tf

#endif
