//===- Annotations.h - Which annotations something carries ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The types of the annotations of a class or member (JVM specification
/// 4.7.16 and 4.7.17).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_ANNOTATIONS_H
#define JOPT_IR_MODEL_ANNOTATIONS_H

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/Support/Bytes.h"

namespace jopt {

/// Appends the internal names of the annotation types in \p Attributes, visible
/// at run time or not, in order. Annotations inside others (the elements of a
/// container) are not among them, nor those of parameters and types. Of an
/// attribute that is malformed what stands before the defect. The names belong
/// to \p Pool.
void findAnnotations(const ConstantPool &Pool,
                     llvm::ArrayRef<Attribute> Attributes,
                     llvm::SmallVectorImpl<llvm::StringRef> &Names);

/// Skips one element value, from its tag on, with whatever is nested in it. The
/// cursor fails where it does not end in it.
void skipElementValue(ByteCursor &C);

/// Skips the element-value pairs of an annotation, from their number on, with
/// whatever is nested in them (JVMS 4.7.16). The cursor fails where they do not
/// end in it.
void skipElementValues(ByteCursor &C);

} // namespace jopt

#endif
