//===- ClassId.h - By what JaCoCo knows a class -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The number that stands for a class file in JaCoCo's files.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_CLASSID_H
#define JOPT_COVERAGE_CLASSID_H

#include "jopt/Support/Bytes.h"

namespace jopt::coverage {

/// A checksum of 64 bits over the class file as a loader gave it to the JVM. A
/// class file of version 53 has the number that it would have as one of version
/// 52. Any thread.
uint64_t classId(Bytes ClassFile);

} // namespace jopt::coverage

#endif
