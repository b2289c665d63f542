//===- ExecFile.h - JaCoCo's files of execution data ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads and writes the `.exec` files of JaCoCo from 0.7.5 on.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_EXECFILE_H
#define JOPT_COVERAGE_EXECFILE_H

#include "jopt/Coverage/CoverageData.h"
#include "jopt/Support/Bytes.h"

namespace jopt::coverage {

/// Whether \p File begins as such a file does. An empty one, as an agent leaves
/// it that dumped nothing, does not.
bool isExecFile(Bytes File);

/// Adds what stands in \p File, which may be several files one behind the
/// other, to \p To. An error says at which byte what is wrong; what stands
/// before it was added.
llvm::Error readExec(Bytes File, CoverageData &To);

/// Writes \p From as such a file: equal data gives equal bytes. Leaves out
/// classes that passed no probe.
llvm::SmallVector<uint8_t, 0> writeExec(const CoverageData &From);

} // namespace jopt::coverage

#endif
