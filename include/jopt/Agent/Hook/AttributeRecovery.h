//===- AttributeRecovery.h - Attributes that the JVM drops ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The JVM makes the class files that it hands over for loaded classes from
/// what it kept of them. Annotations that are not visible at run time it does
/// not keep, nor, on Java 17, the frames of classes that it did not verify:
/// those of the boot loader that do not come from a CDS archive. Methods come
/// in an order of the JVM's own. Of a component of a record it hands over the
/// number of attributes of the file, and then those that are visible at run
/// time alone (JDK-8315575, up to Java 21): the JVM itself does not read that.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_ATTRIBUTERECOVERY_H
#define JOPT_AGENT_HOOK_ATTRIBUTERECOVERY_H

#include "jopt/Support/Bytes.h"
#include "llvm/Support/Error.h"

namespace jopt::agent {

/// The class file has code, and no frames at all.
bool hasNoFrames(Bytes Data);

/// The class file \p Data with those RuntimeInvisibleAnnotations of the class
/// and its methods, and those StackMapTables of methods with the same code,
/// that the class file \p Resource has and it has not, and with the methods in
/// the order of that file; empty if nothing of it is different. Fails if they
/// are not the same class: name, access, supers, fields and methods are
/// compared.
llvm::Expected<llvm::SmallVector<uint8_t, 0>> recoverAttributes(Bytes Data,
                                                                Bytes Resource);

/// The class file \p Data with the right numbers of attributes in its Record
/// attribute; empty if they are right, or if it is malformed otherwise.
llvm::SmallVector<uint8_t, 0> repairRecord(Bytes Data);

} // namespace jopt::agent

#endif
